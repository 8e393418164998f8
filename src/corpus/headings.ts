// What a heading says without its markup, and what a document is called.

const MAX_TITLE_LENGTH = 200;
/** A longer line is no heading. Each bracket may start the search for a link, so the length bounds the work. */
const MAX_MARKUP_LENGTH = 1_000;

/** The words of a heading line or underlined heading: marks, badges, links, tags and emphasis taken off. */
export function headingText(raw: string): string {
  const firstLine = raw.slice(0, MAX_MARKUP_LENGTH).split(/\r\n|\r|\n/, 1)[0] ?? "";
  const plain = firstLine
    .replace(/^\uFEFF?\s*#{1,6}\s*/, "")
    .trimEnd()
    .replace(/(?<=\s)#+$/, "")
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
  return plain.slice(0, MAX_TITLE_LENGTH).toWellFormed();
}

/** The name of a document that has no heading: a readme is called by its folder, anything else by its file. */
export function nameOfDocument(corpusName: string, path: string): string {
  const parts = path.split("/");
  const file = parts.at(-1) ?? path;
  if (!/^(readme|index)(\.[a-z]+)?$/i.test(file)) return file.slice(0, MAX_TITLE_LENGTH).toWellFormed();
  const folder = parts.at(-2) ?? corpusName;
  // A scoped package is called by both of its folders.
  const scope = parts.at(-3);
  const name = scope?.startsWith("@") ? `${scope}/${folder}` : folder;
  return name.slice(0, MAX_TITLE_LENGTH).toWellFormed();
}
