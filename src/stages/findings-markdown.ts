// Writes findings and summaries as Markdown, for people.
import { percent } from "../kernel/percent.ts";
import { shownText } from "../kernel/shown-text.ts";
import { notFoundNote, type FindingQuote, type Findings, type Summary } from "../run/report/research.ts";
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
          ...worthLines(quote),
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
    ...noteLines(findings),
    ...gapLines(findings),
    ...nearestLines(findings),
  ]);
}

/** Lines about a quote: its statement and the verdict on it, its coverage, and the words that it lacks. */
function worthLines({ statement, judged, coverage, lacks = [] }: FindingQuote): string[] {
  const verdict = judged === undefined ? "" : ` (${judged.verdict.replaceAll("_", " ")}${reasonOf(judged.reason)})`;
  return [
    ...(statement === undefined ? [] : [`- recorded for: ${plainText(statement)}${verdict}`]),
    ...(coverage === undefined ? [] : [`- holds ${percent(coverage)} % of what was searched for, by words`]),
    ...(lacks.length === 0 ? [] : [`- lacks: ${lacks.map(plainText).join(", ")}`]),
  ];
}

function reasonOf(reason: string | undefined): string {
  return reason === undefined ? "" : `: ${plainText(reason)}`;
}

/** Leaves out the notes that say the same as a gap. */
function noteLines({ notes, gaps = [] }: Findings): string[] {
  const named = new Set(gaps.map(notFoundNote));
  const own = notes.filter((note) => !named.has(note));
  return own.length === 0 ? ["None."] : own.map((note) => `- ${plainText(note)}`);
}

function gapLines({ gaps = [] }: Findings): string[] {
  if (gaps.length === 0) return [];
  const lines = gaps.map(({ text, reason, part_ids }) => {
    const parts = part_ids.length === 0 ? "" : ` [${part_ids.join(", ")}]`;
    return `- ${plainText(text)}${parts}: ${plainText(reason)}`;
  });
  return ["", "## Searched for and not found", "", ...lines];
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
