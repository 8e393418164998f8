// Builds halts: the facts of the run where it stands, and the commands that go on from there.
import { commandFor } from "../run/next-commands.ts";
import { shellQuote } from "../kernel/shell.ts";
import { timestamp } from "../ports/clock.ts";
import type { Ports } from "../ports/ports.ts";
import { TIMEOUT_MARKDOWN_PATH, type HaltKind, type PlainHalt, type TimeoutHalt } from "../run/halt.ts";
import type { GateVerdict } from "../run/gate.ts";
import { MAX_ROUNDS, type Limits } from "../run/settings.ts";
import type { Manifest } from "../run/manifest.ts";
import { MANIFEST_FILE } from "../run/layout.ts";
import type { TimeoutJudgement } from "./watchdog.ts";

type Surroundings = Pick<Ports, "clock" | "cliInvocation">;

export function plainHalt(
  ports: Surroundings,
  runRoot: string,
  manifest: Readonly<Manifest>,
  halt: { kind: Exclude<HaltKind, "timeout">; details: Record<string, unknown>; retryAt?: string | undefined },
): PlainHalt {
  const { kind, details, retryAt } = halt;
  return {
    schema_version: "halt.v1",
    ...headOf(ports, runRoot, manifest),
    kind,
    ...(retryAt === undefined ? {} : { retry_at: retryAt }),
    details,
    next_commands: nextCommands(ports, runRoot, kind, manifest, { ...details, retry_at: retryAt }),
  };
}

export function timeoutHalt(
  ports: Surroundings,
  runRoot: string,
  manifest: Readonly<Manifest>,
  late: TimeoutJudgement,
): TimeoutHalt {
  const { elapsed_s, timeout_s, timer_origin_field, timer_origin } = late;
  return {
    schema_version: "halt.timeout.v1",
    ...headOf(ports, runRoot, manifest),
    elapsed_s,
    timeout_s,
    timer_origin_field,
    timer_origin,
    checkpoint_md_path: TIMEOUT_MARKDOWN_PATH,
    next_commands: nextCommands(ports, runRoot, "timeout", manifest, {}),
  };
}

function headOf({ clock }: Surroundings, runRoot: string, manifest: Readonly<Manifest>) {
  return {
    created_at: timestamp(clock.nowMs()),
    run_id: manifest.run_id,
    manifest_path: `${runRoot}/${MANIFEST_FILE}`,
    stage: manifest.stage.current,
    last_step: lastStep(manifest),
    last_good_checkpoint: { seq: manifest.journal.seq, digest: manifest.journal.digest },
    usage: manifest.usage,
  };
}

/** The step of the current stage that is under way, the one begun last; when none is, the one that ended last. */
function lastStep({ steps }: Readonly<Manifest>): PlainHalt["last_step"] {
  const underWay = Object.entries(steps).filter(([, { state }]) => state === "started");
  const ended = Object.entries(steps).filter(([, { ended_at }]) => ended_at !== undefined);
  const moved = underWay.length > 0 ? underWay : ended;
  const when = ([, step]: (typeof moved)[number]): string => step.ended_at ?? step.started_at ?? "";
  const last = moved.sort((a, b) => (when(a) < when(b) ? -1 : when(a) > when(b) ? 1 : a[0] < b[0] ? -1 : 1)).at(-1);
  return last === undefined ? null : { key: last[0], state: last[1].state, attempts: last[1].attempts };
}

/** What goes on from here first, then where to look; after a timeout somebody has to look before anything goes on. */
function nextCommands(
  ports: Surroundings,
  runRoot: string,
  kind: HaltKind,
  { settings, limits }: Readonly<Manifest>,
  details: Record<string, unknown>,
): string[] {
  const command = (verb: string, ...flags: string[]): string => commandFor(ports, verb, runRoot, ...flags);
  const look = [command("inspect"), command("triage")];
  switch (kind) {
    case "timeout":
      return [...look, command("fork")];
    case "drift": {
      const isToFork = settings.policies.on_drift === "fork";
      const accept = command("resume", "--on-drift", "continue");
      return [...(isToFork ? [command("resume", "--on-drift", "fork"), accept] : [accept, command("fork")]), ...look];
    }
    case "no_evidence":
      // A fork asks the same question of the same documents: it would end here again.
      return [command("resume"), ...look];
    case "tool_outcome_unknown": {
      const call = ["--call", shellQuote(String(details["call"]))];
      return [command("settle", ...call, "--assume-done"), command("settle", ...call, "--replay"), ...look];
    }
    case "quota":
      // Without a time no tick ends it.
      return [...(details["retry_at"] === undefined ? [] : [command("tick")]), command("resume"), ...look];
    case "budget": {
      // No raised limit helps where a price is not known.
      if (details["unknown_price"] !== undefined) return [command("resume"), command("fork"), ...look];
      const option = `--${String(details["budget"]).replaceAll("_", "-")}`;
      const more = Math.ceil(Number(details["would_be"]) * 2 * 100) / 100;
      return [command("resume", option, String(option.endsWith("-usd") ? more : Math.ceil(more))), ...look];
    }
    default: {
      const failed = Array.isArray(details["gates"]) ? (details["gates"] as GateVerdict[]) : [];
      const waysOut = failed.flatMap((gate) => waysThrough(gate, limits).map((words) => command(...words)));
      if (typeof details["resume_with"] === "string")
        waysOut.push(command("resume", ...details["resume_with"].split(" ")));
      // A gate looks at what is stored: judged again, it finds what it found.
      const on = waysOut.length > 0 ? waysOut : [command("resume")];
      return [...on, command("fork"), ...look];
    }
  }
}

const MORE_ROUNDS = 2;

/** What may lead through a gate that failed: judging again what was not checked, or another limit. */
function waysThrough({ gate, metrics }: GateVerdict, limits: Limits): [verb: string, ...flags: string[]][] {
  const [notChecked, share, rounds, use] = ["not_checked", "unsupported_share", "rounds", "citation_use"].map((name) =>
    Number(metrics[name] ?? 0),
  ) as [number, number, number, number];
  const retry = gate === "C" && notChecked > 0 ? [["verify", "--retry"] as [string, string]] : [];
  const flags: string[] = [];
  if (share > limits.max_unsupported_share) flags.push("--max-unsupported-share", String(share));
  if (gate === "E" && rounds >= limits.max_rounds && rounds < MAX_ROUNDS && metrics["accepted"] === false)
    flags.push("--max-rounds", String(Math.min(rounds + MORE_ROUNDS, MAX_ROUNDS)));
  if (gate === "E" && use < limits.min_citation_use) flags.push("--min-citation-use", String(use));
  return [...retry, ...(flags.length === 0 ? [] : [["resume", ...flags] as [string, ...string[]]])];
}
