// Cuts a page in Markdown into tokens. Pages that would make the parser slow or deep are changed before.
import { lexer, type Token } from "marked";

/** Longer lines are cut at a space, since reading a line takes the square of its length. */
const MAX_LINE_LENGTH = 4_000;
const MAX_ROW_LENGTH = 20_000;

export function tokensOf(text: string): Token[] {
  const lines = text.split("\n").flatMap(brokenLine);
  try {
    return lexer(lines.join("\n"));
  } catch {
    // With thousands of nested quotations the parser fails, so the page is read as plain lines.
    return lexer(lines.map((line) => line.replace(/^[\s>*+#-]+/u, "")).join("\n"));
  }
}

/** The line in pieces, with runs of one sign and nested quotations shortened, since the parser recurses at each. */
function brokenLine(line: string): string[] {
  const calm = line
    .replace(/^(?:\s*>){4,}/u, "> > >")
    .replace(/^(?:\s*[-*+]\s){4,}/u, "- - - ")
    .replace(/([^\p{L}\p{N}\s|:-])\1{20,}/gu, (run) => run.slice(0, 20));
  if (calm.length <= (calm.trimStart().startsWith("|") ? MAX_ROW_LENGTH : MAX_LINE_LENGTH)) return [calm];
  const pieces: string[] = [];
  for (let from = 0; from < calm.length;) {
    const space = calm.lastIndexOf(" ", from + MAX_LINE_LENGTH);
    const most = wholeUntil(calm, from + MAX_LINE_LENGTH);
    const end = calm.length - from <= MAX_LINE_LENGTH ? calm.length : space > from ? space : most;
    pieces.push(calm.slice(from, end), "");
    from = end;
  }
  return pieces;
}

/** `at`, or one less when a character of two units would be cut there. */
export function wholeUntil(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}
