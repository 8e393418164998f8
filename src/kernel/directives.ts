// Recognizes lines of reST that are for programs: `.. toctree::`, `.. _label:`, `   :maxdepth: 2`.

const DIRECTIVE = /^\s*\.\. (?:_[^:]*:|\|[^|]+\||[\w:+.-]+::)(?=\s|$)/;
/** A directive may be a note, whose text begins behind it. */
const HOLDS_TEXT = /::\s+\S+\s+\S/;

/** A line of words for a program alone. */
export function isDirective(line: string): boolean {
  return DIRECTIVE.test(line) && (line.includes(".. _") || line.includes(".. |") || !HOLDS_TEXT.test(line));
}

/** Stands below a directive. */
export const OPTION = /^\s+:[\w-]+:(?:\s|$)/;

/** A note with its text alone. */
export function withoutDirectiveName(line: string): string {
  return DIRECTIVE.test(line) && !isDirective(line) ? line.replace(DIRECTIVE, "").trimStart() : line;
}
