// The report as Markdown: the same claims as report.json, with numbered markers and a source list.
import { shownLine } from "../kernel/shown-text.ts";
import type { Claim, Report } from "../run/report.ts";
import { codeSpan, plainCell, plainText } from "./plain-markdown.ts";
import {
  comparisonsOf,
  doubtOf,
  gapsOf,
  markersOf,
  markerText,
  placesIn,
  quotesBehind,
  sectionsInOrder,
  type ComparisonView,
  type NumberedQuote,
} from "./report-view.ts";
import {
  comparisonCaption,
  comparisonsNote,
  introductionOf,
  nothingMissing,
  partialLines,
  QUOTES_NOTE,
  scopeLines,
  STRENGTH_NOTE,
  strengthText,
  TITLES,
} from "./report-words.ts";

/** Markdown without a time, an id or a path of the run: equal reports give equal bytes. */
export function reportMarkdown(report: Report): string {
  const lines = [`# ${plainText(report.question)}`, ""];
  const partial = partialLines(report);
  if (partial.length > 0) lines.push(partial.map((line) => `> ${plainText(line)}`).join("\n>\n"), "");
  lines.push(plainText(introductionOf(report)), "");
  const behind = quotesBehind(report);
  for (const { title, claims } of sectionsInOrder(report)) {
    const items = claims.map((claim) => `- ${claimText(claim, report, behind.get(claim) ?? [])}`);
    lines.push(`## ${plainText(title)}`, "", ...items, "");
  }
  lines.push(
    ...comparisonLines(report),
    ...strengthLines(report),
    ...gapLines(report),
    ...block(
      TITLES.scope,
      scopeLines(report).map((line) => `- ${plainText(line)}`),
    ),
    ...quoteLines([...behind.values()].flat()),
    ...block(TITLES.sources, sourceLines(report)),
  );
  return `${lines.join("\n").trimEnd()}\n`;
}

function block(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, "", ...lines, ""];
}

function claimText(claim: Claim, report: Report, quotes: readonly NumberedQuote[]): string {
  const doubt = doubtOf(claim);
  const numbers = [...new Set(quotes.map(({ number }) => number))];
  const behind = numbers.length === 0 ? "" : ` (quote${numbers.length === 1 ? "" : "s"} ${numbers.join(", ")})`;
  const doubtful = doubt === null ? "" : ` **(${plainText(doubt)})**`;
  return `${plainText(claim.text)} ${markersText(claim, report)}${behind}${doubtful}`;
}

function quoteLines(quotes: readonly NumberedQuote[]): string[] {
  const distinct = [...new Map(quotes.map((one) => [one.number, one])).values()];
  if (distinct.length === 0) return [];
  const lines = distinct.map(
    ({ number, quote, marker }) =>
      `${number}. ${plainText(`“${shownLine(quote.text)}”`)} [${plainText(markerText(marker))}]`,
  );
  return block(TITLES.quotes, [QUOTES_NOTE, "", ...lines]);
}

function markersText(claim: Claim, report: Report, plain = plainText): string {
  return markersOf(claim, report)
    .map((marker) => `[${plain(markerText(marker))}]`)
    .join("");
}

function comparisonLines(report: Report): string[] {
  const views = comparisonsOf(report);
  if (views.length === 0) return [];
  const tables = views.flatMap((view) => ["", ...comparisonTable(view, report)]);
  return block(TITLES.comparisons, [plainText(comparisonsNote(views)), ...tables]);
}

function comparisonTable(view: ComparisonView, report: Report): string[] {
  const rows = view.sides.map(
    ({ value, claim }) =>
      `| ${plainCell(value)} | ${plainCell(claim.text)} | ${markersText(claim, report, plainCell)} |`,
  );
  return [
    `### ${plainText(comparisonCaption(view))}`,
    "",
    `| ${view.kind === "numbers" ? "Value" : "Says"} | Sentence | Source |`,
    "| --- | --- | --- |",
    ...rows,
  ];
}

function strengthLines({ strengths = [] }: Report): string[] {
  if (strengths.length === 0) return [];
  const rows = strengths.map(
    (part) => `| ${plainCell(part.text)} | ${part.evidence} | ${plainCell(strengthText(part))} |`,
  );
  return block(TITLES.strengths, [
    STRENGTH_NOTE,
    "",
    "| Part of the question | Evidence | Counted |",
    "| --- | --- | --- |",
    ...rows,
  ]);
}

function gapLines(report: Report): string[] {
  const { weak, none } = gapsOf(report);
  return [
    ...block(TITLES.none, none.length === 0 ? [nothingMissing(report)] : none.map(gapLine)),
    ...block(TITLES.weak, weak.map(gapLine)),
  ];
}

function gapLine({ text, reason }: Report["gaps"][number]): string {
  return `- ${plainText(text)} (${plainText(reason)})`;
}

function sourceLines(report: Report): string[] {
  return report.sources.map((source) => {
    const places = placesIn(report, source);
    const quoted = places.length === 0 ? "" : ` Quoted: ${places.map(plainText).join("; ")}.`;
    const { number, title, origin, source_digest } = source;
    return `${number}. ${plainText(title)}. ${codeSpan(origin)}, \`${source_digest}\`.${quoted}`;
  });
}
