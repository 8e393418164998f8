// Recognizes lines of reST that only programs read: `.. toctree::`, `.. _label:`, `   :maxdepth: 2`.

const DIRECTIVE = /^\s*\.\. (?:_[^:]*:|\|[^|]+\||[\w:+.-]+::)(?=\s|$)/;
/** A directive may be a note, whose text begins on the same line. */
const HOLDS_TEXT = /::\s+\S+\s+\S/;

/** True for a line that only programs read. */
export function isDirective(line: string): boolean {
  return DIRECTIVE.test(line) && (line.includes(".. _") || line.includes(".. |") || !HOLDS_TEXT.test(line));
}

/** An option of a directive, on a line below it. */
export const OPTION = /^\s+:[\w-]+:(?:\s|$)/;

/** The line of a note without the name of its directive. */
export function withoutDirectiveName(line: string): string {
  return DIRECTIVE.test(line) && !isDirective(line) ? line.replace(DIRECTIVE, "").trimStart() : line;
}
