// The report as one HTML file: no script, nothing loaded, and behind each mark what it takes to check it.
import type { Report } from "../run/report.ts";
import { blockSections, type PageSection } from "./html-blocks.ts";
import { cardsOf, claimNumbers } from "./html-card.ts";
import { quoteHtml, type SourceTexts } from "./html-quote.ts";
import { REPORT_STYLE } from "./html-style.ts";
import { bdi, escaped, foreign, richText } from "./html-text.ts";
import {
  fullPlaceOf,
  gapsOf,
  placesIn,
  quotesBehind,
  reasonOf,
  webAddressOf,
  type ReportSource,
} from "./report-view.ts";
import { coverageTable, legendOf, madeLines, partialLines, SPENT, TITLES, unreadLines } from "./report-words.ts";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'";
const MIN_SECTIONS_FOR_CONTENTS = 3;

/**
 * Without a time, an id or a path of the run: equal reports give equal bytes. `spent` says what the version's metadata
 * knows and the report does not: what models used by then. Where the texts of sources are given, cards show their quotes in
 * their paragraphs.
 */
export function reportHtml(report: Report, spent: string | null = null, texts: SourceTexts = new Map()): string {
  const numbers = claimNumbers(report);
  const title = report.title ?? report.question;
  const own = blockSections(report, numbers);
  const sections = [...own, ...furtherSections(report, spent)];
  const shown = sections.map(sectionHtml);
  // What stands before the contents: the answers, which come first.
  const leading = Math.max(1, own.findLastIndex(({ role }) => role === "answer") + 1);
  const isLong = own.filter((section) => section.title !== null).length >= MIN_SECTIONS_FOR_CONTENTS;
  const body = [
    `<h1${foreign(title)}>${richText(title)}</h1>`,
    warningBox(report),
    ...shown.slice(0, leading),
    // A wide screen shows it beside the page.
    isLong ? contents(sections) : "",
    ...shown.slice(leading, own.length),
    legend(report),
    ...shown.slice(Math.max(leading, own.length)),
    ...cardsOf(report, numbers, texts),
  ].filter((one) => one !== "");
  return `${head(title)}
<body>
<main>
${body.join("\n")}
</main>
</body>
</html>
`;
}

function head(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${REPORT_STYLE}</style>
</head>`;
}

function warningBox(report: Report): string {
  const lines = [...partialLines(report), ...unreadLines(report)].map((line) => `<p dir="auto">${richText(line)}</p>`);
  return lines.length === 0 ? "" : `<div class="partial">\n${lines.join("\n")}\n</div>`;
}

function sectionHtml({ title, role, content }: PageSection, at: number): string {
  const heading = title === null ? "" : `<h2${foreign(title)}>${richText(title)}</h2>\n`;
  return `<section id="part-${at + 1}"${role === undefined ? "" : ` class="${role}"`}>\n${heading}${content}\n</section>`;
}

function contents(sections: readonly PageSection[]): string {
  const items = sections.flatMap(({ title }, at) =>
    title === null ? [] : [`<li><a href="#part-${at + 1}"${foreign(title)}>${richText(title)}</a></li>`],
  );
  return `<nav aria-label="Contents">\n<ol>\n${items.join("\n")}\n</ol>\n</nav>`;
}

function legend(report: Report): string {
  const sentences = legendOf(report);
  return sentences.length === 0 ? "" : `<p class="note">${escaped(sentences.join(" "))}</p>`;
}

// --- behind the blocks --------------------------------------------------------------------------------------------

function furtherSections(report: Report, spent: string | null): PageSection[] {
  const { none, weak } = gapsOf(report);
  const made = [...madeLines(report), ...(spent === null ? [] : [`${SPENT}: ${spent}.`])];
  const parts: [string, string][] = [
    [TITLES.none, list(none.map(gapItem))],
    [TITLES.weak, list(weak.map(gapItem))],
    [TITLES.remarks, list((report.made.remarks ?? []).map(listItem))],
    [TITLES.coverage, report.parts.length > 0 ? coverageHtml(report) : ""],
    [TITLES.made, list(made.map(listItem))],
    [TITLES.sources, `<ol class="sources">\n${report.sources.map((one) => sourceItem(one, report)).join("\n")}\n</ol>`],
  ];
  return parts.flatMap(([title, content]) => (content === "" ? [] : [{ title, content }]));
}

function list(items: readonly string[]): string {
  return items.length === 0 ? "" : `<ul>\n${items.join("\n")}\n</ul>`;
}

function listItem(line: string): string {
  return `<li><span dir="auto">${richText(line)}</span></li>`;
}

function gapItem(gap: Report["gaps"][number]): string {
  const reason = reasonOf(gap);
  const why = reason === null ? "" : `<div class="small" dir="auto">${richText(reason)}</div>`;
  return `<li><div${foreign(gap.text)}>${richText(gap.text)}</div>${why}</li>`;
}

function coverageHtml(report: Report): string {
  const { columns, rows } = coverageTable(report);
  const lines = rows.map(([part = "", ...cells]) => {
    const others = cells.map((cell) => `<td dir="auto">${richText(cell)}</td>`);
    return `<tr><th scope="row"${foreign(part)}>${richText(part)}</th>${others.join("")}</tr>`;
  });
  return `<div class="wide" tabindex="0"><table>
<thead><tr>${columns.map((column) => `<th scope="col">${column}</th>`).join("")}</tr></thead>
<tbody>
${lines.join("\n")}
</tbody>
</table></div>`;
}

/** On paper no card opens: there the quotes behind other words stand below their source. */
function sourceItem(source: ReportSource, report: Report): string {
  const { number, title, origin, source_digest } = source;
  const address = webAddressOf(source);
  const where =
    address === null ? `<code>${bdi(origin)}</code>` : `<a href="${Bun.escapeHTML(address)}">${bdi(origin)}</a>`;
  const places = placesIn(report, source);
  const quoted = places.length === 0 ? "" : `<div>Quoted: ${places.map(bdi).join("; ")}</div>`;
  const quotes = quotesBehind(report, source).map((quote) => {
    const place = fullPlaceOf(quote, source);
    return `<li>${place === "" ? "" : `<div class="small">${bdi(place)}</div>`}${quoteHtml(quote, [], origin)}</li>`;
  });
  return `<li id="source-${number}" value="${number}"><span class="title"${foreign(title)}>${richText(title)}</span>
<div class="small"><div>${where}</div>${quoted}<div><code>${source_digest}</code></div></div>${
    quotes.length === 0 ? "" : `\n<ul class="on-paper">\n${quotes.join("\n")}\n</ul>`
  }</li>`;
}
