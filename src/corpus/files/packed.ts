// Turns bytes into those that people read: unpacks gzip, removes overstrikes, and recognizes the source of a manual page.
import { gunzipSync } from "node:zlib";
import { isPacked, maxBytesOf } from "../formats/formats.ts";
import type { SkipReason } from "../formats/skipped.ts";

type Unpacked = { kind: "bytes"; bytes: Uint8Array } | { kind: "skipped"; reason: SkipReason };

/** The bytes of the document, unpacked if need be. The limit for its size holds for the unpacked bytes, too. */
export function unpacked(path: string, bytes: Uint8Array): Unpacked {
  if (!isPacked(path)) return { kind: "bytes", bytes };
  try {
    return { kind: "bytes", bytes: gunzipSync(bytes, { maxOutputLength: maxBytesOf(path) }) };
  } catch (error) {
    return { kind: "skipped", reason: error instanceof RangeError ? "oversized" : "damaged" };
  }
}

const BACKSPACE = "\b";

/** `man` prints a bold letter as `N\bN` and an underlined one as `_\bN`. */
export function withoutOverstrikes(text: string): string {
  if (!text.includes(BACKSPACE)) return text;
  return text.replace(/([^\n_])[\b]_/gu, "$1").replace(/[^\n][\b]/gu, "");
}

/** The preambles that tools write have at most some 6,000 bytes. */
const MAX_PREAMBLE = 32_000;

/** The source of a manual page has its title macro first, below comments, requests and definitions of macros. */
export function isManualSource(bytes: Uint8Array): boolean {
  const preamble = Buffer.from(bytes.subarray(0, MAX_PREAMBLE)).toString("latin1");
  let isInMacro = false;
  for (const line of preamble.split("\n")) {
    if (isInMacro) isInMacro = !/^\.\.\s*$/.test(line);
    else if (/^\.(?:TH|Dd|so)\s/.test(`${line}\n`)) return true;
    else if (/^[.']\s*de1?\s/.test(line)) isInMacro = true;
    else if (!/^(?:[.'\\]|\s*$)/.test(line)) return false;
  }
  return false;
}
