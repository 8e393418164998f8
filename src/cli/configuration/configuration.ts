// The configuration: variables, the file of the workspace and the file of the user. Each value knows where it was said.
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { RunError } from "../../kernel/errors.ts";
import type { Host } from "../host.ts";
import { type Field, type FieldTable, type InputOf, isGiven, variableName, wrongValue } from "../../kernel/field.ts";

export const WORKSPACE_FILE = "deep-research.json";
const MAX_FILE_BYTES = 1024 * 1024;

/** Whose file it is: that of the working folder, that of the user, or the one that --config names. */
export type FileKind = "workspace" | "user" | "given";
export type Origin = { kind: "variable"; name: string } | { kind: FileKind; path: string };

/** One value and where it was said. */
export interface Said {
  value: unknown;
  origin: Origin;
}

/** The settings in one file. A member of a group goes by a name such as `limits.max_gaps`. */
export interface Layer {
  origin: { kind: FileKind; path: string };
  values: ReadonlyMap<string, unknown>;
}

type Surroundings = Pick<Host, "environment" | "workingFolder">;

/** A variable comes before the files, and a nearer file before the others. */
export class Configuration {
  readonly layers: readonly Layer[];
  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings, layers: readonly Layer[] = []) {
    this.#surroundings = surroundings;
    this.layers = layers;
  }

  /** Errors: `INVALID_ARGS` that names the variable. */
  find(name: string, field: Field): Said | undefined {
    return this.#inVariable(name, field) ?? this.inFiles(name);
  }

  inFiles(name: string): Said | undefined {
    const layer = this.layers.find(({ values }) => values.has(name));
    return layer === undefined ? undefined : { value: layer.values.get(name), origin: layer.origin };
  }

  /** The members of a group. Where several files say one, the nearest counts. */
  group(group: string): Record<string, unknown> {
    const said = this.layers.toReversed().flatMap(({ values }) => [...values]);
    const members = said.filter(([name]) => name.startsWith(`${group}.`));
    return Object.fromEntries(members.map(([name, value]) => [name.slice(group.length + 1), value]));
  }

  /** Fills in what is configured wherever the command line says nothing. */
  supplement<Table extends FieldTable, Values extends InputOf<Table>>(table: Table, values: Values): Values {
    const filled: Record<string, unknown> = { ...values };
    for (const [name, field] of Object.entries(table)) {
      if (isGiven(filled[name])) continue;
      const said = this.find(name, field);
      if (said !== undefined) filled[name] = said.value;
    }
    // Variables and files are read by the same table of options, so each value has its type.
    return filled as Values;
  }

  #inVariable(key: string, field: Field): Said | undefined {
    const name = variableName(key);
    const raw = this.#surroundings.environment[name] || undefined;
    if (raw === undefined || field.kind === "list") return undefined;
    try {
      const value = field.kind === "flag" ? readSwitch(raw) : field.read(raw);
      const isFolder = field.kind === "value" && field.word === "DIR";
      return {
        value: isFolder ? resolve(this.#surroundings.workingFolder, raw) : value,
        origin: { kind: "variable", name },
      };
    } catch (cause) {
      if (!(cause instanceof RunError)) throw cause;
      const { reason: said, expected } = cause.facts;
      const reason =
        expected === undefined ? `the environment variable ${name}: ${String(said)}` : `${name}=${String(said)}`;
      throw new RunError(cause.code, { ...cause.facts, reason, variable: name }, { cause });
    }
  }
}

function readSwitch(raw: string): boolean {
  if (raw === "1" || raw === "true") return true;
  if (raw === "0" || raw === "false") return false;
  throw wrongValue(raw, "1 or 0");
}

// --- folders ----------------------------------------------------------------------------------------------------------

/** The folders of the XDG base directory specification. */
const STANDARD_FOLDERS = {
  data: ["XDG_DATA_HOME", ".local", "share"],
  cache: ["XDG_CACHE_HOME", ".cache"],
  config: ["XDG_CONFIG_HOME", ".config"],
  state: ["XDG_STATE_HOME", ".local", "state"],
} as const;

