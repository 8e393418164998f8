// The settings that have an option, and the variables that have none.
import { CACHE_DIR, TELEMETRY_VARIABLE } from "./environment.ts";
import { CONFIGURED } from "../options/run-options.ts";
import { type FieldTable } from "../../kernel/field.ts";
import { COMMON } from "../options/options.ts";

/** Each can be said in a file, and all but lists in a variable. */
export const SETTINGS = {
  runs_root: COMMON.runs_root,
  cache_dir: CACHE_DIR,
  ...CONFIGURED,
  quiet: COMMON.quiet,
  no_color: COMMON.no_color,
} satisfies FieldTable;

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
