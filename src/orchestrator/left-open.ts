// A tick whose owner is gone: the next owner finds it open, and notes how long it worked.
import type { Ports } from "../ports/ports.ts";
import type { RunWriter } from "../ports/run-store.ts";
import { stateChange } from "../run/fold.ts";
import type { Manifest } from "../run/manifest.ts";
import type { RecordDraft } from "../run/record.ts";

/** True when the last tick began and never ended: whoever did it is gone, for this process holds the lease now. */
export function isLeftOpen({ execution_state, tick: { is_open } }: Readonly<Manifest>): boolean {
  return execution_state === "running" && is_open;
}

/** What is written first about a run that was left open; nothing where it was not. */
export async function ownerGone(
  { writer, ports }: { writer: RunWriter; ports: Pick<Ports, "store"> },
  reason = "its owner was gone",
): Promise<RecordDraft[]> {
  const { manifest } = writer;
  if (!isLeftOpen(manifest)) return [];
  const { number, worked_ms } = manifest.tick;
  const tick_ms = await workedUntilGone(writer, ports);
  return [
    // First: cut off behind it, the run is known to be interrupted all the same.
    stateChange(manifest.execution_state, "interrupted", reason),
    { kind: "tick.ended", data: { tick: number, stopped_by: "owner_gone", worked_ms, tick_ms } },
  ];
}

/** From the start of the tick to the last record of the same owner; later ones are of those who found it. */
async function workedUntilGone({ runRoot }: RunWriter, { store }: Pick<Ports, "store">): Promise<number> {
  const records = (await store.records(runRoot)).map(({ record }) => record);
  const started = records.findLast(({ kind }) => kind === "tick.started");
  const last = records.findLast(({ epoch }) => epoch === started?.epoch);
  if (started === undefined || last === undefined) return 0;
  return Math.max(0, Date.parse(last.ts) - Date.parse(started.ts));
}
