// Cuts a text into lines with their offsets.

/** A longer line is a paragraph, whatever it resembles: it was not written by hand, and rules over it would take long. */
export const MAX_LINE_LENGTH = 20_000;

/** `start` is a string offset; `text` is the line without its end. */
export interface Line {
  start: number;
  text: string;
}

/** Line ends are LF, CR LF and CR. */
export function* linesOf(text: string): Generator<Line, undefined> {
  let start = 0;
  while (start < text.length) {
    let end = start;
    while (end < text.length && text.charCodeAt(end) !== LF && text.charCodeAt(end) !== CR) end++;
    yield { start, text: text.slice(start, end) };
    start = text.charCodeAt(end) === CR && text.charCodeAt(end + 1) === LF ? end + 2 : end + 1;
  }
}

const LF = 0x0a;
const CR = 0x0d;
