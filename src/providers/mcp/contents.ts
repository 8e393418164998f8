// Makes documents of the contents that a server sends: texts stay as they are, others go to the reader of documents.
import { ProviderFailure } from "../../ports/provider-failure.ts";
import { readDocument, type ExtractText, type ReadDocument } from "../documents.ts";
import { decodedText } from "../text-of-document.ts";
import type { McpContents } from "./answers.ts";

/** The types of texts that stay as they are. */
const PLAIN = /^text\/(plain|markdown|x-markdown|csv|x-[\w.-]+)$|^application\/([\w.-]+\+)?json$|yaml$/;

export interface ContentsOptions {
  extract: ExtractText;
  maxBytes: number;
}

/** Makes a document of a text that a tool gave without a type. */
export function documentOfText(origin: string, title: string, text: string): ReadDocument {
  const bytes = new TextEncoder().encode(text);
  return readDocument({ origin, title, media_type: "text/markdown", bytes, text, textFrom: { text_from: "bytes" } });
}

/** Makes one document of the contents under one name: of all texts, or of the first blob. Throws a `ProviderFailure`. */
export async function documentOfContents(
  origin: string,
  title: string,
  contents: readonly McpContents[],
  { extract, maxBytes }: ContentsOptions,
  signal: AbortSignal,
): Promise<ReadDocument> {
  const [first] = contents;
  const refuse = (reason: "too_large" | "unreadable" | "bad_answer", detail: string): ProviderFailure =>
    new ProviderFailure({ reason, provider_id: "mcp", url: origin, detail });
  if (first === undefined) throw refuse("bad_answer", "the resource has no contents");
  const media_type = essenceOf(first);
  const bytes =
    first.blob === undefined
      ? new TextEncoder().encode(contents.map(({ text = "" }) => text).join("\n\n"))
      : new Uint8Array(Buffer.from(first.blob, "base64"));
  if (bytes.byteLength > maxBytes) throw refuse("too_large", `more than ${maxBytes} bytes`);
  if (first.blob === undefined && PLAIN.test(media_type)) {
    return readDocument({ origin, title, media_type, bytes, ...decodedText(bytes) });
  }
  const extracted = await extract(bytes, media_type, signal);
  if (extracted.kind === "unfit") throw refuse("unreadable", extracted.reason);
  const { text, textFrom, title: own = title } = extracted;
  return readDocument({ origin, title: own, media_type, bytes, text, textFrom });
}

function essenceOf({ mimeType, blob }: McpContents): string {
  const essence = mimeType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (essence !== "") return essence;
  return blob === undefined ? "text/plain" : "application/octet-stream";
}
