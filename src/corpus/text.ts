// Judges the bytes of a file: they are text in UTF-8 that can be quoted, or there is a reason why not.
import type { SkipReason } from "./skipped.ts";

type TextVerdict = { kind: "text"; text: string } | { kind: "skipped"; reason: SkipReason };

/** A byte order mark stays in the text, so that byte offsets into the text are offsets into the file. */
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

/** The first bytes of gzip, bzip2, xz, zstd, zip and 7z, in Latin-1. */
const COMPRESSED = /^(?:\x1f\x8b|BZh|\xfd7zXZ\0|\x28\xb5\x2f\xfd|PK\x03\x04|7z\xbc\xaf\x27\x1c)/;

/** Only for bytes that are no text, since a text may begin with "BZh" or "PK". */
function isCompressed(bytes: Uint8Array): boolean {
  return COMPRESSED.test(Buffer.from(bytes.subarray(0, 6)).toString("latin1"));
}
