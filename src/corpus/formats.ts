// Tells the format of a document by its name: how text is taken from its bytes, and how that text is cut into blocks.

/** The format of a text. `data` is for machines (JSON, lock files): it is searched, but nothing in it is a sentence. */
export type Format = "markdown" | "plain" | "code" | "data";

/** A format whose text is not its bytes; it is taken out of them as Markdown. */
export type DocumentKind = "html" | "pdf" | "docx" | "epub" | "manual";

const DOCUMENT_KINDS: ReadonlyMap<string, DocumentKind> = new Map([
  ["html", "html"],
  ["htm", "html"],
  ["xhtml", "html"],
  ["pdf", "pdf"],
  ["docx", "docx"],
  ["epub", "epub"],
]);

const MIB = 1024 * 1024;
/** What takes more is left out: text is read as a whole, and people write no more into one file. */
const MAX_TEXT_FILE_BYTES = 8 * MIB;
export const MAX_BYTES_OF_KIND: Readonly<Record<DocumentKind, number>> = {
  html: MAX_TEXT_FILE_BYTES,
  pdf: 64 * MIB,
  docx: 64 * MIB,
  epub: 64 * MIB,
  manual: MAX_TEXT_FILE_BYTES,
};

const BY_EXTENSION: ReadonlyMap<string, Format> = new Map([
  ...[...DOCUMENT_KINDS.keys()].map((extension) => [extension, "markdown"] as const),
  ...["md", "markdown", "mdown", "mkd", "mdx"].map((extension) => [extension, "markdown"] as const),
  ...["txt", "text", "rst", "adoc", "asciidoc", "org", "tex", "log"].map((extension) => [extension, "plain"] as const),
  ...[
    "json",
    "jsonl",
    "jsonc",
    "json5",
    "ndjson",
    "csv",
    "tsv",
    "lock",
    "map",
    "svg",
    "xml",
    "yaml",
    "yml",
    "toml",
    "ini",
  ].map((extension) => [extension, "data"] as const),
]);

const TEXT_MEDIA_TYPES: Record<Format, string> = {
  markdown: "text/markdown",
  plain: "text/plain",
  code: "text/plain",
  data: "text/plain",
};

const DOCUMENT_MEDIA_TYPES: Record<DocumentKind, string> = {
  html: "text/html",
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  epub: "application/epub+zip",
  manual: "text/troff",
};

/** By section, as in `git.1`, `fork.3am` or `ls.1.gz`. A file so called that begins otherwise than a manual page is a text. */
const MANUAL = /^(?:[1-9][a-z]{0,6}|[nl]|man|mdoc)$/;

/** Files without an extension are prose (README, LICENSE); every other unknown extension is code. */
export function formatOf(path: string): Format {
  const extension = extensionOf(path);
  if (extension === null) return nameOf(path).startsWith("readme") ? "markdown" : "plain";
  return BY_EXTENSION.get(extension) ?? (MANUAL.test(extension) ? "markdown" : "code");
}

const PACKED = /\.gz$/i;

/** True of a file that holds another one, packed by gzip; all else is told by the name of that one. */
export function isPacked(path: string): boolean {
  return PACKED.test(path);
}

/** Null when no reader of documents takes the text out. */
export function documentKindOf(path: string): DocumentKind | null {
  const extension = extensionOf(path) ?? "";
  return DOCUMENT_KINDS.get(extension) ?? (MANUAL.test(extension) ? "manual" : null);
}

export function maxBytesOf(path: string): number {
  const kind = documentKindOf(path);
  return kind === null ? MAX_TEXT_FILE_BYTES : MAX_BYTES_OF_KIND[kind];
}

/** True when form feeds in the text end pages, by which people cite the document. */
export function isPaged(path: string): boolean {
  return documentKindOf(path) === "pdf";
}

export function mediaTypeOf(path: string): string {
  const kind = documentKindOf(path);
  return kind === null ? TEXT_MEDIA_TYPES[formatOf(path)] : DOCUMENT_MEDIA_TYPES[kind];
}

function extensionOf(path: string): string | null {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? null : name.slice(dot + 1);
}

/** Without the ending of a packed file. */
function nameOf(path: string): string {
  return path
    .slice(path.lastIndexOf("/") + 1)
    .toLowerCase()
    .replace(PACKED, "");
}
