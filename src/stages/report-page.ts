// The report as a person reads it: the same claims as report.json, with numbered markers and a source list.
import { claimsOf, type Claim, type Report } from "../run/report.ts";

/** Markdown without a time, an id or a path of the run: equal reports give equal bytes. */
export function reportMarkdown(report: Report): string {
  const numbers = new Map<string, number>(report.sources.map(({ source_digest, number }) => [source_digest, number]));
  const lines = [`# ${oneLine(report.question)}`, ""];
  if (report.partial) lines.push("> Partial: made before the run had finished its stages.", "");
  lines.push(introduction(report), "");
  for (const { title, claims } of report.sections) {
    lines.push(`## ${oneLine(title)}`, "");
    for (const claim of claims) lines.push(`- ${claimText(claim, numbers)}`);
    lines.push("");
  }
  lines.push("## What was not found", "");
  if (report.gaps.length === 0) lines.push("Every part of the question has evidence.");
  for (const { text, reason } of report.gaps) lines.push(`- ${oneLine(text)} (${oneLine(reason)})`);
  lines.push("", "## Sources", "");
  for (const { number, title, origin, source_digest } of report.sources) {
    lines.push(`${number}. ${oneLine(title)}. \`${origin}\`, \`${source_digest}\``);
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

function introduction(report: Report): string {
  const claims = claimsOf(report);
  const verbatim = claims.filter(({ method }) => method === "verbatim").length;
  const supported = claims.filter((claim) => claim.verdict === "supported").length;
  const method =
    verbatim === claims.length
      ? "Extractive: every sentence below is quoted word for word from its source; nothing was written or interpreted."
      : `${verbatim} of ${claims.length} claims are quoted word for word; the others name their method.`;
  return `${method} ${claims.length} claims from ${report.sources.length} sources, ${supported} supported. The numbers in brackets point to the list of sources.`;
}

function claimText(claim: Claim, numbers: ReadonlyMap<string, number>): string {
  const marks = [...new Set(claim.quotes.map(({ source_digest }) => numbers.get(source_digest) ?? 0))].sort(
    (a, b) => a - b,
  );
  const doubt =
    claim.verdict === "supported"
      ? ""
      : ` **(${claim.verdict.replace("_", " ")}${claim.reason === undefined ? "" : `: ${claim.reason}`})**`;
  return `${oneLine(claim.text)} ${marks.map((mark) => `[${mark}]`).join("")}${doubt}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
