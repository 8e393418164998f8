// Refuses wrong records before they are written, since no record can be taken back.
import { assert } from "../../kernel/assert.ts";
import { dataSchemaOf, type RecordDraft } from "./record.ts";
import { mayChange } from "./lifecycle.ts";
import type { Manifest } from "./manifest.ts";

/** Asserts that a run can be made with these drafts. */
export function checkFirstDrafts([first, ...rest]: readonly RecordDraft[]): void {
  assert(first?.kind === "run.created", "a run begins with run.created");
  checkData(first);
  checkDrafts({ execution_state: "idle", report_versions: [] }, rest);
}

/** Asserts that the fold will take these drafts, in this order, behind the state that `manifest` holds. */
export function checkDrafts(
  manifest: Pick<Manifest, "execution_state" | "report_versions">,
  drafts: readonly RecordDraft[],
): void {
  let state = manifest.execution_state;
  const versions = new Set(manifest.report_versions.map(({ version_index }) => version_index));
  const publish = (version: number): void => {
    assert(!versions.has(version), `report version ${version} is published once`);
    versions.add(version);
  };
  for (const draft of drafts) {
    checkData(draft);
    const { kind, data } = draft;
    assert(kind !== "run.created", "a run is created once");
    if (kind === "report.published") publish(data.report.version_index);
    if (kind === "report.selected")
      assert(versions.has(data.version_index), `there is no report version ${data.version_index}`);
    if (kind !== "state.changed") continue;
    assert(data.from === state && mayChange(state, data.to), `no change from ${state} (${data.from}) to ${data.to}`);
    state = data.to;
    if (data.report === undefined) continue;
    assert(data.to === "completed", "only the change to completed publishes a report");
    publish(data.report.version_index);
  }
}

function checkData({ kind, data }: RecordDraft): void {
  const parsed = dataSchemaOf(kind).safeParse(data);
  assert(parsed.success, `the data of ${kind} does not fit its schema: ${parsed.error?.message}`);
}
