// Stage finalize: gate F checks the run from its first record to its last; then the report is published.
import { verdict, type GateVerdict } from "../run/gate.ts";
import type { Evidence } from "./evidence.ts";
import type { StageDefinition } from "./stage-definition.ts";

export const finalizeStage: StageDefinition = {
  stage: "finalize",
  gathers: false,
  async plan() {
    return [];
  },
  async judge({ evidence }) {
    return [await judgeRelease(evidence)];
  },
  async next() {
    return { to: "completed", reason: "natural_stop" };
  },
};

/** Gate F: settings, digests and journal verify from the first record to the last. */
async function judgeRelease(evidence: Evidence): Promise<GateVerdict> {
  const { problems, records, files } = await evidence.verifyRun();
  return verdict("F", { records, files }, problems.slice(0, 10));
}
