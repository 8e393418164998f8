// Determines the format of a document from its name: how its text is read, and how the text is cut into blocks.

/**
 * The format of a text. `records` are the rows of a table of delimited cells. `data` is written for machines (JSON, lock files):
 * it is searched, but holds no sentences.
 */
export type Format = "markdown" | "plain" | "code" | "records" | "data";

const MIB = 1024 * 1024;
/** A larger file is left out, since text is read as a whole. People write no more into one file. */
const MAX_TEXT_FILE_BYTES = 8 * MIB;

/** The formats from which the text is taken out as Markdown. `extensions` are separated by spaces. */
const DOCUMENTS = {
  html: { extensions: "html htm xhtml", mediaType: "text/html", mostBytes: MAX_TEXT_FILE_BYTES },
  pdf: { extensions: "pdf", mediaType: "application/pdf", mostBytes: 64 * MIB },
  docx: {
    extensions: "docx",
    mediaType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    mostBytes: 64 * MIB,
  },
  epub: { extensions: "epub", mediaType: "application/epub+zip", mostBytes: 64 * MIB },
  notebook: { extensions: "ipynb", mediaType: "application/x-ipynb+json", mostBytes: MAX_TEXT_FILE_BYTES },
  manual: { extensions: "man mdoc", mediaType: "text/troff", mostBytes: MAX_TEXT_FILE_BYTES },
};
export type DocumentKind = keyof typeof DOCUMENTS;
export const DOCUMENT_KINDS = Object.keys(DOCUMENTS) as DocumentKind[];
/** The most bytes that a document of any kind may have. */
export const MOST_DOCUMENT_BYTES = Math.max(...Object.values(DOCUMENTS).map(({ mostBytes }) => mostBytes));

const DATA = "json jsonl jsonc json5 ndjson lock map svg xml yaml yml toml ini";
const BY_EXTENSION = new Map<string, Format>([
  ...pairs("md markdown mdown mkd mdx", "markdown"),
  ...pairs("txt text rst adoc asciidoc org tex log", "plain"),
  ...pairs("csv tsv tab psv", "records"),
  ...pairs(DATA, "data"),
]);
const KIND_BY_EXTENSION = new Map(DOCUMENT_KINDS.flatMap((kind) => pairs(DOCUMENTS[kind].extensions, kind)));

function pairs<const T>(extensions: string, what: T): (readonly [string, T])[] {
  return extensions.split(" ").map((extension) => [extension, what]);
}

/** The section of a manual page: `git.1`, `fork.3am`, `ls.1.gz`. Other texts may have such a name; their first lines decide. */
const MANUAL = /^(?:[1-9][a-z]{0,6}|[nl])$/;

/** A file without an extension is prose (README, LICENSE), one with an unknown extension is code. */
export function formatOf(path: string): Format {
  const extension = extensionOf(path);
  if (extension === null) return nameOf(path).startsWith("readme") ? "markdown" : "plain";
  return BY_EXTENSION.get(extension) ?? (documentKindOf(path) === null ? "code" : "markdown");
}

const PACKED = /\.gz$/i;

/** True for a file that gzip has packed. Its format is that of the name without the ending. */
export function isPacked(path: string): boolean {
  return PACKED.test(path);
}

/** Null when the text of the file is its bytes. */
export function documentKindOf(path: string): DocumentKind | null {
  const extension = extensionOf(path) ?? "";
  return KIND_BY_EXTENSION.get(extension) ?? (MANUAL.test(extension) ? "manual" : null);
}

export function maxBytesOf(path: string): number {
  const kind = documentKindOf(path);
  return kind === null ? MAX_TEXT_FILE_BYTES : DOCUMENTS[kind].mostBytes;
}

export function mediaTypeOf(path: string): string {
  const kind = documentKindOf(path);
  if (kind !== null) return DOCUMENTS[kind].mediaType;
  return formatOf(path) === "markdown" ? "text/markdown" : "text/plain";
}

/** Null for a type whose text is its bytes, and for types that cannot be read. */
export function documentKindOfType(mediaType: string): DocumentKind | null {
  if (mediaType === "application/xhtml+xml") return "html";
  return DOCUMENT_KINDS.find((kind) => kind !== "manual" && DOCUMENTS[kind].mediaType === mediaType) ?? null;
}

/** In lower case and without the dot; null for a name without one. */
export function extensionOf(path: string): string | null {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? null : name.slice(dot + 1);
}

/** The name of the file in lower case, without the ending of gzip. */
function nameOf(path: string): string {
  return path
    .slice(path.lastIndexOf("/") + 1)
    .toLowerCase()
    .replace(PACKED, "");
}
