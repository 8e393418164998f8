// The keys of configuration: options that a file or a variable may stand in for, and keys that only files have.
import { CACHE_DIR, TELEMETRY_VARIABLE } from "./environment.ts";
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

/** Variables that are not the name of an option. */
export const OTHER_VARIABLES = [
  "DEEP_RESEARCH_API_KEY",
  TELEMETRY_VARIABLE,
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
