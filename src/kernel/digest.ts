// sha256 digests: of bytes, and of the canonical JSON of a value.
import { canonicalJson } from "./canonical-json.ts";

/** "sha256:" and 64 lower-case hex digits. */
export type Digest = `sha256:${string}`;

export const DIGEST_PATTERN = /^sha256:[0-9a-f]{64}$/;

export function digestOfBytes(bytes: Uint8Array | string): Digest {
  return `sha256:${Bun.SHA256.hash(bytes, "hex")}`;
}

/** The digest of a value's canonical JSON: equal for equal values, whatever the order of their keys. */
export function digestOfJson(value: unknown): Digest {
  return digestOfBytes(canonicalJson(value));
}

/** The 64 hex digits of a digest, as used in file names. */
export function hexOf(digest: string): string {
  return digest.slice("sha256:".length);
}
