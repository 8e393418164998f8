// Finds the code in an excerpt: the lines between fences, and the lines that a driver recorded as code.
import { languageIn } from "../kernel/code-language.ts";
import { textOf, type Run } from "./excerpt-lines.ts";

export interface Span {
  start: number;
  end: number;
}

const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})/;
/** Blanks in front of a line. Code is not indented further. */
const MAX_INDENT = 200;

export interface Code {
  /** In lines, with the fences. */
  length: number;
  /** The lines between the fences. */
  inner: readonly Span[];
  /** No fence is before its first line, so the quote may begin in the middle of that line. */
  isCut: boolean;
  /** As the fence before it names it. */
  language?: string;
}

/** The code that begins at this line, or null. `known`: spans that were recorded as code, with fences or without. */
export function codeAt(text: string, lines: readonly Span[], at: number, known: readonly Span[]): Code | null {
  const length = knownLength(lines, at, known) || fencedLength(text, lines, at);
  if (length === 0) return null;
  const own = lines.slice(at, at + length);
  const fence = fenceAt(text, own[0]);
  const begin = fence === undefined ? 0 : 1;
  const isClosed = length > begin && isEnd(text, own.at(-1), fence);
  const inner = own.slice(begin, isClosed ? -1 : undefined);
  return { length, inner, isCut: begin === 0, ...languageOf(text, own[0], fence) };
}

function knownLength(lines: readonly Span[], at: number, known: readonly Span[]): number {
  const line = lines[at];
  const code = line === undefined ? undefined : known.find(({ start, end }) => start < line.end && line.start < end);
  if (code === undefined) return 0;
  const end = lines.findIndex(({ start }) => start >= code.end);
  return (end === -1 ? lines.length : end) - at;
}

/** 0 when nothing is between the fences. Code without an end fence continues to the last line. */
function fencedLength(text: string, lines: readonly Span[], at: number): number {
  const fence = fenceAt(text, lines[at]);
  if (fence === undefined) return 0;
  const end = lines.findIndex((line, index) => index > at && isEnd(text, line, fence));
  const length = (end === -1 ? lines.length : end + 1) - at;
  return length > (end === -1 ? 1 : 2) ? length : 0;
}

function languageOf(text: string, line: Span | undefined, fence: string | undefined): { language?: string } {
  return line === undefined || fence === undefined ? {} : languageIn(lineOf(text, line).trim().slice(fence.length));
}

function fenceAt(text: string, line: Span | undefined): string | undefined {
  return line === undefined ? undefined : FENCE.exec(lineOf(text, line))?.[1];
}

/** True for a line that ends code. By default its own fence counts, since code that was cut has lost the fence it began with. */
function isEnd(text: string, line: Span | undefined, fence = fenceAt(text, line)): boolean {
  if (line === undefined || fence === undefined) return false;
  const words = lineOf(text, line).trim();
  return words.startsWith(fence) && words.replaceAll(fence.charAt(0), "") === "";
}

export function lineOf(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}

/** Removes the indent that all lines share. `lost`: the blanks before the first word, which a quote leaves out. */
export function outdented(lines: readonly Run[][], lost: number): Run[][] {
  const indents = lines.map((line) => /^\s*/u.exec(textOf(line))?.[0] ?? "");
  const blank = indents.some((indent) => indent.startsWith("\t")) ? "\t" : " ";
  const front = { text: blank.repeat(Math.min(lost, MAX_INDENT)), isMarked: false };
  const whole = lines.map((line, at) => (at === 0 ? [front, ...line] : line));
  const common = commonIndent(whole.map(textOf).filter((line) => line.trim() !== ""));
  return whole.map((line) => withoutFirst(line, common));
}

function commonIndent([first = "", ...others]: readonly string[]): number {
  const most = first.length - first.trimStart().length;
  return others.reduce((shared, line) => {
    let at = 0;
    while (at < shared && line[at] === first[at]) at++;
    return at;
  }, most);
}

function withoutFirst([run, ...others]: readonly Run[], length: number): Run[] {
  if (run === undefined) return [];
  const rest = { ...run, text: run.text.slice(length) };
  if (rest.text !== "") return [rest, ...others];
  return withoutFirst(others, Math.max(0, length - run.text.length));
}
