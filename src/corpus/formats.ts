// Tells the format of a document by its name: it decides how the text is cut into blocks.

/** `data` is text for machines (JSON, lock files): it is searched, but nothing in it reads as a sentence. */
export type Format = "markdown" | "plain" | "code" | "data";

const BY_EXTENSION: ReadonlyMap<string, Format> = new Map([
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

const MEDIA_TYPES: Record<Format, string> = {
  markdown: "text/markdown",
  plain: "text/plain",
  code: "text/plain",
  data: "text/plain",
};

/** Files without an extension are prose (README, LICENSE); every other unknown extension is code. */
export function formatOf(path: string): Format {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = name.lastIndexOf(".");
  if (dot <= 0) return name.startsWith("readme") ? "markdown" : "plain";
  return BY_EXTENSION.get(name.slice(dot + 1)) ?? "code";
}

export function mediaTypeOf(path: string): string {
  return MEDIA_TYPES[formatOf(path)];
}
