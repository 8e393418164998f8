// The random port over the operating system.
import type { Random } from "../ports/random.ts";

export const realRandom: Random = {
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};
