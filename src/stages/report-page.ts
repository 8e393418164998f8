// The report as a person reads it: the same claims as report.json, with numbered markers and a source list.
import { claimsOf, type Claim, type Report } from "../run/report.ts";
import { codeSpan, plainText } from "./plain-markdown.ts";

/** Markdown without a time, an id or a path of the run: equal reports give equal bytes. */
export function reportMarkdown(report: Report): string {
  const numbers = new Map<string, number>(report.sources.map(({ source_digest, number }) => [source_digest, number]));
  const lines = [`# ${plainText(report.question)}`, ""];
  if (report.partial) lines.push("> Partial: made before the run had finished its stages.", "");
  lines.push(introduction(report), "");
  for (const { title, claims } of report.sections) {
    lines.push(`## ${plainText(title)}`, "");
    for (const claim of claims) lines.push(`- ${claimText(claim, numbers)}`);
    lines.push("");
  }
  lines.push(...gapLines(report), "## Sources", "");
  for (const { number, title, origin, source_digest } of report.sources) {
    lines.push(`${number}. ${plainText(title)}. ${codeSpan(origin)}, \`${source_digest}\``);
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

/** Says no more than was checked: that quotes stand in their sources. */
function introduction(report: Report): string {
  const claims = claimsOf(report);
  const verbatim = claims.filter(({ method }) => method === "verbatim");
  const quotes = claims.flatMap((claim) => claim.quotes).length;
  const checked = verbatim.filter(({ verdict }) => verdict === "supported").flatMap((claim) => claim.quotes).length;
  const method =
    verbatim.length === claims.length
      ? "Extractive: every sentence below is taken from a source; nothing was written or interpreted."
      : `${verbatim.length} of ${counted(claims.length, "claim")} ${verbatim.length === 1 ? "is" : "are"} taken word for word from a source; the others name their method.`;
  const choice =
    verbatim.length === claims.length
      ? " Sentences were chosen by the words that they share with the question: that is no judgement of whether they are true."
      : " That a quote stands in its source is no judgement of whether it is true.";
  const extent = `${counted(claims.length, "claim")} from ${counted(report.sources.length, "source")}.`;
  const stand = `${checked} of ${counted(quotes, "quote")} ${checked === 1 ? "stands" : "stand"} word for word in ${checked === 1 ? "its stored source" : "their stored sources"}; line breaks are shown as spaces.`;
  return `${method} ${extent} ${stand}${choice} The numbers in brackets point to the list of sources.`;
}

function claimText(claim: Claim, numbers: ReadonlyMap<string, number>): string {
  const marks = [...new Set(claim.quotes.map(({ source_digest }) => numbers.get(source_digest) ?? 0))].sort(
    (a, b) => a - b,
  );
  const doubt =
    claim.verdict === "supported"
      ? ""
      : ` **(${claim.verdict.replace("_", " ")}${claim.reason === undefined ? "" : `: ${plainText(claim.reason)}`})**`;
  return `${plainText(claim.text)} ${marks.map((mark) => `[${mark}]`).join("")}${doubt}`;
}

/** A gap that does not say how much was found counts as nothing found. */
function gapLines({ gaps }: Report): string[] {
  const [weak, none] = [
    gaps.filter(({ evidence }) => evidence === "weak"),
    gaps.filter((gap) => gap.evidence !== "weak"),
  ];
  const lines = weak.length === 0 ? [] : ["## Thin evidence", "", ...weak.map(gapLine), ""];
  lines.push("## Not found", "");
  if (none.length === 0) lines.push("No part of the question was left without a quote.");
  return [...lines, ...none.map(gapLine), ""];
}

function gapLine({ text, reason }: Report["gaps"][number]): string {
  return `- ${plainText(text)} (${plainText(reason)})`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
