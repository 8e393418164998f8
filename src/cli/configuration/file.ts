// Reads configuration files: strict JSON, known keys, the same readers and ranges as the options, and the trust rule.
import { dirname, resolve } from "node:path";
import { type Fault, isFault, RunError } from "../../kernel/errors.ts";
import { given } from "../../kernel/given.ts";
import { isObject } from "../../kernel/json-object.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import { shortened } from "../../kernel/shortened.ts";
import { parseStrictJson } from "../../kernel/strict-json.ts";
import type { FileKind, Layer } from "./configuration.ts";
import { GROUPS, type Group } from "./groups.ts";
import { SETTINGS } from "./keys.ts";
import { isStoredDocuments } from "../../run/settings/stored-documents.ts";
import type { Host } from "../host.ts";
import { type Field, judged, judgedOne, type Trust } from "../../kernel/field.ts";
import { wrongJson } from "../../kernel/wrong-value.ts";
import { refusalOf, saidByUser } from "./trust.ts";

const OPTIONS: ReadonlyMap<string, Field> = new Map(Object.entries(SETTINGS));
const GROUPS_BY_KEY: ReadonlyMap<string, Group> = new Map(Object.entries(GROUPS));
const MAX_SHOWN_KEY = 200;
const KNOWN_KEYS = [...OPTIONS.keys(), ...GROUPS_BY_KEY.keys()];

/** A file that was found, before it is read as configuration. */
export interface FoundFile {
  kind: FileKind;
  path: string;
  /** The path as the user would write it in the working folder. */
  name: string;
  bytes: Uint8Array;
  /** The file may start programs, send keys or documents elsewhere, and name folders outside its own. */
  isTrusted: boolean;
}

export function layersOf(
  host: Pick<Host, "realPath">,
  files: readonly FoundFile[],
): { layers: Layer[]; problems: RunError[] } {
  const problems: RunError[] = [];
  let users: ReadonlyMap<string, unknown> = new Map();
  // The user's file is the last one, and the workspace's is judged by it.
  const layers = files.toReversed().map((file) => {
    const values = valuesIn(host, file, users, problems);
    if (file.kind === "user") users = values;
    return { origin: { kind: file.kind, path: file.path }, values };
  });
  return { layers: layers.toReversed(), problems };
}

/** The settings in the file; what is wrong with it is added to the problems. */
function valuesIn(
  host: Pick<Host, "realPath">,
  file: FoundFile,
  users: ReadonlyMap<string, unknown>,
  problems: RunError[],
): Map<string, unknown> {
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
        for (const [name, found] of readKey(host, file, users, key, value)) setOnce(values, name, found);
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
  users: ReadonlyMap<string, unknown>,
  key: string,
  value: unknown,
): readonly (readonly [string, unknown])[] {
  const [group, option] = [GROUPS_BY_KEY.get(key), OPTIONS.get(key)];
  const folder = dirname(file.path);
  const judge = (name: string, trust: Trust | undefined, said: unknown): void => {
    if (file.isTrusted || trust === undefined) return;
    const bounds = {
      saidByUser: saidByUser((one) => users.get(one)),
      folders: [folder],
      realPath: host.realPath,
    };
    const refused = refusalOf(name, trust, said, bounds);
    if (refused === null) return;
    const { may, found } = refused;
    const reason = `a workspace may ${may}`;
    throw new RunError("INVALID_ARGS.workspace_may_not", { reason, ...given({ found }), trust: true });
  };
  if (group !== undefined) {
    if (group.isUsersAlone === true && file.kind !== "user")
      throw new RunError("INVALID_ARGS", { reason: `only the user's own file may say this, for ${group.trust?.why}` });
    // A list under `providers` is one of names; as objects they hold endpoints and commands.
    if (key !== "providers" || !Array.isArray(value)) judge(key, group.trust, undefined);
    const read = group.read(value, folder);
    for (const [name, found] of read) if (name === "providers") judge("provider", SETTINGS.provider.trust, found);
    return read;
  }
  if (option === undefined) {
    const [nearest] = nearestNames(key.slice(0, 80), KNOWN_KEYS);
    throw new RunError("INVALID_ARGS", { reason: "there is no such key", ...given({ did_you_mean: nearest }) });
  }
  const found = readSetting(option, value, folder);
  judge(key, option.kind === "flag" ? undefined : option.trust, found);
  return [[key, found]];
}

/** A list may be one value alone. A path is one from the folder of the file. */
function readSetting(field: Field, value: unknown, folder: string): unknown {
  if (field.kind === "flag") return judged(field, value);
  const isPath = field.word === "DIR" || field.word === "PATH";
  const readOne = (one: unknown): unknown => {
    const read = judgedOne(field, one);
    return isPath && !isStoredDocuments(String(one)) ? resolve(folder, String(one)) : read;
  };
  if (field.kind === "value") return readOne(value);
  const words: unknown[] = Array.isArray(value) ? value : [value];
  if (words.length === 0) throw wrongJson(value, "at least one value");
  return words.map(readOne);
}

// --- what is wrong ------------------------------------------------------------------------------------------------

function problemOf({ path, name }: FoundFile, key: string | null, cause: RunError): RunError {
  const { reason, key: member, line, column, ...facts } = cause.facts;
  const at = shortened([key ?? [], typeof member === "string" ? member : []].flat().join("."), MAX_SHOWN_KEY);
  const isPlaced = typeof line === "number" && typeof column === "number";
  const place = isPlaced ? ` (line ${line}, column ${column})` : at === "" ? "" : `, ${at}`;
  const named = {
    file: path,
    ...(at === "" ? {} : { key: at }),
    ...(isPlaced ? { line, column } : {}),
  };
  const isValue = isFault(cause, "INVALID_ARGS.wrong_value");
  const said = { reason: `${name}${place}${isValue ? "" : ":"} ${reason ?? cause.code}`, ...named, ...facts };
  const hasOwnAdvice = cause.fault.startsWith("INVALID_ARGS.") && !isValue;
  return hasOwnAdvice
    ? new RunError<Fault>(cause.fault, said, { cause })
    : new RunError("INVALID_ARGS.in_file", said, { cause });
}
