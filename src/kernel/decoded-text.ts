// Decodes UTF-8 and keeps a byte order mark, so that offsets into the text stay true.
import { RunError } from "./errors.ts";

const UTF8 = new TextDecoder("utf-8", { ignoreBOM: true });

export function decodedText(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}

/** Errors: `SCHEMA_VALIDATION_FAILED` for bytes that are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return STRICT_UTF8.decode(bytes);
  } catch (cause) {
    throw new RunError("SCHEMA_VALIDATION_FAILED", { reason: "not valid UTF-8" }, { cause });
  }
}

const STRICT_UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
