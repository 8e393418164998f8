// Moves a run from one stage to the next, and ends it: the records and the files that they name.
import { digestOfJson, type Digest } from "../kernel/digest.ts";
import { RunError } from "../kernel/errors.ts";
import { stateChange } from "../run/log/lifecycle.ts";
import { blockedIn, foldRef, foldsOnLeaving } from "../run/log/stage-folds.ts";
import { stagesAfter, type Stage } from "../run/stage.ts";
import { NATURAL_STOP, publicationOf } from "../stages/publication.ts";
import { settleLostCalls } from "../conversations/ledger.ts";
import type { Ownership } from "./ownership.ts";
import { storeReport } from "./report-publishing.ts";
import type { StoppedBy } from "./stopping.ts";
import { tickEnd } from "./tick-bounds.ts";

/** Enters a stage, with the folds that the stage before leaves behind. Returns the digest of what was decided on. */
export async function enter(ownership: Ownership, to: Stage, reason: string): Promise<Digest> {
  const { writer, view } = ownership;
  const { stage, steps, gates, settings_digest, revision } = writer.manifest;
  const from = stage.current;
  if (!stagesAfter(from).includes(to))
    throw new RunError("REQUESTED_NEXT_NOT_ALLOWED", { from, requested_next: to, allowed: stagesAfter(from) });
  const folds = await foldsOnLeaving(from, steps, {
    async readResult(key) {
      const ref = steps[key]?.result;
      return ref === undefined ? null : await writer.readResult(ref);
    },
    async readBlocked() {
      return (await view.records()).flatMap(blockedIn);
    },
  });
  const results = Object.fromEntries(Object.entries(steps).map(([key, step]) => [key, step.result?.digest ?? null]));
  // The digest covers what was decided on and no time, so that equal runs give equal digests.
  const judged = Object.entries(gates).map(([gate, { checked_at: _when, ...verdict }]) => [gate, verdict]);
  const inputs_digest = digestOfJson({ from, to, results, gates: Object.fromEntries(judged), settings_digest });
  const data = { from, to, reason, inputs_digest, gates_revision: revision, folds: folds.map(foldRef) };
  await writer.commit([{ kind: "stage.entered", data }], { folds });
  return inputs_digest;
}

/** The one record that ends research and publishes the first report version. */
export async function complete(ownership: Ownership, reason: string): Promise<StoppedBy> {
  const { writer, evidence } = ownership;
  const draft = await evidence.lastDraft();
  // Before the version says what was spent.
  await settleLostCalls(ownership);
  const publication = publicationOf(draft, writer.manifest, NATURAL_STOP);
  const { report, report_files } = await storeReport(ownership, publication);
  const change = stateChange("running", "completed", reason);
  await writer.commit([
    ...tickEnd(ownership, "completed"),
    { kind: "state.changed", data: { ...change.data, report, report_files } },
  ]);
  return "completed";
}
