// The records that begin and end a tick.
import type { RecordDraft } from "../run/log/record.ts";
import type { Ownership } from "./ownership.ts";

export async function openTick(ownership: Ownership, reason?: string): Promise<void> {
  const { writer, ports } = ownership;
  await writer.commit([
    {
      kind: "tick.started",
      data: {
        tick: writer.manifest.tick.number + 1,
        tool_version: ports.toolVersion,
        uptime_ms: ports.clock.uptimeMs(),
        boot_id: ports.processes.self().boot_id,
        ...(reason === undefined ? {} : { reason }),
      },
    },
  ]);
  ownership.beginTick();
}

/** The end of the tick that is open; none when work stops before a tick began. */
export function tickEnd(ownership: Ownership, stoppedBy: string): RecordDraft[] {
  const { number, is_open } = ownership.writer.manifest.tick;
  if (!is_open) return [];
  return [
    {
      kind: "tick.ended",
      data: {
        tick: number,
        stopped_by: stoppedBy,
        worked_ms: wholeMs(ownership.workedMs()),
        tick_ms: wholeMs(ownership.tickMs()),
      },
    },
  ];
}

function wholeMs(ms: number): number {
  return Math.max(0, Math.round(ms));
}
