// Writes the blocks of a page as HTML: sentences with their marks, lists, tables, excerpts, sources.
import { hexOf } from "../kernel/digest.ts";
import type { Quoting, Report } from "../run/report/report.ts";
import { statedText } from "../run/report/source.ts";
import { aboutStatement, byHand, marksHtml, placeHtml, type ConclusionNumbers } from "./html-card.ts";
import { quoteHtml, quotedHtml, tableHtml } from "./html-quote.ts";
import { bdi, escaped, escapedLines, foreign, languageClass, richText, withMarks } from "./html-text.ts";
import {
  blankBefore,
  FIRST_WORDS_LENGTH,
  type Excerpt,
  type Line,
  type PageBlock,
  type PageCell,
  type Sentence,
  type SourceEntry,
} from "./report-page.ts";
import { doubtOf, marksOf, placeOfGap } from "./report-view.ts";
import { counted } from "../kernel/counted.ts";
import type { CoverageMap, MapCell } from "./coverage-map.ts";
import { cut } from "./text-pieces.ts";
import { columnsSvg, dotsSvg } from "./map-dots.ts";

export function blockHtml(block: PageBlock, report: Report, numbers: ConclusionNumbers): string {
  switch (block.kind) {
    case "heading":
      return `<h${block.level}${foreign(block.text)}>${richText(block.text)}</h${block.level}>`;
    case "paragraph":
      return `<p dir="auto">${lineHtml(block.line, report, numbers)}</p>`;
    case "list": {
      const items = block.items.map((item) => {
        const box = item.checked === undefined ? "" : ` class="task"`;
        const id = item.gap === undefined ? "" : ` id="${placeOfGap(item.gap)}"`;
        return `<li dir="auto"${box}${id}>${lineHtml(item, report, numbers)}</li>`;
      });
      const tag = block.ordered ? "ol" : "ul";
      const start = block.start === undefined ? "" : ` start="${block.start}"`;
      return `<${tag}${start}>\n${items.join("\n")}\n</${tag}>`;
    }
    case "code": {
      const tails = block.sentences.map(({ resting }) => `${marksHtml(resting, report, numbers)}${doubtHtml(resting)}`);
      return `<div class="code"><pre tabindex="0"><code${languageClass(block.language)}>${escapedLines(block.text)}</code></pre>${tails.join("")}</div>`;
    }
    case "table": {
      const { caption, columns, rows } = block;
      const cellHtml = (cell: PageCell, at: number): string => {
        if (typeof cell !== "string") return `<td>${sentencesHtml(cell, report, numbers)}</td>`;
        const tag = at === 0 && cell !== "" ? `th scope="row"` : "td";
        return `<${tag}${foreign(cell)}>${richText(cell)}</${tag.slice(0, 2)}>`;
      };
      const title = caption === undefined ? "" : `<caption${foreign(caption)}>${richText(caption)}</caption>\n`;
      return tableHtml(
        columns.map(richText),
        rows.map((row) => row.map(cellHtml).join("")),
        title,
      );
    }
    case "excerpt":
      return excerptHtml(block, report);
    case "map":
      return mapHtml(block.map);
    case "sources":
      return `<ol class="sources">\n${block.entries.map(sourceItem).join("\n")}\n</ol>`;
  }
}

// --- sentences ----------------------------------------------------------------------------------------------------

function lineHtml({ gap, checked, lead, sentences, note }: Line, report: Report, numbers: ConclusionNumbers): string {
  const name = gap === undefined ? "" : `<span class="letter">${escaped(gap)}.</span> `;
  const box = checked === undefined ? "" : checkbox(checked);
  const label = `${box}${name}${lead === undefined ? "" : `<strong${foreign(lead)}>${richText(lead)}</strong> `}`;
  const more = note === undefined ? "" : `<div class="small" dir="auto">${richText(note)}</div>`;
  return `${label}${sentencesHtml(sentences, report, numbers)}${more}`;
}

function checkbox(checked: boolean): string {
  return `<input type="checkbox" disabled${checked ? " checked" : ""} aria-label="${checked ? "done" : "to do"}"> `;
}

