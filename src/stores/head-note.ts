// `.head`: the newest commit, noted in place after each one, so that a journal that was cut short is noticed.
import { DIGEST_PATTERN } from "../kernel/digest.ts";

const SEQ_DIGITS = 16;

/** One line of fixed length: seq, digest. */
export function encodeHead(seq: number, digest: string): Uint8Array {
  return new TextEncoder().encode(`${String(seq).padStart(SEQ_DIGITS, "0")} ${digest}\n`);
}

/** Null for anything but a whole note: a power cut may leave it torn, and it is only a hint. */
export function decodeHead(bytes: Uint8Array | null): { seq: number; digest: string } | null {
  if (bytes === null) return null;
  const [seq, digest, ...rest] = new TextDecoder().decode(bytes).trimEnd().split(" ");
  if (seq === undefined || digest === undefined || rest.length > 0) return null;
  if (!/^[0-9]{16}$/.test(seq) || !DIGEST_PATTERN.test(digest)) return null;
  return { seq: Number(seq), digest };
}
