// Judges the bytes of a file: text that can be quoted, or the reason why not.
import type { SkipReason } from "./skipped.ts";

export type TextVerdict = { kind: "text"; text: string } | { kind: "skipped"; reason: SkipReason };

/** The text is the bytes: a byte order mark is kept, so that byte offsets into the text are offsets into the file. */
export function textOf(bytes: Uint8Array): TextVerdict {
  if (bytes.indexOf(0) !== -1) return { kind: "skipped", reason: isCompressed(bytes) ? "compressed" : "binary" };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { kind: "skipped", reason: isCompressed(bytes) ? "compressed" : "not_utf8" };
  }
  return text.trim() === "" ? { kind: "skipped", reason: "empty" } : { kind: "text", text };
}

/** How files of gzip, bzip2, xz, zstd, zip and 7z begin, in Latin-1. */
const COMPRESSED = /^(?:\x1f\x8b|BZh|\xfd7zXZ\0|\x28\xb5\x2f\xfd|PK\x03\x04|7z\xbc\xaf\x27\x1c)/;

/** Asked only of bytes that are no text: some of these beginnings are letters. */
function isCompressed(bytes: Uint8Array): boolean {
  return COMPRESSED.test(Buffer.from(bytes.subarray(0, 6)).toString("latin1"));
}
