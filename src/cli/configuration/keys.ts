// The settings that have an option, and the variables that have none.
import { CACHE_DIR, TELEMETRY_VARIABLE } from "./environment.ts";
import { CONFIGURED } from "../options/run-options.ts";
import { COMMON, type OptionTable } from "../options/options.ts";

/** By the key of the option. Each can be said in a file, and all but lists in a variable. */
export const SETTINGS = {
  runsRoot: COMMON.runsRoot,
  cacheDir: CACHE_DIR,
  ...CONFIGURED,
  quiet: COMMON.quiet,
  noColor: COMMON.noColor,
} satisfies OptionTable;

/** Variables that stand for no option. */
export const OTHER_VARIABLES = [
  "DEEP_RESEARCH_API_KEY",
  TELEMETRY_VARIABLE,
  "DEEP_RESEARCH_DEBUG",
  // Read by the tests.
  "DEEP_RESEARCH_SWEEP",
  "DEEP_RESEARCH_SEED",
  "DEEP_RESEARCH_SHARD",
  // Set for the program of on_halt.
  "DEEP_RESEARCH_RUN_ID",
  "DEEP_RESEARCH_RUN_ROOT",
  "DEEP_RESEARCH_HALT_KIND",
  "DEEP_RESEARCH_HALT_PATH",
] as const;
