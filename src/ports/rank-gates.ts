// The port for what models got right in the check of rankers: kept outside of runs, so that a model is checked once.
import type { Digest } from "../kernel/digest.ts";
import type { RankGate } from "../run/settings/rank.ts";

/** Nothing here fails: where nothing can be kept, a model is checked again. `key`: see `rankGateKey`. */
export interface RankGates {
  of(key: Digest): RankGate | null;
  note(key: Digest, gate: RankGate): void;
}

export const NO_RANK_GATES: RankGates = { of: () => null, note: () => {} };
