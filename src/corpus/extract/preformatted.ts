// Reads preformatted text (`pre`): most is code, some is prose with lines that were wrapped in a file.
import { endsLikeProse, hasColumns, indentOf, lineGroups } from "../../kernel/line-groups.ts";
import { isElement, textOf, type DomElement, type DomNode } from "./dom.ts";
import { LIMITS } from "./limits.ts";

type Typed = { kind: "code" | "paragraph" | "item"; text: string } | { kind: "term"; terms: string[]; text: string };

/** Elements that mark code and output of programs. */
const CODE = new Set(["code", "samp", "kbd"]);
/** Elements that programs write around each line to number or colour it. */
const LINE = new Set(["div", "li", "p", "tr"]);
/** A text is prose if at least this share of its letters is in prose of several lines. */
const MIN_PROSE_SHARE = 0.5;
const BLANK_LINES = /\n(?:[^\S\n]*\n)+/;
/** A line of at least six words that neither ends a sentence nor holds a sign of code. */
const PLAIN_WORDS = /^\s*(?:[\p{L}\p{N},'"()-]{1,40}\s+){5,}[\p{L}\p{N}'"()-]{1,40}$/u;
const SIGNS_OF_CODE = /[\n{};=|$\\]/;
const MIN_WORDS_OF_SENTENCE = 5;
const BULLET = /^[-*+•]\s+/;
const MAX_TERMS = 3;
/** A term is shorter than this share of the longest line below. Else the text is a paragraph with a hanging indent. */
const MAX_TERM_SHARE = 0.6;
/** A term with its definition next to it. */
const TERM = /^[^\S\n]*(\S+(?: \S+)*)[^\S\n]{2,}(?=\S)/;

export function typedTextsIn(pre: DomElement, isLeftOut: (node: DomElement) => boolean): Typed[] {
  const text = linesOf(pre, isLeftOut)
    .replace(/\r\n?/g, "\n")
    .replace(/^(?:[^\S\n]*\n)+/, "")
    .trimEnd();
  const parts = withoutStrayBlanks(text.split(BLANK_LINES));
  const chunks = parts.map((chunk) => ({ chunk, texts: proseIn(chunk) }));
  const isProse = parts.every(isSentence) && pre.first(CODE) === null;
  if (isProse) return parts.map((chunk) => ({ kind: "paragraph", text: chunk.trim() }));
  const letters = chunks
    .filter(({ chunk, texts }) => texts !== null && chunk.includes("\n"))
    .reduce((sum, { chunk }) => sum + lettersIn(chunk), 0);
  if (letters === 0 || letters < MIN_PROSE_SHARE * lettersIn(text) || pre.first(CODE) !== null)
    return [{ kind: "code", text }];
  return joined(chunks.flatMap(({ chunk, texts }) => texts ?? [{ kind: "code", text: chunk }]));
}

/** True for one line that is one sentence. It needs no other line to distinguish it from code. */
function isSentence(chunk: string): boolean {
  const text = chunk.trim();
  if (!/^\p{Lu}/u.test(text) || !/[.!?]$/.test(text) || SIGNS_OF_CODE.test(text)) return false;
  return text.split(/\s+/).length >= MIN_WORDS_OF_SENTENCE;
}

/** A blank line in the middle of a sentence ends nothing. */
function withoutStrayBlanks(chunks: readonly string[]): string[] {
  const whole: string[] = [];
  for (const chunk of chunks) {
    const before = whole.at(-1);
    const last = before?.slice(before.lastIndexOf("\n") + 1) ?? "";
    const next = chunk.split("\n", 1)[0] ?? "";
    const isContinued = PLAIN_WORDS.test(last) && /^\s*\p{Ll}/u.test(next) && indentOf(last) === indentOf(next);
    if (before !== undefined && isContinued) whole[whole.length - 1] = `${before}\n${chunk}`;
    else whole.push(chunk);
  }
  return whole;
}

/** The text with its lines: `br` ends a line, and so do elements that are lines. */
function linesOf(root: DomElement, isLeftOut: (node: DomElement) => boolean): string {
  let text = "";
  let isBehindLine = false;
  const endLine = (): void => {
    if (text !== "" && !text.endsWith("\n")) text += "\n";
    isBehindLine = true;
  };
  const read = (node: DomNode, depth: number): void => {
    if (!isElement(node) || depth > LIMITS.elementDepth) {
      // The source may have a line end behind the element of a line, too.
      text += isBehindLine ? textOf(node).replace(/^\s*?\n/, "") : textOf(node);
      isBehindLine = false;
    }
    if (!isElement(node) || depth > LIMITS.elementDepth) return;
    const name = node.localName;
    if (name === "br") text += "\n";
    if (isLeftOut(node)) return;
    const isLine = LINE.has(name);
    if (isLine) endLine();
    for (const child of node.children) read(child, depth + 1);
    if (isLine) endLine();
  };
  for (const child of root.children) read(child, 0);
  return text;
}

/** The paragraphs, items and terms of a chunk without blank lines; null for code. */
function proseIn(chunk: string): Typed[] | null {
  const lines = chunk.split("\n");
  if (!lines.some(endsLikeProse)) return null;
  const meaning = meaningIn(lines);
  if (meaning !== null) return [meaning];
  const groups = lineGroups(lines);
  if (!groups.every(({ isWrapped }) => isWrapped)) return null;
  return groups.map(({ from, to }) => {
    const text = asOneLine(lines.slice(from, to));
    return BULLET.test(text) ? { kind: "item", text: text.replace(BULLET, "") } : { kind: "paragraph", text };
  });
}

/** A term whose definition is next to it or indented below it, with all its lines at one indent; null for other lines. */
function meaningIn(lines: readonly string[]): Typed | null {
  const [first = "", ...others] = lines;
  const [head = "", term = ""] = TERM.exec(first) ?? [];
  if (head !== "" && others.length > 0 && others.every((line) => indentOf(line) === head.length))
    return { kind: "term", terms: [term], text: asOneLine([first.slice(head.length), ...others]) };
  const below = lines.findIndex((line) => indentOf(line) > indentOf(first));
  const [terms, meaning] = [lines.slice(0, below), lines.slice(below)];
  const [block, ...more] = lineGroups(meaning);
  const isMeaning = below > 0 && below <= MAX_TERMS && meaning.length > 1 && block?.isWrapped === true;
  const width = Math.max(...meaning.map((line) => line.length));
  const mayBeTerm = (line: string): boolean =>
    line.length < MAX_TERM_SHARE * width && !endsLikeProse(line) && !hasColumns(line);
  if (!isMeaning || more.length > 0 || !terms.every(mayBeTerm)) return null;
  return { kind: "term", terms: terms.map((line) => line.trim()), text: asOneLine(meaning) };
}

function asOneLine(lines: readonly string[]): string {
  return lines.map((line) => line.trim()).join(" ");
}

function lettersIn(text: string): number {
  return text.match(/\S/g)?.length ?? 0;
}

/** Joins neighbouring chunks of code. */
function joined(texts: readonly Typed[]): Typed[] {
  const result: Typed[] = [];
  for (const one of texts) {
    const last = result.at(-1);
    if (last?.kind === "code" && one.kind === "code") last.text += `\n\n${one.text}`;
    else result.push({ ...one });
  }
  return result;
}
