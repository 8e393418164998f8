// Puts a mark where a Word document has something that cannot be read inside of its text, and takes hidden text out.
import { EMBEDDED_DOCUMENT } from "./unread-parts.ts";

const MARKS: readonly { open: string; close: string; marked: (inside: string) => string }[] = [
  { open: "<m:oMathPara>", close: "</m:oMathPara>", marked: () => runOf("[formula]") },
  { open: "<m:oMath>", close: "</m:oMath>", marked: () => runOf("[formula]") },
  { open: "<w:object", close: "</w:object>", marked: (inside) => textIn("[object]", inside) },
  { open: "<w:drawing>", close: "</w:drawing>", marked: drawn },
  { open: "<w:r>", close: "</w:r>", marked: seen },
  { open: "<w:r ", close: "</w:r>", marked: seen },
];
const HIDDEN =
  /^<w:r\b[^>]*>\s*<w:rPr>(?:(?!<\/w:rPr>)[^])*?<w:(?:vanish|webHidden)(?:\/>|\s(?!w:val="(?:0|false|off)")[^>]*>)/;
/** Fields whose result people see. Entries of an index have none, and are not seen. */
const SHOWN_FIELD = /^\s*(?:(EQ)|=|PAGE|NUMPAGES|PAGEREF|REF|SEQ|DATE|TIME|DOCPROPERTY|MERGEFIELD|FORMULA)/;
/** A paragraph of nothing but marks is not a sentence. */
const MARKS_ALONE = /<p>(?:\s|\[(?:formula|object|picture|chart|diagram|field)\]){1,40}<\/p>/g;

export function withMarks(xml: string): string {
  return MARKS.reduce(
    (marked, { open, close, ...rule }) => replacedBetween(marked, open, close, rule.marked),
    withFields(withEmbedded(xml)),
  );
}

/** `html`: of the whole document, as the converter wrote it. */
export function withPictures(html: string): string {
  return html.replace(/<img\b[^>]{0,2000}>/g, "[picture]").replace(MARKS_ALONE, "");
}

/** Another file is inserted where it is named (altChunk), in any format, or as a document that belongs to this one (subDoc). */
function withEmbedded(xml: string): string {
  const mark = runOf(EMBEDDED_DOCUMENT);
  return xml
    .replace(/<w:altChunk\b[^>]{0,500}>/g, `<w:p>${mark}</w:p>`)
    .replaceAll("</w:altChunk>", "")
    .replace(/<w:subDoc\b[^>]{0,500}\/>/g, mark);
}

function runOf(mark: string): string {
  return `<w:r>${textOf(mark)}</w:r>`;
}

function textOf(mark: string): string {
  return `<w:t xml:space="preserve">${mark}</w:t>`;
}

/** Text boxes are read. */
function textIn(mark: string, inside: string): string {
  return inside.includes("<w:txbxContent") ? inside : textOf(mark);
}

function drawn(inside: string): string {
  if (/<c:chart\b/.test(inside)) return textOf("[chart]");
  return /<dgm:relIds\b/.test(inside) ? textOf("[diagram]") : inside;
}

function seen(run: string): string {
  return HIDDEN.test(run.slice(0, 2_000)) ? "" : run;
}

/** Each stretch from an opening to the next closing tag, unless another one of its kind opens in it. */
function replacedBetween(xml: string, open: string, close: string, replace: (inside: string) => string): string {
  const parts: string[] = [];
  let done = 0;
  for (let at = xml.indexOf(open); at !== -1;) {
    const end = xml.indexOf(close, at);
    if (end === -1) break;
    const from = xml.lastIndexOf(open, end);
    parts.push(xml.slice(done, from), replace(xml.slice(from, end + close.length)));
    done = end + close.length;
    at = xml.indexOf(open, done);
  }
  return parts.join("") + xml.slice(done);
}

/** A field between its two signs without a third one has no result. */
function withFields(xml: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { index, 0: begin } of xml.matchAll(/<w:fldChar\b[^>]{0,200}w:fldCharType="begin"[^>]{0,200}\/>/g)) {
    const next = xml.indexOf("<w:fldChar ", index + begin.length);
    if (next === -1 || !/^<w:fldChar [^>]{0,200}"end"/.test(xml.slice(next, next + 300))) continue;
    const code = xml.slice(index, next).match(/<w:instrText[^>]{0,200}>[^<]*/g) ?? [];
    const shown = SHOWN_FIELD.exec(code.map((one) => one.replace(/^[^>]*>/, "")).join(""));
    if (shown === null) continue;
    parts.push(xml.slice(done, index), textOf(shown[1] === undefined ? "[field]" : "[formula]"));
    done = index;
  }
  return parts.join("") + xml.slice(done);
}