function sentencesHtml(sentences: readonly Sentence[], report: Report, numbers: ConclusionNumbers): string {
  return sentences
    .map((one, at) => {
      const { text, resting } = one;
      const words = withMarks(text, marksHtml(resting, report, numbers));
      return `${at === 0 ? "" : blankBefore(one)}<span${foreign(text)}>${words}</span>${doubtHtml(resting)}`;
    })
    .join("");
}

function doubtHtml(statement: Quoting | null): string {
  const doubt = statement === null ? null : doubtOf(statement);
  return doubt === null ? "" : ` <span class="doubt">(${escaped(doubt)})</span>`;
}

// --- excerpts and sources -----------------------------------------------------------------------------------------

function excerptHtml({ statement, text, parts, lacks }: Excerpt, report: Report): string {
  const words = lacks.map((word) => escaped(word)).join(", ");
  const lacking = words === "" ? "" : ` <span class="lacks">lacks: ${words}</span>`;
  return `<figure class="excerpt"${aboutStatement(statement.statement_id)}>
${quotedHtml(text, parts)}
<figcaption>${marksOf(statement.quotes, report).map(placeHtml).join("; ")}${lacking}${doubtHtml(statement)}
${statement.quotes.map(byHand).join("\n")}</figcaption>
</figure>`;
}

/** A source with its quotes by their letters. Paper has no cards, so there a quote that the page does not show is whole. */
function sourceItem({ source, address, quotes }: SourceEntry): string {
  const { number, title, origin, source_digest } = source;
  const where =
    address === null ? `<code>${bdi(origin)}</code>` : `<a href="${Bun.escapeHTML(address)}">${bdi(origin)}</a>`;
  const stated = statedText(source);
  const date = stated === undefined ? "" : `, ${bdi(stated)}`;
  const items = quotes.map(({ mark, place, isShown, words }) => {
    const where = `<span class="letter">${mark.name}.</span> ${place === "" ? "" : `${bdi(place)}: `}`;
    const first = `<span${isShown ? "" : ` class="on-screen"`}${foreign(words)}>“${richText(cut(words, FIRST_WORDS_LENGTH))}”</span>`;
    const whole = isShown ? "" : `<div class="on-paper">${quoteHtml(mark.quote, [], origin)}</div>`;
    return `<li>${where}${first}${whole}</li>`;
  });
  return `<li id="source-${number}" value="${number}" data-source="${hexOf(source_digest)}"><span class="title"${foreign(title)}>${richText(title)}</span>
<div class="small"><div>${where}${date}</div><div><code>${source_digest}</code></div></div>${
    items.length === 0 ? "" : `\n<ul class="quotes">\n${items.join("\n")}\n</ul>`
  }</li>`;
}

// --- the map of coverage ------------------------------------------------------------------------------------------

const LEGEND =
  "By part of the question, the sources by their numbers: a dot is for claims that answer the part, a ring for claims that mention it; the larger, the more.";

/** A row of dots for each part of the question. */
export function mapHtml({ columns, rows }: CoverageMap): string {
  const lines = rows.map(({ text, cells }) => {
    const dots = dotsSvg(
      cells.map(({ answers }) => answers),
      cells.map(({ mentions }) => mentions),
      wordsOf(columns, cells),
    );
    return `<tr><th scope="row"${foreign(text)}>${richText(text)}</th><td>${dots}</td></tr>`;
  });
  return `<figure class="map">
<div class="wide" tabindex="0"><table>
<thead><tr><th scope="col">Part of the question</th><th scope="col">Sources${columnsSvg(columns)}</th></tr></thead>
<tbody>
${lines.join("\n")}
</tbody>
</table></div>
<figcaption>${LEGEND}</figcaption>
</figure>`;
}

/** `source 1: 3 claims; source 4: 1 mention` */
function wordsOf(columns: readonly string[], cells: readonly MapCell[]): string {
  const words = cells.flatMap(({ answers, mentions }, at) => {
    const name = columns[at] ?? "";
    const counts = [
      ...(answers === 0 ? [] : [counted(answers, "claim")]),
      ...(mentions === 0 ? [] : [counted(mentions, "mention")]),
    ];
    const source = name.startsWith("+") ? `${name.slice(1)} other sources` : `source ${name}`;
    return counts.length === 0 ? [] : [`${source}: ${counts.join(", ")}`];
  });
  return words.length === 0 ? "no source" : words.join("; ");
}
