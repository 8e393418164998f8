// Records that the owner of a run died at work, and how long its open tick had worked.
import type { RunWriter } from "../ports/run-log.ts";
import { isLeftAtWork, stateChange } from "../run/log/lifecycle.ts";
import type { AnyRecord, RecordDraft } from "../run/log/record.ts";
import type { RunView } from "./run-view.ts";

/** True when the owner before this one died at work and no record says so yet. */
export function isLeftOpen(writer: Pick<RunWriter, "manifest" | "unrecordedTakeover">): boolean {
  return isLeftAtWork(writer.manifest, writer.unrecordedTakeover);
}

/** The records that an owner writes before any other when the owner before it died at work; none otherwise. */
export async function ownerGone(
  { writer, view }: { writer: RunWriter; view: RunView },
  reason = "its process was gone",
): Promise<RecordDraft[]> {
  const { manifest } = writer;
  if (!isLeftOpen(writer)) return [];
  // This record comes first: if this process dies right behind it, the run still counts as interrupted.
  const interruption = stateChange(manifest.execution_state, "interrupted", reason);
  if (!manifest.tick.is_open) return [interruption];
  const { number, worked_ms } = manifest.tick;
  const tick_ms = workedUntilGone(await view.records());
  return [interruption, { kind: "tick.ended", data: { tick: number, stopped_by: "owner_gone", worked_ms, tick_ms } }];
}

/** The time from the start of the tick to the last record of its owner. Later records are from other processes. */
function workedUntilGone(records: readonly AnyRecord[]): number {
  const started = records.findLast(({ kind }) => kind === "tick.started");
  const last = records.findLast(({ epoch }) => epoch === started?.epoch);
  if (started === undefined || last === undefined) return 0;
  return Math.max(0, Date.parse(last.ts) - Date.parse(started.ts));
}
