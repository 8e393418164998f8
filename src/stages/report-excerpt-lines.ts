// Lines of an excerpt as they are read: prose that was wrapped by its file is one line again, and the text of a Markdown
// file has no signs for links and emphasis.
import type { Run } from "./report-excerpt.ts";

const MARKDOWN_FILE = /\.(md|markdown|mdx)$/i;
/** Code is left as it is; of a link its words are kept, and of what is bold. */
const MARKUP =
  /(`+)[^`]+\1|!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\([^()\s]*(?:\s+"[^"]*")?\)|(\*\*|__)(?=\S)(.{1,500}?)(?<=\S)\3/g;

export function withoutMarkup(text: string, origin: string): string {
  if (!MARKDOWN_FILE.test(origin)) return text;
  return text.replace(MARKUP, (all: string, _code?: string, link?: string, _sign?: string, bold?: string) => {
    const words = link ?? bold;
    return words === undefined ? all : withoutMarkup(words, origin);
  });
}

/** Below it a line is short because its author ended it. */
const MIN_WIDTH = 50;
const BEGINS_ANEW = /^\s*(?:[-*+•:>#|]|\d+[.)])\s|^\s*[-*+•>#|]/;

/** Joins the lines of which each is as full as the width of all allows; others stay, as in code, lists and addresses. */
export function unwrapped(lines: readonly Run[][]): Run[][] {
  const width = Math.max(...lines.map((line) => textOf(line).trimEnd().length));
  return paragraphsIn(lines).flatMap((own) => (width >= MIN_WIDTH && isWrapped(own, width) ? [joined(own)] : own));
}

/** Cut where a line begins anew: items of lists, terms, quotations. */
function paragraphsIn(lines: readonly Run[][]): Run[][][] {
  const paragraphs: Run[][][] = [];
  for (const line of lines) {
    const last = paragraphs.at(-1);
    if (last === undefined || BEGINS_ANEW.test(textOf(line))) paragraphs.push([line]);
    else last.push(line);
  }
  return paragraphs;
}

/** No line but the last had room for the first word of the next one. */
function isWrapped(lines: readonly Run[][], width: number): boolean {
  return lines.every((line, at) => {
    const next = lines[at + 1];
    if (next === undefined) return true;
    const [word = ""] = textOf(next).trim().split(/\s/, 1);
    return textOf(line).trimEnd().length + 1 + word.length > width;
  });
}

/** The blank that takes the place of a line end is marked where both its neighbours are. */
function joined([first = [], ...others]: readonly Run[][]): Run[] {
  return others.reduce((runs, line) => {
    const own = trimmedStart(line);
    const isMarked = runs.at(-1)?.isMarked === true && own[0]?.isMarked === true;
    return merged([...runs, { text: " ", isMarked }, ...own]);
  }, first);
}

function trimmedStart([first, ...others]: readonly Run[]): Run[] {
  if (first === undefined) return [];
  const text = first.text.trimStart();
  return text === "" ? trimmedStart(others) : [{ ...first, text }, ...others];
}

/** Neighbours that are both marked, or both not, are one. */
function merged(runs: readonly Run[]): Run[] {
  const distinct: Run[] = [];
  for (const run of runs) {
    const last = distinct.at(-1);
    if (last?.isMarked === run.isMarked) distinct[distinct.length - 1] = { ...run, text: last.text + run.text };
    else distinct.push(run);
  }
  return distinct;
}

function textOf(line: readonly Run[]): string {
  return line.map(({ text }) => text).join("");
}
