// Judges which documents are worth fetching, and names the media type of a body.
import { refusal } from "./reach.ts";

const READABLE =
  /^(text\/(html|plain|markdown|x-markdown|csv|x-rst)|application\/(xhtml\+xml|pdf|json|epub\+zip|vnd\.openxmlformats-officedocument\.wordprocessingml\.document)|application\/[\w.-]+\+json)$/;

const PARAMETER = /;\s*charset\s*=\s*"?([\w:.-]{1,40})"?/i;

/** The media type in lower case; its character set stays only when it is not UTF-8. */
export function mediaTypeOf(contentType: string | null, url: string): string {
  const essence = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const charset = PARAMETER.exec(contentType ?? "")?.[1]?.toLowerCase();
  const known = essence === "" || essence === "application/octet-stream" ? byName(url) : essence;
  return charset === undefined || charset === "utf-8" || charset === "utf8" ? known : `${known}; charset=${charset}`;
}

/** Throws a `ProviderFailure` for what cannot be read: images, programs, archives. */
export function requireReadable(contentType: string | null, url: string): void {
  const [essence = ""] = mediaTypeOf(contentType, url).split(";");
  if (!READABLE.test(essence))
    throw refusal("content_type", url, essence === "" ? "it does not say what it is" : `${essence} cannot be read`);
}

/** Servers that do not know a document's type often still name it. */
function byName(url: string): string {
  const extension = /\.([a-z]+)$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? "";
  return BY_EXTENSION[extension] ?? "";
}

const BY_EXTENSION: Record<string, string> = {
  html: "text/html",
  htm: "text/html",
  txt: "text/plain",
  md: "text/markdown",
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  epub: "application/epub+zip",
  json: "application/json",
};
