// Stage finalize: gate F checks the whole run, then the report is published.
import { verdict, type GateVerdict } from "../run/log/gate.ts";
import { firstPublication, NATURAL_STOP, publicationOf } from "./publication.ts";
import type { StageContext, StageDefinition } from "./stage-definition.ts";
import { damageError } from "./verification.ts";

const MAX_REASONS = 10;

export const finalizeStage: StageDefinition = {
  stage: "finalize",
  gathers: false,
  async plan() {
    return [];
  },
  async judge(context) {
    return [await judgeRelease(context)];
  },
  async next() {
    return { to: "completed", reason: "natural_stop" };
  },
};

/**
 * Gate F: the report that is about to be published verifies, and the run does, too. Files that are gone or altered are no
 * verdict, since they may come back. Errors, which end the tick: `MISSING_ARTIFACT`, `INTEGRITY_ERROR`.
 */
async function judgeRelease({ evidence, manifest }: StageContext): Promise<GateVerdict> {
  const draft = publicationOf(await evidence.lastDraft(), manifest, NATURAL_STOP);
  const { problems, checked } = await evidence.verification(draft);
  const unpublished = new Set(draft.files.map(({ path }) => path));
  const damaged = problems.filter(({ path }) => !unpublished.has(path));
  if (damaged.length > 0) throw damageError(damaged, { checked });
  const reasons = problems
    .slice(0, MAX_REASONS)
    .map(({ path, expected, found }) => `${path}: ${found}, not ${expected}`);
  const { bundle } = manifest.settings;
  if (bundle !== undefined) {
    // Compared as a first version, since this run may have published partial reports.
    const { digest } = firstPublication(await evidence.lastDraft(), manifest).version;
    if (digest !== bundle.report_digest)
      reasons.push(`the digest of the report is ${digest}, but the replayed bundle has ${bundle.report_digest}`);
  }
  return verdict("F", { records: checked.journal_records, files: checked.files }, reasons);
}
