// Findings and summaries as people read them.
import type { Findings, Summary } from "../run/research.ts";

export function findingsMarkdown(findings: Findings): string {
  const origins = new Map<string, string>(findings.sources.map(({ source_digest, origin }) => [source_digest, origin]));
  return page([
    `# ${findings.title}`,
    "",
    ...findings.questions.map((question) => `- ${question}`),
    "",
    "## Quotes",
    "",
    ...(findings.quotes.length === 0
      ? ["None."]
      : findings.quotes.flatMap((quote) => [
          blockQuote(quote.text),
          "",
          `- ${origins.get(quote.source_digest) ?? quote.source_digest}, bytes ${quote.start} to ${quote.end}`,
          "",
        ])),
    "## Sources",
    "",
    ...findings.sources.map(({ title, origin, source_digest }) => `- ${title} (${origin}), ${source_digest}`),
    "",
    "## Notes",
    "",
    ...(findings.notes.length === 0 ? ["None."] : findings.notes.map((note) => `- ${note}`)),
    ...nearestLines(findings),
  ]);
}

function nearestLines({ nearest = [] }: Findings): string[] {
  if (nearest.length === 0) return [];
  const lines = nearest.flatMap(({ origin, text, lacks }) => [
    blockQuote(text),
    "",
    `- ${origin}${lacks.length === 0 ? "" : `, lacks: ${lacks.join(", ")}`}`,
    "",
  ]);
  return ["", "## Nearest", "", ...lines];
}

export function summaryMarkdown(summary: Summary): string {
  return page([
    `# ${summary.title}`,
    "",
    ...(summary.points.length === 0
      ? ["Nothing was found."]
      : summary.points.flatMap(({ text, citation_ids }) => [blockQuote(text), "", `- ${citation_ids.join(", ")}`, ""])),
  ]);
}

function blockQuote(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

function page(lines: string[]): string {
  return `${lines.join("\n").trimEnd()}\n`;
}
