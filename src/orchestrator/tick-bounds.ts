// The records that begin and end a tick.
import type { RecordDraft } from "../run/record.ts";
import type { Session } from "./session.ts";

/** Begins the next tick and starts its clocks. */
export async function openTick(session: Session, reason?: string): Promise<void> {
  const { writer, ports } = session;
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
  session.beginTick();
}

/** The end of the tick that is open; none when work stops before a tick began. */
export function tickEnd(session: Session, stoppedBy: string): RecordDraft[] {
  const { number, is_open } = session.writer.manifest.tick;
  if (!is_open) return [];
  return [
    {
      kind: "tick.ended",
      data: {
        tick: number,
        stopped_by: stoppedBy,
        worked_ms: wholeMs(session.workedMs()),
        tick_ms: wholeMs(session.tickMs()),
      },
    },
  ];
}

function wholeMs(ms: number): number {
  return Math.max(0, Math.round(ms));
}
