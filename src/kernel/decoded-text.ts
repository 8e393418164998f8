// The text of bytes in UTF-8, where places in it are counted: a byte order mark that stands there counts.
import { RunError } from "./errors.ts";

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

export function decodedText(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}

/** Decodes UTF-8 and refuses what is not; a byte order mark is kept, so that offsets stay true. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return STRICT_UTF8.decode(bytes);
  } catch (cause) {
    throw new RunError("SCHEMA_VALIDATION_FAILED", { reason: "not valid UTF-8" }, { cause });
  }
}

const STRICT_UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
