// Makes one HTML file of a report. It has no script, loads nothing, and shows behind each mark how to check it.
import type { Report } from "../run/report/report.ts";
import { blockHtml } from "./html-blocks.ts";
import { cardsOf, conclusionNumbers } from "./html-card.ts";
import type { SourceTexts } from "./html-quote.ts";
import { escaped, foreign, richText } from "./html-text.ts";
import { pageOf, type PageSection } from "./report-page.ts";
import { legendOf, TITLES } from "./report-words.ts";
import baseStyle from "./base.css" with { type: "text" };
import reportStyle from "./report.css" with { type: "text" };
import sheetStyle from "./sheet.css" with { type: "text" };

const POLICY = "default-src 'none'; style-src 'unsafe-inline'";
const MIN_SECTIONS_FOR_CONTENTS = 3;

/**
 * Equal reports give equal bytes, because no time, id or path of the run is written unless `timeline` is given. `spent`: what
 * the models used, as text, which only the metadata of the version knows. `texts`: with the text of a source, cards show its
 * quotes in their paragraphs. `timeline`: HTML.
 */
export function reportHtml(
  report: Report,
  spent: string | null = null,
  texts: SourceTexts = new Map(),
  timeline = "",
): string {
  return `${head(pageOf(report, spent).title)}
<body>
<main>
${reportBody(report, spent, texts)}${timeline === "" ? "" : `\n<section>\n<h2>${TITLES.timeline}</h2>\n${timeline}\n</section>`}
</main>
</body>
</html>
`;
}

/** The page without the head and the style of a file. */
export function reportBody(report: Report, spent: string | null, texts: SourceTexts): string {
  const { title, warnings, sections: own, further, ...marks } = pageOf(report, spent);
  const numbers = conclusionNumbers(report);
  const sections = [...own, ...further];
  const shown = sections.map(({ blocks, ...section }, at) =>
    sectionHtml(section, at, blocks.map((block) => blockHtml(block, report, numbers)).join("\n")),
  );
  // The contents are behind the answers.
  const leading = Math.max(1, own.findLastIndex(({ role }) => role === "answer") + 1);
  const isLong = own.filter((section) => section.title !== null).length >= MIN_SECTIONS_FOR_CONTENTS;
  const legend = legendOf(marks);
  return [
    `<h1${foreign(title)}>${richText(title)}</h1>`,
    warningBox(warnings),
    ...shown.slice(0, leading),
    isLong ? contents(sections) : "",
    ...shown.slice(leading, own.length),
    legend.length === 0 ? "" : `<p class="note">${escaped(legend.join(" "))}</p>`,
    ...shown.slice(Math.max(leading, own.length)),
    ...cardsOf(report, numbers, texts),
  ]
    .filter((one) => one !== "")
    .join("\n");
}

/** For wide and narrow screens, light and dark, and paper. It loads nothing. */
const STYLE = `\n${baseStyle}${reportStyle}${sheetStyle}`;

function head(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>`;
}

function warningBox(warnings: readonly string[]): string {
  const lines = warnings.map((line) => `<p dir="auto">${richText(line)}</p>`);
  return lines.length === 0 ? "" : `<div class="partial">\n${lines.join("\n")}\n</div>`;
}

function sectionHtml({ title, role }: Omit<PageSection, "blocks">, at: number, content: string): string {
  const heading = title === null ? "" : `<h2${foreign(title)}>${richText(title)}</h2>\n`;
  return `<section id="part-${at + 1}"${role === undefined ? "" : ` class="${role}"`}>\n${heading}${content}\n</section>`;
}

function contents(sections: readonly PageSection[]): string {
  const items = sections.flatMap(({ title }, at) =>
    title === null ? [] : [`<li><a href="#part-${at + 1}"${foreign(title)}>${richText(title)}</a></li>`],
  );
  return `<nav aria-label="Contents">\n<ol>\n${items.join("\n")}\n</ol>\n</nav>`;
}
