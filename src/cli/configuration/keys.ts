// The settings that have an option, and the variables that have none.
import { CACHE_DIR, TELEMETRY_VARIABLE } from "./environment.ts";
import { type FieldTable, without } from "../../kernel/field.ts";
import { CALL_FIELDS, RUN_FIELDS } from "../../run/settings/fields.ts";
import { COMMON } from "../options/options.ts";

const { run_id: _run, chat_id: _chat, bundle: _bundle, ...OF_EVERY_RUN } = RUN_FIELDS;
/** The options that may be configured. Files say the bounds of calls under `models`. */
export const CONFIGURED = without(OF_EVERY_RUN, CALL_FIELDS);
/** Each can be said in a file, and all but lists in a variable. */
export const SETTINGS = {
  runs_root: COMMON.runs_root,
  cache_dir: CACHE_DIR,
  store: COMMON.store,
  store_file: COMMON.store_file,
  store_schema: COMMON.store_schema,
  ...CONFIGURED,
  quiet: COMMON.quiet,
  no_color: COMMON.no_color,
} satisfies FieldTable;

/** Variables without an option. */
export const OTHER_VARIABLES = [
  "DEEP_RESEARCH_API_KEY",
  "DEEP_RESEARCH_RERANK_API_KEY",
  TELEMETRY_VARIABLE,
  "DEEP_RESEARCH_DEBUG",
  // Set for the program of on_halt.
  "DEEP_RESEARCH_RUN_ID",
  "DEEP_RESEARCH_RUN_ROOT",
  "DEEP_RESEARCH_HALT_KIND",
  "DEEP_RESEARCH_HALT_PATH",
] as const;
