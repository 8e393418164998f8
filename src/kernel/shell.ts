// Quotes words for sh, so that printed commands run as they stand.

/** The word as it is when nothing in it is special, else in single quotes. */
export function shellQuote(text: string): string {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Undoes `shellQuote`. */
export function shellUnquoted(word: string): string {
  return /^'.*'$/s.test(word) ? word.slice(1, -1).replaceAll("'\\''", "'") : word;
}
