// Stage finalize: gate F checks the run from its first record to its last; then the report is published.
import { verdict, type GateVerdict } from "../run/gate.ts";
import { NATURAL_STOP, publicationOf } from "./publication.ts";
import type { StageContext, StageDefinition } from "./stage-definition.ts";

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

/** Gate F: the whole run verifies, with the report that is about to be published. */
async function judgeRelease({ evidence, manifest }: StageContext): Promise<GateVerdict> {
  const draft = publicationOf(await evidence.lastDraft(), manifest, NATURAL_STOP);
  const { problems, checked } = await evidence.verification(draft);
  const reasons = problems
    .slice(0, MAX_REASONS)
    .map(({ path, expected, found }) => `${path}: ${found}, not ${expected}`);
  return verdict("F", { records: checked.journal_records, files: checked.files }, reasons);
}
