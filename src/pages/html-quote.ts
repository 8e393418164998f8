// Writes a quote as HTML, laid out as in its source: lines, tables and code, with its marked sentences.
import { isVerbatim, type Quote } from "../run/report/source.ts";
import { partsOfQuote, type ExcerptPart } from "./excerpt-parts.ts";
import type { Run } from "./excerpt-lines.ts";
import { escapedLines, foreign, languageClass, richLine } from "./html-text.ts";
import { decodedText } from "../kernel/decoded-text.ts";

/** The texts of those sources that are known, by `source_digest`. */
export type SourceTexts = ReadonlyMap<string, Uint8Array>;

/** The paragraph with the quote marked in it. The quote alone when it is the whole paragraph, or the text is not known. */
export function quoteInParagraph(quote: Quote, origin: string, texts: SourceTexts): string {
  const text = texts.get(quote.source_digest);
  if (text === undefined || !isVerbatim(quote, text)) return quoteHtml(quote, [], origin);
  const { before, after } = paragraphAround(text, quote);
  if (before.trim() === "" && after.trim() === "") return quoteHtml(quote, [], origin);
  const start = quote.start - Buffer.byteLength(before);
  return quoteHtml({ ...quote, start, text: `${before}${quote.text}${after}` }, [quote], origin);
}

/** The most that is shown on each side of a quote. */
const MAX_BYTES = 600;
const BLANK_LINE = /\r?\n[^\S\n]*\r?\n/;

/** The rest of the paragraph of a span of bytes, before and behind it, each as far as a blank line. Longer text is cut between words. */
export function paragraphAround(
  text: Uint8Array,
  { start, end }: { start: number; end: number },
): { before: string; after: string } {
  const from = letterFrom(text, Math.max(0, start - MAX_BYTES));
  const to = letterFrom(text, Math.min(text.byteLength, end + MAX_BYTES));
  const [before = "", ...paragraphs] = decodedText(text.subarray(from, start)).split(BLANK_LINE);
  const [after = "", ...others] = decodedText(text.subarray(end, to)).split(BLANK_LINE);
  return {
    before: paragraphs.at(-1) ?? (from === 0 ? before : before.replace(/^\S*/, "…")),
    after: others.length > 0 || to === text.byteLength ? after : after.replace(/\S*$/, "…"),
  };
}

/** The first byte at or behind `at` that begins a character. */
function letterFrom(text: Uint8Array, at: number): number {
  let first = at;
  while (((text[first] ?? 0) & 0xc0) === 0x80) first++;
  return first;
}

/** `marks`: byte spans of the source. `origin`: that of the source. */
export function quoteHtml(quote: Quote, marks: readonly { start: number; end: number }[], origin: string): string {
  return quotedHtml(quote.text, partsOfQuote(quote, marks, origin));
}

export function quotedHtml(text: string, parts: readonly ExcerptPart[]): string {
  return `<blockquote${foreign(text)}>\n${parts.map(partHtml).join("\n")}\n</blockquote>`;
}

function partHtml(part: ExcerptPart): string {
  switch (part.kind) {
    case "lines":
      return `<p class="lines">${part.lines.map((line) => lineHtml(line, richLine)).join("\n")}</p>`;
    case "table": {
      const [header = [], ...rows] = part.rows.map((row) => row.map((cell) => lineHtml(cell, richLine)));
      return tableHtml(
        header,
        rows.map((row) => row.map((cell) => `<td>${cell}</td>`).join("")),
      );
    }
    case "code":
      return `<pre tabindex="0"><code${languageClass(part.language)}>${part.lines.map((line) => lineHtml(line, escapedLines)).join("\n")}</code></pre>`;
  }
}

function lineHtml(line: readonly Run[], html: (text: string) => string): string {
  return line.map(({ text, isMarked }) => (isMarked ? `<mark>${html(text)}</mark>` : html(text))).join("");
}

/** A narrow screen scrolls the table. `columns` are HTML, and each of `rows` is the HTML of its cells. */
export function tableHtml(columns: readonly string[], rows: readonly string[], caption = ""): string {
  return `<div class="wide" tabindex="0"><table>
${caption}<thead><tr>${columns.map((column) => `<th scope="col">${column}</th>`).join("")}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${row}</tr>`).join("\n")}
</tbody>
</table></div>`;
}
