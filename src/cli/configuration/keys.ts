// The keys of configuration: options that a file or a variable may stand in for, and keys that only files have.
import { CACHE_DIR } from "./environment.ts";
import { CONFIGURED } from "../options/run-options.ts";
import { COMMON, type OptionTable } from "../options/options.ts";

/** Options by their long names; each also has a variable, except lists. */
export const SETTINGS = {
  runsRoot: COMMON.runsRoot,
  cacheDir: CACHE_DIR,
  ...CONFIGURED,
  quiet: COMMON.quiet,
  noColor: COMMON.noColor,
} satisfies OptionTable;

/** Keys that no option has. */
export const FILE_KEYS = [
  "providers",
  "allowed_hosts",
  "models",
  "prices",
  "limits",
  "timeouts",
  "retention",
  "on_halt",
] as const;

/** Variables that are not the name of an option. */
export const OTHER_VARIABLES = [
  "DEEP_RESEARCH_LEASE_SECONDS",
  "DEEP_RESEARCH_HEARTBEAT_SECONDS",
  "DEEP_RESEARCH_STAGE_TIMEOUT_SECONDS",
  "DEEP_RESEARCH_API_KEY",
  "DEEP_RESEARCH_TELEMETRY_SINK",
  "DEEP_RESEARCH_DEBUG",
  // What the tests read.
  "DEEP_RESEARCH_SWEEP",
  "DEEP_RESEARCH_SEED",
  "DEEP_RESEARCH_SHARD",
  // What a command of on_halt is told.
  "DEEP_RESEARCH_RUN_ID",
  "DEEP_RESEARCH_RUN_ROOT",
  "DEEP_RESEARCH_HALT_KIND",
  "DEEP_RESEARCH_HALT_PATH",
] as const;

/** Keys that start programs, send keys or documents elsewhere, or decide what is deleted: why a workspace may not say them. */
export const TRUSTED_KEYS: ReadonlyMap<string, string> = new Map([
  ["on_halt", "it starts a program"],
  ["retention", "it decides which runs are deleted"],
  ["providers", "it starts programs and names endpoints"],
  ["allowed_hosts", "it decides where documents may be sent"],
  ["driver", "it decides whether documents are sent to a model"],
  ["model", "it decides where documents are sent"],
  ["role_model", "it decides where documents are sent"],
  ["model_base_url", "it decides where keys and documents are sent"],
  ["prices", "it decides what a limit of cost means"],
]);

/** Folders that a workspace may only name inside its own folder. */
export const FOLDERS_OF_WORKSPACE: ReadonlySet<string> = new Set(["corpus", "cache_dir"]);
