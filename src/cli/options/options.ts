// The options that many commands share.
import { basename } from "node:path";
import { RunError } from "../../kernel/errors.ts";
import { RUN_ID_RULE } from "../../kernel/ids.ts";
import { MANIFEST_FILE } from "../../run/log/layout.ts";
import {
  flag,
  flagName,
  type FieldTable,
  type InputOf,
  integer,
  listOf,
  type ListField,
  type NumberField,
  oneOf,
  text,
  trusted,
  type ValueField,
} from "../../kernel/field.ts";
import { wrongValue } from "../../kernel/wrong-value.ts";
import { type ExecutionState, executionStateSchema } from "../../run/log/lifecycle.ts";

// --- what many commands share -------------------------------------------------------------------------------------

export const COMMON = {
  json: flag("print one JSON object (dr.cli.v1) on stdout"),
  runs_root: text("DIR", "where runs are kept"),
  store: trusted(
    text("URL", "keep runs in this PostgreSQL instead of folders, without a password in it"),
    "nothing",
    "runs, and what they quote, would go elsewhere",
  ),
  store_file: trusted(
    text("PATH", "the same, read from this file, which may say the password"),
    "nothing",
    "runs, and what they quote, would go elsewhere",
  ),
  store_schema: trusted(
    text("NAME", "the schema of the store", "deep_research"),
    "nothing",
    "runs, and what they quote, would go elsewhere",
  ),
  quiet: flag("no progress on stderr"),
  no_color: flag("no colours (as NO_COLOR)"),
  config: text("FILE", "read this configuration file instead of the workspace's deep-research.json"),
  trust_workspace: flag("let deep-research.json of the workspace start programs and name folders elsewhere"),
} satisfies FieldTable;
export type CommonValues = InputOf<typeof COMMON>;

export const SELECTOR = {
  manifest: text("PATH", "the run by its manifest.json"),
  run_root: text("PATH", "the run by its folder"),
  run_id: text("ID", "the run by its id"),
} satisfies FieldTable;
export type SelectorValues = InputOf<typeof SELECTOR>;

export const version = (about: string, standard?: string): NumberField =>
  integer("N", about, { least: 1, most: 1_000_000 }, standard);
export const VERSION = version("this version", "the current one");

export const ALLOW_DAMAGED = flag("also where a source that it quotes is missing or was altered");

export const EVENTS = {
  jsonl: flag("print each event as one JSON line (dr.event.v1), the result last; instead of --json"),
} satisfies FieldTable;

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

export const AGE_PATTERN = /^(\d{1,6})([mhdw])$/;

/** In milliseconds. */
export function age(word: string, about: string): ValueField<number> {
  return {
    ...text(word, about),
    read(raw) {
      const [, number, unit = ""] = AGE_PATTERN.exec(raw) ?? [];
      const unitMs = UNIT_MS[unit];
      if (number === undefined || unitMs === undefined) throw wrongValue(raw, "an age as 45m, 12h, 30d or 8w");
      return Number(number) * unitMs;
    },
  };
}

const STATE = oneOf("STATE", "", executionStateSchema.options);

export function states(about: string): ListField<ExecutionState[]> {
  const words = `${about} (commas may join them): ${STATE.choices.join(", ")}`;
  return listOf({ ...STATE, about: words, read: (raw: string) => raw.split(",").map(oneState) });
}

function oneState(raw: string): ExecutionState {
  // A halt is no state of its own: next to it a run is running, paused or interrupted.
  if (raw === "stopped" || raw === "halted")
    throw new RunError("INVALID_ARGS", {
      reason: `"${raw}" is no state; --halted picks runs that a halt stopped`,
      did_you_mean: "--halted",
    });
  return STATE.read(raw);
}

/**
 * The run that a command line names, as an input names it: an id, or a path, which holds a slash. Errors: `INVALID_ARGS` when it
 * is named more than once, or by what names none.
 */
export function runNamed(
  ref: string | undefined,
  { manifest, run_root, run_id }: Partial<SelectorValues>,
): string | undefined {
  const named = [ref, run_root, manifest, run_id].filter((name) => name !== undefined);
  if (named.length > 1) throw new RunError("INVALID_ARGS", { reason: "the run is named more than once", named });
  if (manifest !== undefined && basename(manifest) !== MANIFEST_FILE)
    throw new RunError("INVALID_ARGS", { reason: `not a ${MANIFEST_FILE}`, path: manifest });
  if (run_id?.includes("/") === true)
    throw new RunError("INVALID_ARGS", { reason: `not a run id, which ${RUN_ID_RULE}`, run_id: run_id.slice(0, 200) });
  const path = run_root ?? manifest;
  return path === undefined || path.includes("/") ? (path ?? ref ?? run_id) : `./${path}`;
}

/** Errors: `INVALID_ARGS` when one of the options was given. */
export function refuseOptions<Input extends object>(
  values: Input,
  keys: readonly (keyof Input & string)[],
  why: string,
): void {
  const found = keys.find((key) => values[key] !== undefined && values[key] !== false);
  if (found === undefined) return;
  throw new RunError("INVALID_ARGS", { reason: `${flagName(found)} ${why}`, option: flagName(found) });
}

/** `--all` is about every run. Errors: `INVALID_ARGS` when one run is named, or an option of one run is given. */
export function refuseBesideAll<Input extends { run?: string | undefined }>(
  values: Input,
  ofOneRun: readonly (keyof Input & string)[] = [],
): void {
  const { run } = values;
  if (run !== undefined)
    throw new RunError("INVALID_ARGS", { reason: "--all means every run: name none with it", option: "--all", run });
  refuseOptions(values, ofOneRun, "is about one run and cannot be combined with --all");
}
