// Reads what a model, an agent or a person submits by its schema: where the schema wants something else than a text and a text
// holds just that, it is taken. What the schema wants as a text stays as it was written.
import { isObject } from "../../kernel/json-object.ts";
import { describeCause, isFault } from "../../kernel/errors.ts";
import { z } from "../../kernel/zod.ts";
import { parseWrittenJson } from "../../kernel/written-json.ts";
import { unlessThrown } from "../../kernel/unless-thrown.ts";

export type ReadAnswer<T> = { kind: "fit"; value: T } | { kind: "unfit"; problems: string[]; nearly?: T };

/** Each round reads one level of texts inside texts. */
const MAX_ROUNDS = 8;

/**
 * Reads one JSON object. Empty text is an empty object. `nearly`: what has the types that the schema wants, cut where it is
 * too long, so that the faults by other rules can be named along with those of its form.
 */
export function readAnswer<T>(schema: z.ZodType<T>, text: string): ReadAnswer<T> {
  let read: { value: unknown };
  try {
    read = { value: text.trim() === "" ? {} : parseWrittenJson(text) };
  } catch (error) {
    return { kind: "unfit", problems: [jsonProblem(error)] };
  }
  let parsed = schema.safeParse(read.value);
  for (let round = 0; round < MAX_ROUNDS && !parsed.success; round++) {
    if (!changeAt(parsed.error.issues, read, asWanted)) break;
    parsed = schema.safeParse(read.value);
  }
  if (parsed.success) return { kind: "fit", value: parsed.data };
  const { issues } = parsed.error;
  changeAt(issues, read, withinBounds);
  const cut = schema.safeParse(read.value);
  // Where each fault is one of words and numbers and none of types, the rules can judge what was written.
  const isTyped = cut.error?.issues.every((issue) => keepsTheType(issue, read)) ?? false;
  return {
    kind: "unfit",
    problems: issues.map(({ path, message }) => `${path.join(".") || "the object"}: ${message}`),
    ...(cut.success ? { nearly: cut.data } : isTyped ? { nearly: read.value as T } : {}),
  };
}

export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" }) as Record<string, unknown>;
  return rest;
}

/** A name that is to be one of those that are known: see `asKnown`. */
export function nameAmong(known: Iterable<string>): z.ZodType<string> {
  return z.string().transform(asKnown(known));
}

/** Gives a name that is written in another case as it is known. An unknown one stays as it is. */
export function asKnown(known: Iterable<string>): (name: string) => string {
  const names = new Set(known);
  const inAnyCase = Map.groupBy(names, folded);
  return (name) => {
    const [only = name, ...others] = names.has(name) ? [name] : (inAnyCase.get(folded(name)) ?? []);
    return others.length === 0 ? only : name;
  };
}

function folded(name: string): string {
  return name.trim().toLowerCase();
}

function jsonProblem(error: unknown): string {
  if (!isFault(error, "SCHEMA_VALIDATION_FAILED")) return describeCause(error);
  const { reason = error.code, line, column } = error.facts;
  return line === undefined ? reason : `${reason}, at line ${line}, column ${String(column)}`;
}

// --- by the schema ------------------------------------------------------------------------------------------------

/** Changes in place what each issue is about. False when nothing changes. */
function changeAt(
  issues: readonly z.core.$ZodIssue[],
  read: { value: unknown },
  change: (issue: z.core.$ZodIssue, found: unknown) => unknown,
): boolean {
  let hasChanged = false;
  for (const issue of issues) {
    const path = ["value", ...issue.path];
    const parent = path.slice(0, -1).reduce((inner: unknown, key) => memberAt(inner, key), read);
    const key = path.at(-1) ?? "value";
    const found = memberAt(parent, key);
    const changed = change(issue, found);
    if (changed === found) continue;
    Object.assign(Object(parent), { [key]: changed });
    hasChanged = true;
  }
  return hasChanged;
}

/** A text that is too short, unknown or in another form is still a text, and an empty list is a list. */
function keepsTheType(issue: z.core.$ZodIssue, read: { value: unknown }): boolean {
  if (issue.code !== "invalid_value") return ["too_big", "too_small", "invalid_format", "custom"].includes(issue.code);
  const found = ["value", ...issue.path].reduce((inner: unknown, key) => memberAt(inner, key), read);
  return issue.values.every((one) => typeof one === typeof found);
}

function memberAt(parent: unknown, key: PropertyKey): unknown {
  return Object.getOwnPropertyDescriptor(Object(parent), key)?.value;
}

/** The value that the schema wants, where a text holds it. */
function asWanted(issue: z.core.$ZodIssue, found: unknown): unknown {
  if (typeof found !== "string") return found;
  if (issue.code === "invalid_type") return heldIn(found, issue.expected);
  if (issue.code === "invalid_format") return folded(found).replace(/[\s_]+/gu, "-");
  if (issue.code !== "invalid_value") return found;
  const wanted = issue.values.filter((one) => folded(String(one)) === folded(found));
  return wanted.length === 1 ? wanted[0] : found;
}

/** A list, an object, a number or a truth value that a text holds as JSON. */
function heldIn(text: string, wanted: string): unknown {
  const held = unlessThrown(() => parseWrittenJson(text), text);
  const kind = Array.isArray(held) ? "array" : isObject(held) ? "object" : typeof held;
  // A text that holds a text may hold what is wanted one level deeper.
  return kind === wanted || (kind === "string" && held !== text) || (wanted === "int" && kind === "number")
    ? held
    : text;
}

/** What is too long, cut. */
function withinBounds(issue: z.core.$ZodIssue, found: unknown): unknown {
  if (issue.code !== "too_big" || !(typeof found === "string" || Array.isArray(found))) return found;
  return found.slice(0, Number(issue.maximum));
}
