// The lines of a text with their offsets, one at a time.

/** Nobody writes such lines by hand: they are plain paragraphs, whatever they look like. */
export const MAX_LINE_LENGTH = 20_000;

/** `start` and `end` are string offsets; the line end is not part of the line, `next` lies behind it. */
export interface Line {
  start: number;
  end: number;
  next: number;
  text: string;
}

/** Line ends are LF, CR LF and CR. */
export function* linesOf(text: string): Generator<Line> {
  let start = 0;
  while (start < text.length) {
    let end = start;
    while (end < text.length && text.charCodeAt(end) !== LF && text.charCodeAt(end) !== CR) end++;
    const next =
      text.charCodeAt(end) === CR && text.charCodeAt(end + 1) === LF ? end + 2 : Math.min(end + 1, text.length);
    yield { start, end, next, text: text.slice(start, end) };
    start = next;
  }
}

const LF = 0x0a;
const CR = 0x0d;
