// The digest that every tool of this folder uses for JSON.
import { digestOfJson, type Digest } from "../../../src/kernel/digest.ts";

/** Over canonical JSON: equal values have equal digests, whatever the order of their keys. */
export function sha256DigestForJson(value: unknown): Digest {
  return digestOfJson(value);
}