/** This tool's own folder of a kind; null when nothing says where. */
export function standardFolder(
  { environment }: Pick<Host, "environment">,
  kind: keyof typeof STANDARD_FOLDERS,
): string | null {
  const [variable, ...fallback] = STANDARD_FOLDERS[kind];
  const [xdg, home] = [environment[variable], environment["HOME"]];
  if (xdg && isAbsolute(xdg)) return join(xdg, "deep-research");
  return home && isAbsolute(home) ? join(home, ...fallback, "deep-research") : null;
}

// --- finding the files --------------------------------------------------------------------------------------------

export interface ConfigurationFlags {
  config?: string | undefined;
  trust_workspace?: boolean;
}

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

/** Errors: the first problem of the files. */
export async function loadConfiguration(host: Host, flags: ConfigurationFlags): Promise<Configuration> {
  const { configuration, problems } = await readConfiguration(host, flags);
  const [first] = problems;
  if (first !== undefined) throw first;
  return configuration;
}

/** The settings in the files, and everything that is wrong with these. */
export async function readConfiguration(
  host: Host,
  flags: ConfigurationFlags,
): Promise<{ configuration: Configuration; problems: RunError[] }> {
  const problems: RunError[] = [];
  const attempt = (find: () => FoundFile | null): FoundFile[] => {
    try {
      return [find() ?? []].flat();
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      problems.push(error);
      return [];
    }
  };
  const files = [
    ...attempt(() => (flags.config === undefined ? workspaceFile(host, flags) : givenFile(host, flags.config))),
    ...attempt(() => userFile(host)),
  ];
  if (files.length === 0) return { configuration: new Configuration(host), problems };
  const { layersOf } = await import("./file.ts");
  const read = layersOf(host, files);
  return { configuration: new Configuration(host, read.layers), problems: [...problems, ...read.problems] };
}

/** The nearest in the working folder or above. */
function workspaceFile(host: Host, { trust_workspace: isTrusted = false }: ConfigurationFlags): FoundFile | null {
  for (let folder = host.workingFolder; ; folder = dirname(folder)) {
    const path = join(folder, WORKSPACE_FILE);
    const found = read(host, path);
    if (found !== null) {
      if (!isTrusted && dirname(found.realPath) !== host.realPath(folder))
        throw refused(path, "it is a link that leads out of its folder", { trust: true });
      return { kind: "workspace", path, name: relative(host.workingFolder, path), bytes: found.bytes, isTrusted };
    }
    if (folder === dirname(folder)) return null;
  }
}

function userFile(host: Host): FoundFile | null {
  const path = userFilePath(host);
  const found = path === null ? null : read(host, path);
  return path === null || found === null
    ? null
    : { kind: "user", path, name: path, bytes: found.bytes, isTrusted: true };
}

/** Null when nothing says where the user's files are. */
export function userFilePath(host: Pick<Host, "environment">): string | null {
  const folder = standardFolder(host, "config");
  return folder === null ? null : join(folder, "config.json");
}

function givenFile(host: Host, named: string): FoundFile {
  const path = resolve(host.workingFolder, named);
  const found = read(host, path);
  if (found === null) throw refused(path, "it is not there", { option: "--config" });
  return { kind: "given", path, name: named, bytes: found.bytes, isTrusted: true };
}

function read(host: Host, path: string): { bytes: Uint8Array; realPath: string } | null {
  const found = host.readSmallFile(path, MAX_FILE_BYTES);
  if (found.kind === "refused") throw refused(path, found.why);
  return found.kind === "absent" ? null : found;
}

function refused(file: string, why: string, facts: Record<string, unknown> = {}): RunError {
  return new RunError("INVALID_ARGS", { reason: `the configuration file cannot be used: ${why}`, file, ...facts });
}
