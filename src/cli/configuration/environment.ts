// Settings that are no option of a run: the folders of runs and of the index, leases, time limits, and what the ports need.
import { given } from "../../kernel/given.ts";
import { join } from "node:path";
import type { Host } from "../host.ts";
import { RunError } from "../../kernel/errors.ts";
import { PROVIDER_IDS } from "../../run/common.ts";
import { MAX_LEASE_S, MIN_LEASE_S } from "../../run/lease.ts";
import { MAX_STAGE_TIMEOUT_S } from "../../run/stage.ts";
import { Configuration, standardFolder } from "./configuration.ts";
import { decimal, type FieldTable, text, trusted } from "../../kernel/field.ts";
import { COMMON } from "../options/options.ts";
import type { Prices } from "../../run/money/prices.ts";
import type { ProvidersConfiguration } from "../../run/settings/provider-settings.ts";
import { rerankModel } from "../../run/settings/rank.ts";
import type { PortsConfig, StoreConfig } from "../../wiring.ts";
import { STORED_RUNS_ROOT } from "./store.ts";

export const TELEMETRY_VARIABLE = "DEEP_RESEARCH_TELEMETRY_SINK";
export const MIN_STAGE_TIMEOUT_S = 0.001;
/** How often a lease is refreshed where only its length was set. */
export const HEARTBEATS_PER_LEASE = 4;

/** Only variables set these. */
export const TIMES = {
  lease_seconds: decimal("SECONDS", "how long a lease lasts", { least: MIN_LEASE_S, most: MAX_LEASE_S }),
  heartbeat_seconds: decimal("SECONDS", "how often it is refreshed", { least: 0.01, most: MAX_LEASE_S }),
  stage_timeout_seconds: decimal("SECONDS", "the limit of every stage", {
    least: MIN_STAGE_TIMEOUT_S,
    most: MAX_STAGE_TIMEOUT_S,
  }),
} satisfies FieldTable;
const NO_TIMES = { lease_seconds: undefined, heartbeat_seconds: undefined, stage_timeout_seconds: undefined };

export interface Times {
  lease: { lease_seconds?: number; heartbeat_seconds?: number };
  stageTimeoutSeconds: number | undefined;
}

export interface Environment extends Times {
  /** The folder of runs. Errors: `INVALID_ARGS` when nothing says where. */
  runsRoot(): string;
  /** The folder of the shared index; null when nothing says where. */
  indexFolder: string | null;
  /** Where damage that was met in runs is noted; null where nothing says where. */
  damageFolder: string | null;
  /** Where it is noted how models did in the check of rankers; null where nothing says where. */
  rankersFolder: string | null;
  /** Where a report is written to be opened; null where nothing says where. */
  openFolder: string | null;
}

export const CACHE_DIR = trusted(
  text(
    "DIR",
    "where the index is kept, in index below it, notes of damage and of rankers, in damage and rankers, and opened reports, in open",
  ),
  "inside",
  "the index is written there",
);

/** An empty variable counts as unset. So does an XDG folder that is not absolute: the XDG specification says so. */
export function readEnvironment(
  host: Pick<Host, "environment" | "workingFolder">,
  configuration = new Configuration(host),
  store?: StoreConfig,
): Environment {
  const cache = configuration.find("cache_dir", CACHE_DIR)?.value ?? standardFolder(host, "cache");
  return {
    runsRoot() {
      const said = configuration.find("runs_root", COMMON.runs_root)?.value;
      if (typeof said === "string") return said;
      if (store !== undefined) return STORED_RUNS_ROOT;
      const data = standardFolder(host, "data");
      if (data !== null) return join(data, "runs");
      throw new RunError("INVALID_ARGS.variable", {
        reason: "nothing says where runs are kept: HOME is not set",
        variable: "HOME",
      });
    },
    indexFolder: typeof cache === "string" ? join(cache, "index") : null,
    damageFolder: typeof cache === "string" ? join(cache, "damage") : null,
    rankersFolder: typeof cache === "string" ? join(cache, "rankers") : null,
    openFolder: typeof cache === "string" ? join(cache, "open") : null,
    ...readTimes(configuration),
  };
}

/** Errors: `INVALID_ARGS` that names the variable. */
export function readTimes(configuration: Configuration): Times {
  const said = configuration.supplement(TIMES, NO_TIMES);
  const { lease_seconds, stage_timeout_seconds: stageTimeoutSeconds } = said;
  const heartbeat_seconds =
    said.heartbeat_seconds ?? (lease_seconds === undefined ? undefined : lease_seconds / HEARTBEATS_PER_LEASE);
  if (lease_seconds !== undefined && heartbeat_seconds !== undefined && heartbeat_seconds >= lease_seconds) {
    throw new RunError("INVALID_ARGS", {
      reason: "the heartbeat must be shorter than the lease",
      lease_seconds,
      heartbeat_seconds,
    });
  }
  return { lease: given({ lease_seconds, heartbeat_seconds }), stageTimeoutSeconds };
}

export function portsConfig(
  host: Pick<Host, "environment" | "cliInvocation">,
  { indexFolder, damageFolder, rankersFolder }: Pick<Environment, "indexFolder" | "damageFolder" | "rankersFolder">,
  configuration: Configuration,
): PortsConfig {
  // Each was read by its schema (groups.ts).
  const valueOf = (key: string): unknown => configuration.inFiles(key)?.value;
  const providers = Object.fromEntries(PROVIDER_IDS.map((id) => [id, valueOf(`providers.${id}`)]));
  const prices = valueOf("prices") as Prices | undefined;
  const allowedHosts = valueOf("allowed_hosts") as string[] | undefined;
  const rerank = valueOf("rerank") as Parameters<typeof rerankModel>[0] | undefined;
  return {
    indexFolder,
    damageFolder,
    rankersFolder,
    cliInvocation: host.cliInvocation,
    environment: host.environment,
    providers: given(providers) as ProvidersConfiguration,
    allowedHosts: allowedHosts ?? [],
    ...given({ prices, reranker: rerank === undefined ? undefined : rerankModel(rerank) }),
  };
}
