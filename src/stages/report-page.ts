// The report as Markdown: the same claims as report.json, with numbered markers and a source list.
import type { Claim, Report } from "../run/report.ts";
import { codeSpan, plainCell, plainText } from "./plain-markdown.ts";
import {
  comparisonCaption,
  comparisonsNote,
  comparisonsOf,
  doubtOf,
  gapsOf,
  introductionOf,
  markersOf,
  markerText,
  NOTHING_MISSING,
  PARTIAL,
  placesIn,
  scopeLines,
  sectionsInOrder,
  STRENGTH_NOTE,
  strengthText,
  TITLES,
  type ComparisonView,
} from "./report-view.ts";

/** Markdown without a time, an id or a path of the run: equal reports give equal bytes. */
export function reportMarkdown(report: Report): string {
  const lines = [`# ${plainText(report.question)}`, ""];
  if (report.partial) lines.push(`> ${PARTIAL}`, "");
  lines.push(introductionOf(report), "");
  for (const { title, claims } of sectionsInOrder(report)) {
    lines.push(`## ${plainText(title)}`, "", ...claims.map((claim) => `- ${claimText(claim, report)}`), "");
  }
  lines.push(
    ...comparisonLines(report),
    ...strengthLines(report),
    ...gapLines(report),
    ...block(
      TITLES.scope,
      scopeLines(report).map((line) => `- ${plainText(line)}`),
    ),
    ...block(TITLES.sources, sourceLines(report)),
  );
  return `${lines.join("\n").trimEnd()}\n`;
}

function block(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, "", ...lines, ""];
}

function claimText(claim: Claim, report: Report): string {
  const doubt = doubtOf(claim);
  return `${plainText(claim.text)} ${markersText(claim, report)}${doubt === null ? "" : ` **(${plainText(doubt)})**`}`;
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
    ...block(TITLES.none, none.length === 0 ? [NOTHING_MISSING] : none.map(gapLine)),
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
