// The use of a verb by a surface other than the command line: its name there, the fields that it takes, and how it runs.
import { RunError } from "../kernel/errors.ts";
import { type Field, type FieldTable, integer, judged, namesForFlags, text } from "../kernel/field.ts";
import { type JsonSchema, jsonSchemaOf } from "../kernel/field-schemas.ts";

export interface VerbUse {
  /** The name by which the surface calls it. */
  name: string;
  verb: string;
  /** `read` ends when the client gives up; `change` is finished all the same; `work` outlives the surface. */
  kind: "read" | "change" | "work";
  /** It makes a run, whose id is chosen before. */
  makesRun?: true;
  /** It reads documents or whole runs, so it gets a process of its own. */
  isApart?: true;
  /** Fields of its input that have no meaning here. */
  without?: readonly string[];
  /** Fields that a call has to say here. */
  needs?: readonly string[];
  /** Another name for a field. */
  alias?: { name: string; of: string };
  /** What the call says where the client leaves it out. */
  standard?: Readonly<Record<string, number>>;
  /** How many seconds a call waits for the work to stop, by default; absent where a call cannot wait. */
  waitS?: number;
}

/** What a client says, by the name of the field. */
export type Said = Readonly<Record<string, string | number | boolean | string[] | undefined>>;

/** Most clients give up after a minute. */
const MAX_WAIT_S = 50;
/** How many seconds to wait for the process that works on the run. */
export const STANDARD_WAIT_S = 20;
/** Of an input but for whole texts: a question and settings are short. */
const MAX_BYTES = 96 * 1024;
const MAX_FAULTS = 10;
const MAX_REASON = 1000;
const UNSAID = "it has to be said";

/** All that a call takes, by name. */
export function fieldsOfUse({ without = [], needs = [], alias, waitS }: VerbUse, fields: FieldTable): FieldTable {
  const taken = Object.entries(fields).flatMap(([name, field]): [string, Field][] => {
    if (without.includes(name)) return [];
    const own: [string, Field] = [name, needs.includes(name) ? demanded(field) : field];
    return alias?.of === name ? [own, [alias.name, text("", `the same as ${name}`)]] : [own];
  });
  const about = "seconds to wait until it stops, at most; 0 answers at once";
  const wait: [string, Field][] =
    waitS === undefined ? [] : [["wait", integer("SECONDS", about, { most: MAX_WAIT_S }, waitS)]];
  return Object.fromEntries([...taken, ...wait]);
}

function demanded(field: Field): Field {
  if (field.kind === "list") return field;
  if (field.kind === "flag") return { ...field, needed: UNSAID };
  const { standard: _standard, ...others } = field;
  return { ...others, needed: UNSAID };
}

function isNeeded(field: Field): boolean {
  return field.kind !== "list" && field.needed !== undefined;
}

/** JSON Schema, draft 2020-12, for clients. `fields` are those of the verb. */
export function schemaOfUse(
  use: VerbUse,
  fields: FieldTable,
): { type: "object"; properties: Record<string, JsonSchema>; required: string[]; additionalProperties: false } {
  const taken = Object.entries(fieldsOfUse(use, fields));
  return {
    type: "object",
    properties: Object.fromEntries(
      taken.map(([name, field]) => [name, jsonSchemaOf(field, use.standard?.[name])] as const),
    ),
    // What has another name may go by that one.
    required: taken.flatMap(([name, field]) => (isNeeded(field) && name !== use.alias?.of ? [name] : [])),
    additionalProperties: false,
  };
}

/** What a client said, once it fits. Errors: `INPUT_TOO_LARGE`, `INVALID_ARGS` that names each field that is wrong. */
export function saidOfUse(use: VerbUse, fields: FieldTable, given: unknown): Said {
  const taken = fieldsOfUse(use, fields);
  const refuse = (faults: readonly string[]): RunError => {
    const reason = `${use.name}: ${faults.slice(0, MAX_FAULTS).join("; ").slice(0, MAX_REASON)}`;
    return new RunError("INVALID_ARGS.unknown_field", { reason, asked: use.name, takes: Object.keys(taken) });
  };
  const all = (given ?? {}) as Said;
  refuseTooLong(all, taken);
  const { said, fault } = underOneName(use, all);
  if (fault !== null) throw refuse([fault]);
  const faults = [
    ...Object.entries(said).flatMap(([name, value]) => faultOf(taken, name, value) ?? []),
    // What the verb says of it is said to a command line.
    ...Object.entries(taken).flatMap(([name, field]) =>
      isNeeded(field) && said[name] === undefined ? [`${name}: ${UNSAID}`] : [],
    ),
  ];
  if (faults.length > 0) throw refuse(faults);
  return { ...use.standard, ...said };
}

/** Errors: `INPUT_TOO_LARGE`. */
function refuseTooLong(said: Said, taken: FieldTable): void {
  const short = Object.entries(said).filter(([name]) => {
    const field = taken[name];
    return field?.kind !== "value" || field.isContent !== true;
  });
  const bytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(short)));
  if (bytes > MAX_BYTES)
    throw new RunError("INPUT_TOO_LARGE", { reason: "the arguments are too long", bytes, max_bytes: MAX_BYTES });
}

function underOneName({ alias }: VerbUse, said: Said): { said: Said; fault: string | null } {
  if (alias === undefined) return { said, fault: null };
  const { [alias.name]: other, ...rest } = said;
  const named = rest[alias.of];
  if (other === undefined) return { said: rest, fault: null };
  const fault = named === undefined || named === other ? null : `${alias.name}: ${alias.of} says another one`;
  return { said: { ...rest, [alias.of]: other }, fault };
}

function faultOf(taken: FieldTable, name: string, value: unknown): string | null {
  if (value === undefined) return null;
  const field = Object.hasOwn(taken, name) ? taken[name] : undefined;
  if (field === undefined) return `${name}: there is no such argument`;
  try {
    judged(field, value);
    return null;
  } catch (error) {
    if (!(error instanceof RunError) || error.code !== "INVALID_ARGS") throw error;
    return `${name}: ${namesForFlags(error.facts.reason ?? error.code)}`;
  }
}
