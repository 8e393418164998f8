// The words of a heading, without its markup.

const MAX_LENGTH = 200;
/** A longer line is no heading. Each bracket may start the search for a link, so the length bounds the work. */
const MAX_MARKUP_LENGTH = 1_000;

/** The words of a heading line or underlined heading: marks, badges, links, tags and emphasis taken off. */
export function headingText(raw: string): string {
  const firstLine = raw.slice(0, MAX_MARKUP_LENGTH).split(/\r\n|\r|\n/, 1)[0] ?? "";
  const plain = firstLine
    .replace(/^\uFEFF?\s*(#{1,6}|={1,6}(?=\s+[^\s=].*\p{L}))\s*/u, "")
    .trimEnd()
    .replace(/(?<=\s)(#+|=+)$/, "")
    .replace(/\[!\[[^[\]]*\]\([^)]*\)\]\([^)]*\)/g, "")
    .replace(/!\[[^[\]]*\](\([^)]*\)|\[[^[\]]*\])/g, "")
    .replace(/\[([^[\]]*)\](\([^)]*\)|\[[^[\]]*\])/g, "$1")
    .replace(/<[^<>]*>/g, "")
    // Roles of reST: :mod:`os`.
    .replace(/:[a-z][\w+.-]{0,40}:(?=`)/g, "")
    .replace(/[*`]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, "")
    .replace(/\p{Cc}+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return plain.slice(0, MAX_LENGTH).toWellFormed();
}
