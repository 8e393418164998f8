// The environment variables that this tool reads, checked at the door.
import { isAbsolute, join, resolve } from "node:path";
import { RunError } from "../kernel/errors.ts";
import { z } from "../kernel/schema.ts";
import { MAX_LEASE_S, MIN_LEASE_S } from "../run/lease.ts";
import type { Host } from "./host.ts";

const MAX_STAGE_TIMEOUT_S = 7 * 86_400;
/** Heartbeats that fit into a lease that was set without one. */
const HEARTBEATS_PER_LEASE = 4;

const seconds = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?$/, "not a number of seconds")
    .transform(Number)
    .pipe(z.number().min(least).max(most))
    .optional();

const numbersSchema = z.object({
  DEEP_RESEARCH_LEASE_SECONDS: seconds(MIN_LEASE_S, MAX_LEASE_S),
  DEEP_RESEARCH_HEARTBEAT_SECONDS: seconds(0.01, MAX_LEASE_S),
  DEEP_RESEARCH_STAGE_TIMEOUT_SECONDS: seconds(0.001, MAX_STAGE_TIMEOUT_S),
});
const NUMBERS = [
  "DEEP_RESEARCH_LEASE_SECONDS",
  "DEEP_RESEARCH_HEARTBEAT_SECONDS",
  "DEEP_RESEARCH_STAGE_TIMEOUT_SECONDS",
] as const;
type Numbers = z.infer<typeof numbersSchema>;

export interface Environment {
  /** Where runs are kept; errors: `INVALID_ARGS` when nothing says where. */
  runsRoot(): string;
  /** The folder of the shared index; null when nothing says where. */
  indexFolder: string | null;
  lease: { lease_seconds?: number; heartbeat_seconds?: number };
  stageTimeoutSeconds: number | undefined;
}

/** Empty variables count as unset, and so do XDG folders that are not absolute, as their specification has it. */
export function readEnvironment({ environment, workingFolder }: Host): Environment {
  const valueOf = (name: string): string | undefined => environment[name] || undefined;
  const numbers = numbersIn(valueOf);
  const [home, runsRoot] = [valueOf("HOME"), valueOf("DEEP_RESEARCH_RUNS_ROOT")];
  const base = (xdg: string | undefined, ...fallback: string[]): string | null => {
    if (xdg !== undefined && isAbsolute(xdg)) return xdg;
    return home === undefined ? null : join(home, ...fallback);
  };
  const data = base(valueOf("XDG_DATA_HOME"), ".local", "share");
  const cache = base(valueOf("XDG_CACHE_HOME"), ".cache");
  return {
    runsRoot() {
      if (runsRoot !== undefined) return resolve(workingFolder, runsRoot);
      if (data === null) {
        throw new RunError("INVALID_ARGS", {
          reason: "nothing says where runs are kept: HOME is not set",
          variable: "HOME",
        });
      }
      return join(data, "deep-research", "runs");
    },
    indexFolder: cache === null ? null : join(cache, "deep-research", "index"),
    lease: leaseOf(numbers.DEEP_RESEARCH_LEASE_SECONDS, numbers.DEEP_RESEARCH_HEARTBEAT_SECONDS),
    stageTimeoutSeconds: numbers.DEEP_RESEARCH_STAGE_TIMEOUT_SECONDS,
  };
}

/** Most environments set none of them, and then no schema is needed. */
function numbersIn(valueOf: (name: string) => string | undefined): Numbers {
  const given = NUMBERS.flatMap((name) => (valueOf(name) === undefined ? [] : [[name, valueOf(name)]]));
  if (given.length === 0) return {};
  const parsed = numbersSchema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const variable = String(issue?.path[0]);
  throw new RunError("INVALID_ARGS", {
    reason: `the environment variable ${variable}: ${issue?.message}`,
    variable,
    found: valueOf(variable),
  });
}

function leaseOf(lease_seconds: number | undefined, heartbeat: number | undefined): Environment["lease"] {
  const heartbeat_seconds =
    heartbeat ?? (lease_seconds === undefined ? undefined : lease_seconds / HEARTBEATS_PER_LEASE);
  if (lease_seconds !== undefined && heartbeat_seconds !== undefined && heartbeat_seconds >= lease_seconds) {
    throw new RunError("INVALID_ARGS", {
      reason: "the heartbeat must be shorter than the lease",
      lease_seconds,
      heartbeat_seconds,
    });
  }
  return {
    ...(lease_seconds === undefined ? {} : { lease_seconds }),
    ...(heartbeat_seconds === undefined ? {} : { heartbeat_seconds }),
  };
}
