// Reads configuration files: strict JSON, known keys, the same readers and ranges as the options, and the trust rule.
import { dirname, resolve, sep } from "node:path";
import { type ErrorFacts, RunError } from "../../kernel/errors.ts";
import { given } from "../../kernel/given.ts";
import { isObject } from "../../kernel/json-object.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import { shortened } from "../../kernel/shortened.ts";
import { parseStrictJson } from "../../kernel/strict-json.ts";
import { SENSITIVITIES } from "../../run/settings.ts";
import type { FoundFile, Layer } from "./configuration.ts";
import { GROUPS, type Group, wrongMember } from "./groups.ts";
import { SETTINGS } from "./keys.ts";
import type { Host } from "../host.ts";
import { DRIVER } from "../options/run-options.ts";
import { BUDGETS } from "../options/model-options.ts";
import { type OptionSpec, settingName } from "../options/options.ts";

const OPTIONS: ReadonlyMap<string, OptionSpec> = new Map(
  Object.entries(SETTINGS).map(([key, spec]) => [settingName(key), spec]),
);
const GROUPS_BY_KEY: ReadonlyMap<string, Group> = new Map(Object.entries(GROUPS));
/** A workspace may name only paths inside its own folder for these. */
const FOLDERS_OF_WORKSPACE: ReadonlySet<string> = new Set(["corpus", "cache_dir"]);
const MAX_SHOWN_KEY = 200;
const KNOWN_KEYS = [...OPTIONS.keys(), ...GROUPS_BY_KEY.keys()];

export function layersOf(
  host: Pick<Host, "realPath">,
  files: readonly FoundFile[],
): { layers: Layer[]; problems: RunError[] } {
  const problems: RunError[] = [];
  const layers = files.map((file) => ({
    origin: { kind: file.kind, path: file.path },
    values: valuesIn(host, file, problems),
  }));
  problems.push(...looserThanUser(files, layers));
  return { layers, problems };
}

/** The settings in the file; what is wrong with it is added to the problems. */
function valuesIn(host: Pick<Host, "realPath">, file: FoundFile, problems: RunError[]): Map<string, unknown> {
  const values = new Map<string, unknown>();
  const attempt = (key: string | null, work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      problems.push(problemOf(file, key, error));
    }
  };
  attempt(null, () => {
    const parsed = parseStrictJson(file.bytes);
    if (!isObject(parsed)) throw new RunError("INVALID_ARGS", { reason: "expected an object of settings" });
    for (const [key, value] of Object.entries(parsed)) {
      attempt(key, () => {
        for (const [name, found] of readKey(host, file, key, value)) setOnce(values, name, found);
      });
    }
  });
  return values;
}

/** `max_rounds` and `limits.max_rounds` are one setting. */
function setOnce(values: Map<string, unknown>, name: string, value: unknown): void {
  if (values.has(name)) throw new RunError("INVALID_ARGS", { reason: `${name} is said twice` });
  values.set(name, value);
}

function readKey(
  host: Pick<Host, "realPath">,
  file: FoundFile,
  key: string,
  value: unknown,
): readonly (readonly [string, unknown])[] {
  const [group, spec] = [GROUPS_BY_KEY.get(key), OPTIONS.get(key)];
  refuseUntrusted(file, key, value, group?.trust ?? (spec?.kind === "flag" ? undefined : spec?.trust));
  const folder = dirname(file.path);
  if (group !== undefined) return group.read(value, folder);
  if (spec === undefined) {
    const [nearest] = nearestNames(key.slice(0, 80), KNOWN_KEYS);
    throw new RunError("INVALID_ARGS", { reason: "there is no such key", ...given({ did_you_mean: nearest }) });
  }
  const found = readOption(spec, value, folder);
  if (!file.isTrusted && FOLDERS_OF_WORKSPACE.has(key)) refuseOutside(host, folder, [found].flat() as string[]);
  return [[key, found]];
}

