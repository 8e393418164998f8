// Counts the claims that are contradicted or were not checked, and judges whether a run may have so many.
import type { Verdict } from "./report.ts";
import type { Limits } from "../settings/settings.ts";

export interface Doubts {
  all: number;
  metrics: { contradicted: number; not_checked: number; unsupported_share: number };
}

export function doubtsOf(judged: readonly { verdict: Verdict }[]): Doubts {
  const count = (wanted: Verdict): number => judged.filter(({ verdict }) => verdict === wanted).length;
  const [contradicted, not_checked] = [count("contradicted"), count("not_checked")];
  const share = judged.length === 0 ? 0 : (contradicted + not_checked) / judged.length;
  // Rounded up, so that a run passes with a limit of the printed size.
  return {
    all: judged.length,
    metrics: { contradicted, not_checked, unsupported_share: Math.ceil(share * 100) / 100 },
  };
}

/** The reason for which a gate fails, or null. */
export function tooManyDoubts({ all, metrics }: Doubts, { max_unsupported_share }: Limits): string | null {
  const { contradicted, not_checked } = metrics;
  if (all === 0 || (contradicted + not_checked) / all <= max_unsupported_share) return null;
  return `${contradicted} of ${all} claims contradicted and ${not_checked} not checked; together at most ${Math.round(max_unsupported_share * 100)} % may be`;
}
