// What may not be appended: a record that counts can never be taken back, so it is refused before it is written.
import { assert } from "../kernel/assert.ts";
import { dataSchemaOf, type RecordDraft } from "./record.ts";
import { mayChange } from "./lifecycle.ts";
import type { Manifest } from "./manifest.ts";

/** Asserts that the fold will take these drafts, in this order, behind the state that `manifest` holds. */
export function checkDrafts(manifest: Pick<Manifest, "execution_state">, drafts: readonly RecordDraft[]): void {
  let state = manifest.execution_state;
  for (const { kind, data } of drafts) {
    const parsed = dataSchemaOf(kind).safeParse(data);
    assert(parsed.success, `the data of ${kind} does not fit its schema: ${parsed.error?.message}`);
    assert(kind !== "run.created", "a run is created once");
    if (kind !== "state.changed") continue;
    assert(data.from === state && mayChange(state, data.to), `no change from ${state} (${data.from}) to ${data.to}`);
    state = data.to;
  }
}
