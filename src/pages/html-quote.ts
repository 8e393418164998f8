// A quote in HTML, laid out as in its source: lines, tables and code, with its marked sentences.
import { isVerbatim, type Quote } from "../run/source.ts";
import { partsOfQuote, type ExcerptPart, type Run } from "./excerpt-parts.ts";
import { paragraphAround } from "./paragraph-around.ts";
import { escapedLines, foreign, richLine } from "./html-text.ts";

/** The texts of sources, by their digest, as far as they are known. */
export type SourceTexts = ReadonlyMap<string, Uint8Array>;

/** The quote, marked in its paragraph; alone where it is the whole paragraph, or where the text is not known. */
export function quoteInParagraph(quote: Quote, origin: string, texts: SourceTexts): string {
  const text = texts.get(quote.source_digest);
  if (text === undefined || !isVerbatim(quote, text)) return quoteHtml(quote, [], origin);
  const { before, after } = paragraphAround(text, quote);
  if (before.trim() === "" && after.trim() === "") return quoteHtml(quote, [], origin);
  const start = quote.start - Buffer.byteLength(before);
  return quoteHtml({ ...quote, start, text: `${before}${quote.text}${after}` }, [quote], origin);
}

/** `origin` is that of its source. */
export function quoteHtml(quote: Quote, marks: readonly { start: number; end: number }[], origin: string): string {
  const parts = partsOfQuote(quote, marks, origin).map(partHtml);
  return `<blockquote${foreign(quote.text)}>\n${parts.join("\n")}\n</blockquote>`;
}

function partHtml(part: ExcerptPart): string {
  switch (part.kind) {
    case "lines":
      return `<p class="lines">${part.lines.map((line) => lineHtml(line, richLine)).join("\n")}</p>`;
    case "table":
      return tableHtml(part.rows);
    case "code":
      return `<pre tabindex="0"><code>${part.lines.map((line) => lineHtml(line, escapedLines)).join("\n")}</code></pre>`;
  }
}

function tableHtml([header = [], ...rows]: readonly Run[][][]): string {
  const cells = (row: readonly Run[][], tag: string): string =>
    row.map((cell) => `<${tag}>${lineHtml(cell, richLine)}</${tag.split(" ", 1)[0]}>`).join("");
  return `<div class="wide" tabindex="0"><table>
<thead><tr>${cells(header, 'th scope="col"')}</tr></thead>
<tbody>
${rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n")}
</tbody>
</table></div>`;
}

function lineHtml(line: readonly Run[], html: (text: string) => string): string {
  return line.map(({ text, isMarked }) => (isMarked ? `<mark>${html(text)}</mark>` : html(text))).join("");
}
