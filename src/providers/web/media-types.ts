// Names the media type of a body, and refuses types that cannot be read.
import { documentKindOfType, mediaTypeOf } from "../../corpus/formats/formats.ts";
import { refusal } from "./reach.ts";

const READABLE_TEXT = /^(text\/(plain|markdown|x-markdown|csv|x-rst)|application\/([\w.-]+\+)?json)$/;

const PARAMETER = /;\s*charset\s*=\s*"?([\w:.-]{1,40})"?/i;

/** The media type in lower case, by the name of the document if the server names none. Only a charset other than UTF-8 stays. */
export function typeOfBody(contentType: string | null, url: string): string {
  const essence = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const charset = PARAMETER.exec(contentType ?? "")?.[1]?.toLowerCase();
  const known = essence === "" || essence === "application/octet-stream" ? byName(url) : essence;
  return charset === undefined || charset === "utf-8" || charset === "utf8" ? known : `${known}; charset=${charset}`;
}

/** Throws a `ProviderFailure` for images, programs, archives and other types that cannot be read. */
export function requireReadable(contentType: string | null, url: string): void {
  const [essence = ""] = typeOfBody(contentType, url).split(";");
  if (documentKindOfType(essence) === null && !READABLE_TEXT.test(essence))
    throw refusal("content_type", url, essence === "" ? "it has no media type" : `${essence} cannot be read`);
}

/** Servers that do not know the type of a document often keep the ending of its name. */
function byName(url: string): string {
  const { pathname } = new URL(url);
  if (/\.json$/i.test(pathname)) return "application/json";
  return /\.(html?|txt|md|pdf|docx|epub)$/i.test(pathname) ? mediaTypeOf(pathname) : "";
}
