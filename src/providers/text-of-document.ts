// Reads the text of a document of any readable type: texts are decoded here, others go to the reader of documents.
import { Extractor } from "../corpus/extract/extractor.ts";
import { charsetOfMark } from "../corpus/extract/html-text.ts";
import type { ReadingKind } from "../corpus/extract/extraction.ts";
import { documentKindOfType } from "../corpus/formats/formats.ts";
import { headingText } from "../kernel/heading-text.ts";
import { skipText } from "../corpus/formats/skipped.ts";
import { decodedBy, type TextFrom } from "../run/report/source.ts";
import { abortable } from "./deadline.ts";
import type { ExtractText } from "./documents.ts";

/** Reads one document at a time. The cause of `failed` is this machine, not the document. */
type ReadDocumentText = (
  kind: ReadingKind,
  bytes: Uint8Array,
) => Promise<{ kind: "text"; text: string } | { kind: "unfit"; reason: string } | { kind: "failed"; detail: string }>;

/** Opens the reader of documents of this program. It is a child process that starts with the first document. */
export function openDocumentTexts(): { extract: ExtractText; close: () => void } {
  const closed = new AbortController();
  const extractor = new Extractor(closed.signal);
  const extract = textOfDocuments(async (kind, bytes) => {
    const outcome = await extractor.extract(kind, bytes);
    if (outcome.kind !== "unfit") return outcome;
    return { kind: "unfit", reason: skipText({ path: "", reason: outcome.reason }) };
  });
  const close = (): void => {
    closed.abort(new Error("the reader of documents was closed"));
    extractor[Symbol.dispose]();
  };
  return { extract, close };
}

const TEXT = /^text\/|[/+]json$|yaml$/;

export function textOfDocuments(read: ReadDocumentText): ExtractText {
  let last: Promise<unknown> = Promise.resolve();
  return async (bytes, mediaType, signal) => {
    const [essence = "", parameter = ""] = mediaType.split(";");
    const charset = /charset=(.*)/.exec(parameter)?.[1]?.trim();
    const kind = documentKindOfType(essence);
    if (kind === null) {
      if (!TEXT.test(essence)) return { kind: "unfit", reason: `${essence} cannot be read` };
      const { text, textFrom } = decodedText(bytes, charset);
      return readable(text, textFrom);
    }
    const work = last.then(() => {
      signal.throwIfAborted();
      return kind === "html" ? read("web_page", marked(bytes, charset)) : read(kind, bytes);
    });
    last = work.catch(() => {});
    const outcome = await abortable(work, signal);
    if (outcome.kind === "failed")
      return { kind: "unfit", reason: `the reader of documents failed: ${outcome.detail}` };
    return outcome.kind === "text" ? readable(outcome.text, { text_from: "extracted" }) : outcome;
  };
}

function readable(text: string, textFrom: TextFrom): Awaited<ReturnType<ExtractText>> {
  if (!/[\p{L}\p{N}]/u.test(text)) return { kind: "unfit", reason: "it has no text" };
  const heading = /^#{1,6} .*$/m.exec(text)?.[0];
  const title = heading === undefined ? "" : headingText(heading);
  return { kind: "text", text, textFrom, ...(title === "" ? {} : { title }) };
}

/** Decodes by the byte order mark, else as declared, else as UTF-8, else as windows-1252. The text has no mark. */
export function decodedText(bytes: Uint8Array, declared?: string): { text: string; textFrom: TextFrom } {
  const charset = charsetOf(bytes, declared);
  const text = decodedBy(charset, bytes);
  const isBytes = Buffer.compare(new TextEncoder().encode(text), bytes) === 0;
  return { text, textFrom: isBytes ? { text_from: "bytes" } : { text_from: "decoded", charset } };
}

/** The first charset in which the bytes are valid, under its name in the Encoding Standard. */
function charsetOf(bytes: Uint8Array, declared: string | undefined): string {
  for (const name of [charsetOfMark(bytes), declared, "utf-8", "windows-1252"]) {
    if (name === undefined) continue;
    try {
      const decoder = new TextDecoder(name as Bun.Encoding, { fatal: true });
      decoder.decode(bytes);
      return decoder.encoding;
    } catch {
      // The charset is unknown, or the bytes are not valid in it.
    }
  }
  return "utf-8";
}

/** A page in UTF-8 with a byte order mark, so that the charset of the server goes before the one that the page declares. */
function marked(bytes: Uint8Array, charset: string | undefined): Uint8Array {
  if (charset === undefined) return bytes;
  return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(decodedText(bytes, charset).text)]);
}
