// Takes the words of a heading out of its markup.

const MAX_LENGTH = 200;
/** A longer line is no heading. Each bracket may start a search for a link, so this bounds the work. */
const MAX_MARKUP_LENGTH = 1_000;

/** The heading without marks, badges, links, tags and emphasis. */
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
