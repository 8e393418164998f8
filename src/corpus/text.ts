// Judges the bytes of a file: text that can be quoted, or the reason why not.
import type { SkipReason } from "./skipped.ts";

export type TextVerdict = { kind: "text"; text: string } | { kind: "skipped"; reason: SkipReason };

/** The text is the bytes: a byte order mark is kept, so that byte offsets into the text are offsets into the file. */
export function textOf(bytes: Uint8Array): TextVerdict {
  if (bytes.indexOf(0) !== -1) return { kind: "skipped", reason: "binary" };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { kind: "skipped", reason: "not_utf8" };
  }
  return text.trim() === "" ? { kind: "skipped", reason: "empty" } : { kind: "text", text };
}
