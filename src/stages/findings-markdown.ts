// Findings and summaries as people read them.
import { shownText } from "../kernel/shown-text.ts";
import type { Findings, Summary } from "../run/research.ts";
import { codeSpan, plainText } from "../pages/plain-markdown.ts";

export function findingsMarkdown(findings: Findings): string {
  const origins = new Map<string, string>(findings.sources.map(({ source_digest, origin }) => [source_digest, origin]));
  return page([
    `# ${plainText(findings.title)}`,
    "",
    ...findings.questions.map((question) => `- ${plainText(question)}`),
    "",
    "## Quotes",
    "",
    ...(findings.quotes.length === 0
      ? ["None."]
      : findings.quotes.flatMap((quote) => [
          blockQuote(quote.text),
          "",
          `- ${codeSpan(origins.get(quote.source_digest) ?? quote.source_digest)}, bytes ${quote.start} to ${quote.end}`,
          ...(quote.statement === undefined ? [] : [`- recorded for: ${plainText(quote.statement)}`]),
          "",
        ])),
    "## Sources",
    "",
    ...findings.sources.map(
      ({ title, origin, source_digest }) => `- ${plainText(title)} (${codeSpan(origin)}), ${source_digest}`,
    ),
    "",
    "## Notes",
    "",
    ...(findings.notes.length === 0 ? ["None."] : findings.notes.map((note) => `- ${plainText(note)}`)),
    ...nearestLines(findings),
  ]);
}

function nearestLines({ nearest = [] }: Findings): string[] {
  if (nearest.length === 0) return [];
  const lines = nearest.flatMap(({ origin, text, lacks }) => [
    blockQuote(text),
    "",
    `- ${codeSpan(origin)}${lacks.length === 0 ? "" : `, lacks: ${lacks.map(plainText).join(", ")}`}`,
    "",
  ]);
  return ["", "## Nearest", "", ...lines];
}

export function summaryMarkdown(summary: Summary): string {
  return page([
    `# ${plainText(summary.title)}`,
    "",
    ...(summary.points.length === 0
      ? ["Nothing was found."]
      : summary.points.flatMap(({ text, citation_ids }) => [blockQuote(text), "", `- ${citation_ids.join(", ")}`, ""])),
  ]);
}

function blockQuote(text: string): string {
  return shownText(text)
    .split("\n")
    .map((line) => `> ${plainText(line)}`.trimEnd())
    .join("\n");
}

function page(lines: string[]): string {
  return `${lines.join("\n").trimEnd()}\n`;
}
