// Cuts a text at byte offsets, since quotes are spans of bytes.

/** What is before the span, in it, and behind it. */
export function markedText(text: string, start: number, end: number): [before: string, marked: string, after: string] {
  const bytes = new TextEncoder().encode(text);
  const part = (from: number, to?: number): string => new TextDecoder().decode(bytes.subarray(from, to));
  return [part(0, start), part(start, end), part(end)];
}
