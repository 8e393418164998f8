// The remains of work that was never synced, after a power cut: nothing, everything, or a seeded mixture.
import { SimulatedRandom } from "./random.ts";

/** What is left of one unsynced write: its first `keptBytes`, and zero bytes up to its end when `sizeGrows`. */
export interface WriteFate {
  keptBytes: number;
  sizeGrows: boolean;
}

/** Asked once for every unsynced thing. Name changes are asked in the order in which they were made. */
export interface PowerCutChoices {
  fateOfWrite(lengthBytes: number): WriteFate;
  /** Whether a creation, link, rename or removal survives. */
  keepsName(): boolean;
  /** Whether the size of bytes that a failed fsync lost survives, as zero bytes. */
  growsOverLost(): boolean;
}

/** Everything that was not synced is gone. */
export const dropUnsynced: PowerCutChoices = {
  fateOfWrite: () => ({ keptBytes: 0, sizeGrows: false }),
  keepsName: () => false,
  growsOverLost: () => false,
};

/** Everything survives except what a failed fsync lost: an orderly reboot. */
export const keepUnsynced: PowerCutChoices = {
  fateOfWrite: (lengthBytes) => ({ keptBytes: lengthBytes, sizeGrows: true }),
  keepsName: () => true,
  growsOverLost: () => false,
};

/**
 * Any mixture: each unsynced write is kept, cut short, cut short and padded with zero bytes, zeroed or dropped, and
 * each name change survives or not, without regard to the order in which they were made.
 */
export function anyMixture(seed: number): PowerCutChoices {
  const random = new SimulatedRandom(seed);
  return {
    fateOfWrite(lengthBytes) {
      switch (random.below(5)) {
        case 0:
          return { keptBytes: lengthBytes, sizeGrows: true };
        case 1:
          return { keptBytes: random.below(lengthBytes + 1), sizeGrows: false };
        case 2:
          return { keptBytes: random.below(lengthBytes + 1), sizeGrows: true };
        case 3:
          return { keptBytes: 0, sizeGrows: true };
        default:
          return { keptBytes: 0, sizeGrows: false };
      }
    },
    keepsName: () => random.below(2) === 0,
    growsOverLost: () => random.below(2) === 0,
  };
}
