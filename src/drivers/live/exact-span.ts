// Finds a quote in the bytes of a source: exactly, or where most of its words stand together.
import { wordsOf } from "../../corpus/terms.ts";

const MIN_SHARE = 0.5;

/** The byte span of the first place where the text stands, byte for byte. */
export function spanOf(source: Uint8Array, text: string): { start: number; end: number } | null {
  const wanted = Buffer.from(text);
  const start = Buffer.from(source.buffer, source.byteOffset, source.byteLength).indexOf(wanted);
  return start < 0 ? null : { start, end: start + wanted.byteLength };
}

/** The piece of the source, cut at line ends, that shares most of the quote's words; null when none shares half. */
export function nearestSpan(source: string, quote: string): string | null {
  const wanted = new Set(wordsOf(quote));
  let best: { text: string; share: number } | null = null;
  for (const line of source.split(/\n+/)) {
    const words = new Set(wordsOf(line));
    const share = wanted.size === 0 ? 0 : wanted.intersection(words).size / wanted.size;
    if (share >= MIN_SHARE && share > (best?.share ?? 0)) best = { text: line.trim(), share };
  }
  return best?.text ?? null;
}
