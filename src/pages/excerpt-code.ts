// The code of an excerpt: what stands between fences, and the lines that its driver knows as code.
import type { Run } from "./excerpt-lines.ts";

export interface Span {
  start: number;
  end: number;
}

const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})/;
/** Nobody sets code in by more. */
const MAX_INDENT = 200;

export interface Code {
  /** How many lines it takes, with its fences. */
  length: number;
  /** The lines between the fences. */
  inner: readonly Span[];
  /** Cut out of a longer block: its first line has no fence before it. */
  isCut: boolean;
}

/** The code that begins with this line; null where none does. `known` are spans of code, whatever fences it has. */
export function codeAt(text: string, lines: readonly Span[], at: number, known: readonly Span[]): Code | null {
  const length = knownLength(lines, at, known) || fencedLength(text, lines, at);
  if (length === 0) return null;
  const own = lines.slice(at, at + length);
  const fence = fenceAt(text, own[0]);
  const begin = fence === undefined ? 0 : 1;
  const isClosed = length > begin && isEnd(text, own.at(-1), fence);
  return { length, inner: own.slice(begin, isClosed ? -1 : undefined), isCut: begin === 0 };
}

function knownLength(lines: readonly Span[], at: number, known: readonly Span[]): number {
  const line = lines[at];
  const code = line === undefined ? undefined : known.find(({ start, end }) => start < line.end && line.start < end);
  if (code === undefined) return 0;
  const end = lines.findIndex(({ start }) => start >= code.end);
  return (end === -1 ? lines.length : end) - at;
}

/** 0 where nothing stands between the fences. Code without an end goes on to the last line. */
function fencedLength(text: string, lines: readonly Span[], at: number): number {
  const fence = fenceAt(text, lines[at]);
  if (fence === undefined) return 0;
  const end = lines.findIndex((line, index) => index > at && isEnd(text, line, fence));
  const length = (end === -1 ? lines.length : end + 1) - at;
  return length > (end === -1 ? 1 : 2) ? length : 0;
}

function fenceAt(text: string, line: Span | undefined): string | undefined {
  return line === undefined ? undefined : FENCE.exec(lineOf(text, line))?.[1];
}

/** True for a fence without words that may end what begins with the given one, which is not known where code was cut. */
function isEnd(text: string, line: Span | undefined, fence = fenceAt(text, line)): boolean {
  if (line === undefined || fence === undefined) return false;
  const words = lineOf(text, line).trim();
  return words.startsWith(fence) && words.replaceAll(fence.charAt(0), "") === "";
}

export function lineOf(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}

/** Lines without the indent that all of them have. The first one lost so many blanks, for a quote begins with a word. */
export function outdented(lines: readonly Run[][], lost: number): Run[][] {
  const indents = lines.map((line) => /^\s*/u.exec(line.map(({ text }) => text).join(""))?.[0] ?? "");
  const blank = indents.some((indent) => indent.startsWith("\t")) ? "\t" : " ";
  const front = { text: blank.repeat(Math.min(lost, MAX_INDENT)), isMarked: false };
  const whole = lines.map((line, at) => (at === 0 ? [front, ...line] : line));
  const common = commonIndent(
    whole.map((line) => line.map(({ text }) => text).join("")).filter((line) => line.trim() !== ""),
  );
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
