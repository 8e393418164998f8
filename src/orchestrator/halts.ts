// Builds halts: the facts of the run as it stands, and the commands that continue from there.
import { haltSteps } from "../run/next-steps/halt-steps.ts";
import { given } from "../kernel/given.ts";
import { fullCommand } from "../run/next-steps/next-step.ts";
import { timestamp } from "../ports/clock.ts";
import type { Ports } from "../ports/ports.ts";
import type { WantedHalt } from "../ports/interruption.ts";
import { TIMEOUT_MARKDOWN_PATH, type PlainHalt, type TimeoutHalt } from "../run/log/halt.ts";
import type { KnownHalt } from "../run/log/halt-details.ts";
import type { Manifest } from "../run/log/manifest.ts";
import { MANIFEST_FILE } from "../run/log/layout.ts";
import type { TimeoutJudgement } from "./watchdog.ts";

type Surroundings = Pick<Ports, "clock" | "cliInvocation" | "runs">;

export function plainHalt(
  ports: Surroundings,
  runRoot: string,
  manifest: Readonly<Manifest>,
  halt: WantedHalt,
): PlainHalt {
  const { kind, details, retry_at } = halt;
  return {
    schema_version: "halt.v1",
    ...headOf(ports, runRoot, manifest),
    kind,
    ...given({ retry_at }),
    details,
    next_commands: commandsAfter(ports, runRoot, manifest, halt),
  };
}

export function timeoutHalt(
  ports: Surroundings,
  runRoot: string,
  manifest: Readonly<Manifest>,
  late: TimeoutJudgement,
): TimeoutHalt {
  const { elapsed_s, timeout_s, timer_origin_field, timer_origin, measured } = late;
  const reason = `no progress for ${elapsed_s} s (limit ${timeout_s} s)`;
  const details = { reason, elapsed_s, timeout_s, measured, timer_origin_field, timer_origin };
  return {
    schema_version: "halt.timeout.v1",
    ...headOf(ports, runRoot, manifest),
    kind: "timeout",
    details,
    elapsed_s,
    timeout_s,
    timer_origin_field,
    timer_origin,
    checkpoint_md_path: TIMEOUT_MARKDOWN_PATH,
    next_commands: commandsAfter(ports, runRoot, manifest, { kind: "timeout", details }),
  };
}

function commandsAfter(ports: Surroundings, runRoot: string, manifest: Readonly<Manifest>, halt: KnownHalt): string[] {
  return haltSteps(halt, runRoot, manifest).map((step) => fullCommand(ports, step));
}

function headOf({ clock, runs }: Surroundings, runRoot: string, manifest: Readonly<Manifest>) {
  return {
    created_at: timestamp(clock.nowMs()),
    run_id: manifest.run_id,
    manifest_path: runs.placeOf(runRoot, MANIFEST_FILE),
    stage: manifest.stage.current,
    last_step: lastStep(manifest),
    last_good_checkpoint: { seq: manifest.journal.seq, digest: manifest.journal.digest },
    usage: manifest.usage,
  };
}

/** The step of the current stage that began last among those under way; when none is, the one that ended last. */
function lastStep({ steps }: Readonly<Manifest>): PlainHalt["last_step"] {
  const underWay = Object.entries(steps).filter(([, { state }]) => state === "started");
  const ended = Object.entries(steps).filter(([, { ended_at }]) => ended_at !== undefined);
  const moved = underWay.length > 0 ? underWay : ended;
  const when = ([, step]: (typeof moved)[number]): string => step.ended_at ?? step.started_at ?? "";
  const last = moved.sort((a, b) => (when(a) < when(b) ? -1 : when(a) > when(b) ? 1 : a[0] < b[0] ? -1 : 1)).at(-1);
  return last === undefined ? null : { key: last[0], state: last[1].state, attempts: last[1].attempts };
}
