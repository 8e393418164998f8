// Text that stands in a file otherwise than people read it: packed by gzip, or struck over for an old printer.
import { gunzipSync } from "node:zlib";
import { isPacked, maxBytesOf } from "./formats.ts";
import type { SkipReason } from "./skipped.ts";

export type Unpacked = { kind: "bytes"; bytes: Uint8Array } | { kind: "skipped"; reason: SkipReason };

/** The bytes of a document; of one that is packed as many as the document itself may have. */
export function unpacked(path: string, bytes: Uint8Array): Unpacked {
  if (!isPacked(path)) return { kind: "bytes", bytes };
  try {
    return { kind: "bytes", bytes: gunzipSync(bytes, { maxOutputLength: maxBytesOf(path) }) };
  } catch (error) {
    return { kind: "skipped", reason: error instanceof RangeError ? "oversized" : "damaged" };
  }
}

const BACKSPACE = "\b";

/** `man` prints a bold letter twice in one place, and an underlined one over a line. */
export function withoutOverstrikes(text: string): string {
  if (!text.includes(BACKSPACE)) return text;
  return text.replace(/([^\n_])[\b]_/gu, "$1").replace(/[^\n][\b]/gu, "");
}

/** The longest preamble that tools write is some 6,000 bytes long. */
const MAX_PREAMBLE = 32_000;

/** The source of a manual page begins with its title, below comments, requests and the macros that it defines. */
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
