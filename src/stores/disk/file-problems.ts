// Words for the problems of files of a run that do not verify.
import type { FileProblem } from "../../kernel/errors.ts";
import type { JournalDamage } from "../../run/log/journal.ts";
import { JOURNAL_FILE, MANIFEST_FILE } from "../../run/log/layout.ts";
import type { ManifestClaim } from "../../run/log/manifest-text.ts";

export const JOURNAL_AWAY: FileProblem = {
  path: JOURNAL_FILE,
  expected: "the journal",
  found: "nothing; its chain is in quarantine",
};

export function foldProblem(found: string): FileProblem {
  return { path: MANIFEST_FILE, expected: "a state that the journal folds to", found };
}

export function foldOfAnother({ revision }: ManifestClaim): FileProblem {
  return foldProblem(`revision ${revision} of another history`);
}

export function damageProblem({ reason, offset }: JournalDamage): FileProblem {
  return { path: JOURNAL_FILE, expected: "a record that counts", found: `${reason} at byte ${offset}` };
}

export function missingRecords(known: number, found: number): FileProblem {
  return { path: JOURNAL_FILE, expected: `at least ${known} records`, found: `${found} records` };
}
