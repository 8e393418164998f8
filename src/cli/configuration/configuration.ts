// The configuration: variables, the file of the workspace and the file of the user. Each value knows where it was said.
import { isAbsolute, join, resolve } from "node:path";
import { RunError, isFault } from "../../kernel/errors.ts";
import type { Host } from "../host.ts";
import { type Field, type FieldTable, type InputOf, isGiven, variableName } from "../../kernel/field.ts";
import { wrongValue } from "../../kernel/wrong-value.ts";

export const WORKSPACE_FILE = "deep-research.json";

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

  /** Fills in what is configured where the command line says nothing. */
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
      const isValue = isFault(cause, "INVALID_ARGS.wrong_value");
      const said = cause.facts.reason ?? cause.code;
      const reason = isValue ? `${name}=${said}` : `the environment variable ${name}: ${said}`;
      const facts = { ...cause.facts, reason, variable: name };
      throw new RunError("INVALID_ARGS.variable", facts, { cause });
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