function refuseUntrusted({ isTrusted }: FoundFile, key: string, value: unknown, why: string | undefined): void {
  // A list of providers is harmless; as objects they hold endpoints and commands. The local driver sends nothing.
  const isHarmless =
    isTrusted || (key === "providers" && Array.isArray(value)) || (key === "driver" && value === DRIVER);
  if (!isHarmless && why !== undefined)
    throw new RunError("INVALID_ARGS", { reason: `a workspace may not say this, for ${why}`, trust: true });
}

/** A workspace cannot have other documents of the user read. */
function refuseOutside(host: Pick<Host, "realPath">, folder: string, named: readonly string[]): void {
  const inside = host.realPath(folder);
  const outside = named.find((path) => !`${host.realPath(path)}${sep}`.startsWith(inside === sep ? sep : inside + sep));
  if (outside !== undefined)
    throw new RunError("INVALID_ARGS", {
      reason: "a workspace may only name corpora inside its own folder",
      found: outside,
      trust: true,
    });
}

// --- values -------------------------------------------------------------------------------------------------------

function readOption(spec: OptionSpec, value: unknown, folder: string): unknown {
  if (spec.kind === "flag") {
    if (typeof value !== "boolean") throw wrongMember(value, "true or false");
    return value;
  }
  if (spec.kind === "value") return readOne(spec, value, folder);
  const words: unknown[] = Array.isArray(value) ? value : [value];
  if (words.length === 0) throw wrongMember(value, "at least one value");
  return words.map((word) => readOne(spec, word, folder));
}

function readOne(spec: Exclude<OptionSpec, { kind: "flag" }>, value: unknown, folder: string): unknown {
  const isNumber = spec.kind === "value" && spec.range !== undefined;
  if (isNumber ? typeof value !== "number" : typeof value !== "string")
    throw wrongMember(value, isNumber ? "a number" : "text in quotes");
  const read = spec.read(String(value));
  return spec.value === "DIR" || spec.value === "PATH" ? resolve(folder, String(value)) : read;
}

// --- what is wrong ------------------------------------------------------------------------------------------------

function problemOf({ path, name }: FoundFile, key: string | null, cause: RunError): RunError {
  const { reason, key: member, line, column, ...facts } = cause.facts;
  const at = shortened([key ?? [], typeof member === "string" ? member : []].flat().join("."), MAX_SHOWN_KEY);
  const isPlaced = typeof line === "number" && typeof column === "number";
  const place = isPlaced ? ` (line ${line}, column ${column})` : at === "" ? "" : `, ${at}`;
  const named: ErrorFacts = {
    file: path,
    ...(at === "" ? {} : { key: at }),
    ...(isPlaced ? { line, column } : {}),
  };
  return new RunError(
    "INVALID_ARGS",
    { reason: `${name}${place}${facts["expected"] === undefined ? ":" : ""} ${String(reason)}`, ...named, ...facts },
    { cause },
  );
}

/** A level of sensitivity, or a number. */
type Comparable = string | number;

/** A workspace may be stricter than the user about what leaves the machine and what is spent, and never looser. */
function looserThanUser(files: readonly FoundFile[], layers: readonly Layer[]): RunError[] {
  const workspace = files.find(({ kind, isTrusted }) => kind === "workspace" && !isTrusted);
  if (workspace === undefined) return [];
  const valueIn = (kind: FoundFile["kind"], key: string): Comparable | undefined =>
    layers.find(({ origin }) => origin.kind === kind)?.values.get(key) as Comparable | undefined;
  const looser = (key: string, isLooser: (theirs: Comparable, ours: Comparable) => boolean): RunError[] => {
    const [ours, theirs] = [valueIn("user", key), valueIn("workspace", key)];
    if (ours === undefined || theirs === undefined || !isLooser(theirs, ours)) return [];
    const facts = { reason: `a workspace may not be looser than the user's ${ours}`, trust: true };
    return [problemOf(workspace, key, new RunError("INVALID_ARGS", facts))];
  };
  const levelOf = (value: Comparable): number => (SENSITIVITIES as readonly unknown[]).indexOf(value);
  return [
    ...looser("sensitivity", (theirs, ours) => levelOf(theirs) < levelOf(ours)),
    ...Object.keys(BUDGETS).flatMap((key) => looser(settingName(key), (theirs, ours) => Number(theirs) > Number(ours))),
  ];
}
