// The report as one HTML file: no script, nothing loaded, and under each claim what it takes to check it.
import { claimsOf, type Report } from "../run/report.ts";
import { claimItem, claimId, refsOf, type ClaimNumbers } from "./report-html-claim.ts";
import { REPORT_STYLE } from "./report-html-style.ts";
import { bdi, escaped, foreign, richText } from "./report-html-text.ts";
import { comparisonsOf, gapsOf, placesIn, sectionsInOrder, type ComparisonView } from "./report-view.ts";
import {
  comparisonCaption,
  comparisonsNote,
  introductionOf,
  nothingMissing,
  partialLines,
  scopeLines,
  SPENT,
  STRENGTH_NOTE,
  strengthText,
  TITLES,
} from "./report-words.ts";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/**
 * Without a time, an id or a path of the run: equal reports give equal bytes. `spent` says what the version's metadata
 * knows and the report does not: what models used by then.
 */
export function reportHtml(report: Report, spent: string | null = null): string {
  const sections = sectionsInOrder(report);
  // Numbered as they are read, through all sections.
  const numbers: ClaimNumbers = new Map(sections.flatMap(({ claims }) => claims).map((claim, at) => [claim, at + 1]));
  const body = [
    `<h1${foreign(report.question)}>${richText(report.question)}</h1>`,
    partialBox(report),
    `<p class="lead">${escaped(introductionOf(report))}</p>`,
    ...sections.map((section) => claimSection(section, report, numbers)),
    comparisonSection(report, numbers),
    strengthSection(report),
    gapSections(report),
    part(TITLES.scope, `<ul>\n${madeLines(report, spent).map(listItem).join("\n")}\n</ul>`),
    part(TITLES.sources, sourceList(report, numbers)),
  ].filter((one) => one !== "");
  return `${head(report)}
<body>
<main>
${body.join("\n")}
</main>
</body>
</html>
`;
}

function head({ question }: Report): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(question)}</title>
<style>${REPORT_STYLE}</style>
</head>`;
}

function partialBox(report: Report): string {
  const lines = partialLines(report).map((line) => `<p dir="auto">${richText(line)}</p>`);
  return lines.length === 0 ? "" : `<div class="partial">\n${lines.join("\n")}\n</div>`;
}

function part(title: string, content: string): string {
  return content === "" ? "" : `<section>\n<h2>${escaped(title)}</h2>\n${content}\n</section>`;
}

function madeLines(report: Report, spent: string | null): string[] {
  return [...scopeLines(report), ...(spent === null ? [] : [`${SPENT}: ${spent}.`])];
}

function listItem(line: string): string {
  return `<li><span dir="auto">${richText(line)}</span></li>`;
}

// --- claims -------------------------------------------------------------------------------------------------------

function claimSection(
  { title, role, claims }: Report["sections"][number],
  report: Report,
  numbers: ClaimNumbers,
): string {
  const items = claims.map((claim) => claimItem(claim, report, numbers));
  return `<section${role === "answer" ? ' class="answer"' : ""}>
<h2${foreign(title)}>${richText(title)}</h2>
<ol class="claims">
${items.join("\n")}
</ol>
</section>`;
}

// --- tables -------------------------------------------------------------------------------------------------------

function comparisonSection(report: Report, numbers: ClaimNumbers): string {
  const views = comparisonsOf(report);
  if (views.length === 0) return "";
  const tables = views.map((view) => comparisonTable(view, report, numbers));
  const note = `<p class="note">${escaped(comparisonsNote(views))}</p>`;
  return part(TITLES.comparisons, `${note}\n<div class="compared">\n${tables.join("\n")}\n</div>`);
}

function comparisonTable(view: ComparisonView, report: Report, numbers: ClaimNumbers): string {
  const rows = view.sides.map(({ value, claim }) => {
    const link = `<a class="small back" href="#${claimId(claim, numbers)}">claim ${numbers.get(claim)}</a>`;
    const sentence = `<span${foreign(claim.text)}>${richText(claim.text)}</span> ${link}`;
    return `<tr><th scope="row" class="value"${foreign(value)}>${richText(value)}</th><td>${sentence}</td><td class="from">${refsOf(claim, report)}</td></tr>`;
  });
  const columns = [view.kind === "numbers" ? "Value" : "Says", "Sentence", "Source"];
  return table(comparisonCaption(view), columns, rows);
}

function strengthSection({ strengths = [] }: Report): string {
  if (strengths.length === 0) return "";
  const rows = strengths.map((strength) => {
    const { text, evidence } = strength;
    return `<tr><th scope="row"${foreign(text)}>${richText(text)}</th><td class="level ${evidence}">${evidence}</td><td dir="auto">${richText(strengthText(strength))}</td></tr>`;
  });
  return part(TITLES.strengths, table(STRENGTH_NOTE, ["Part of the question", "Evidence", "Counted"], rows));
}

function table(caption: string, columns: readonly string[], rows: readonly string[]): string {
  return `<table>
<caption>${escaped(caption)}</caption>
<thead><tr>${columns.map((column) => `<th scope="col">${column}</th>`).join("")}</tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>`;
}

// --- gaps and sources ---------------------------------------------------------------------------------------------

function gapSections(report: Report): string {
  const { weak, none } = gapsOf(report);
  const list = (gaps: Report["gaps"]): string => `<ul>\n${gaps.map(gapItem).join("\n")}\n</ul>`;
  return [
    part(TITLES.none, none.length === 0 ? `<p>${nothingMissing(report)}</p>` : list(none)),
    ...(weak.length === 0 ? [] : [part(TITLES.weak, list(weak))]),
  ].join("\n");
}

function gapItem({ text, reason }: Report["gaps"][number]): string {
  return `<li><div${foreign(text)}>${richText(text)}</div><div class="small" dir="auto">${richText(reason)}</div></li>`;
}

function sourceList(report: Report, numbers: ClaimNumbers): string {
  return `<ol class="sources">\n${report.sources.map((source) => sourceItem(source, report, numbers)).join("\n")}\n</ol>`;
}

function sourceItem(source: Report["sources"][number], report: Report, numbers: ClaimNumbers): string {
  const { number, title, origin, source_digest } = source;
  const places = placesIn(report, source);
  const quoted = places.length === 0 ? "" : `<div>Quoted: ${places.map(bdi).join("; ")}</div>`;
  const citing = claimsOf(report)
    .filter(({ quotes }) => quotes.some((quote) => quote.source_digest === source_digest))
    .sort((a, b) => (numbers.get(a) ?? 0) - (numbers.get(b) ?? 0))
    .map((claim) => `<a href="#${claimId(claim, numbers)}">${numbers.get(claim)}</a>`);
  const name = `<span class="title"${foreign(title)}>${richText(title)}</span>`;
  return `<li id="source-${number}" value="${number}">${name}
<div class="small"><div><code>${bdi(origin)}</code></div>${quoted}<div class="back">Claims: ${citing.join(", ")}</div><div><code>${source_digest}</code></div></div></li>`;
}
