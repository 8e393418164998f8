// `.head` names the newest commit. It is written in place after each commit, so that a journal that was cut short is noticed.
import { DIGEST_PATTERN, digestOfBytes, hexOf } from "../../kernel/digest.ts";

const SEQ_DIGITS = 16;
const CHECK_DIGITS = 8;

/** One line of fixed length: seq, digest, and a check over both, which shows a note that a power cut tore. */
export function encodeHead(seq: number, digest: string): Uint8Array {
  const note = `${String(seq).padStart(SEQ_DIGITS, "0")} ${digest}`;
  return new TextEncoder().encode(`${note} ${checkOf(note)}\n`);
}

function checkOf(note: string): string {
  return hexOf(digestOfBytes(note)).slice(0, CHECK_DIGITS);
}

/** Null for anything but a whole note. A note is only a hint. */
export function decodeHead(bytes: Uint8Array | null): { seq: number; digest: string } | null {
  if (bytes === null) return null;
  const [seq, digest, check, ...rest] = new TextDecoder().decode(bytes).trimEnd().split(" ");
  if (seq === undefined || digest === undefined || check !== checkOf(`${seq} ${digest}`) || rest.length > 0)
    return null;
  if (!/^[0-9]{16}$/.test(seq) || !DIGEST_PATTERN.test(digest)) return null;
  return { seq: Number(seq), digest };
}
