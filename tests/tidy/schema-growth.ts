// Compares a schema with an older one: how a program that reads by the older one fares with a value of the newer one.
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: unknown;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  [bound: string]: unknown;
}

export interface Growth {
  /** Places where it refuses what the newer one allows. */
  refused: string[];
  /** Members that it passes over. */
  unread: string[];
}

const BOUNDS = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern", "format"];

/** `grows`: whether the words at a place are a list of which a reader does not know all. */
export function growthOf(old: JsonSchema, now: JsonSchema, grows: (path: string) => boolean = () => false): Growth {
  const found: Found = { refused: [], unread: [], grows };
  compare({ root: old, at: old }, { root: now, at: now }, "", found);
  return { refused: found.refused, unread: found.unread };
}

type Found = Growth & { grows: (path: string) => boolean };

interface Place {
  root: JsonSchema;
  at: JsonSchema;
}

function resolved({ root, at }: Place): Place {
  if (at.$ref === undefined) return { root, at };
  const name = at.$ref.split("/").at(-1) ?? "";
  const target = at.$ref === "#" ? root : root.$defs?.[name];
  if (target === undefined) throw new Error(`nothing stands at ${at.$ref}`);
  return resolved({ root, at: target });
}

function compare(before: Place, after: Place, path: string, found: Found): void {
  const [old, now] = [resolved(before), resolved(after)];
  const [olds, nows] = [variantsOf(old), variantsOf(now)];
  if (olds !== null || nows !== null) {
    const known = olds ?? [old];
    for (const variant of nows ?? [now]) {
      const growths = known.map((one) => growthBetween(one, variant, path, found.grows));
      const fits = growths.find(({ refused }) => refused.length === 0);
      if (fits === undefined) found.refused.push(`${path}: another form`);
      else found.unread.push(...fits.unread);
    }
    return;
  }
  const values = found.grows(path) ? null : valuesOf(old.at);
  const further = values === null ? [] : (valuesOf(now.at) ?? ["anything"]).filter((value) => !values.includes(value));
  for (const value of further) found.refused.push(`${path}: ${String(value)}`);
  if (old.at.type !== undefined && JSON.stringify(old.at.type) !== JSON.stringify(now.at.type))
    found.refused.push(`${path}: another type`);
  for (const bound of BOUNDS)
    if (old.at[bound] !== undefined && old.at[bound] !== now.at[bound]) found.refused.push(`${path}: ${bound}`);
  compareMembers(old, now, path, found);
  if (old.at.items !== undefined && now.at.items !== undefined)
    compare({ ...old, at: old.at.items }, { ...now, at: now.at.items }, `${path}[]`, found);
}

function compareMembers(old: Place, now: Place, path: string, found: Found): void {
  const [before, after] = [old.at.properties ?? {}, now.at.properties ?? {}];
  for (const name of old.at.required ?? [])
    if (now.at.required?.includes(name) !== true) found.refused.push(`${path}.${name}: may be absent`);
  for (const [name, at] of Object.entries(after)) {
    const known = before[name];
    if (known !== undefined) compare({ ...old, at: known }, { ...now, at }, `${path}.${name}`, found);
    else if (old.at.properties === undefined) continue;
    else if (old.at.additionalProperties === false && !isOpen(old.at)) found.refused.push(`${path}.${name}`);
    else found.unread.push(`${path}.${name}`);
  }
  const [rest, others] = [old.at.additionalProperties, now.at.additionalProperties];
  if (typeof rest === "object" && typeof others === "object")
    compare({ ...old, at: rest }, { ...now, at: others }, `${path}.*`, found);
}

/** Schemas of output say `false` also where a reader passes over what it does not know; only the envelopes are strict. */
function isOpen({ properties }: JsonSchema): boolean {
  return properties?.["ok"] === undefined && properties?.["event"] === undefined;
}

function growthBetween(old: Place, now: Place, path: string, grows: Found["grows"]): Growth {
  const found: Found = { refused: [], unread: [], grows };
  compare(old, now, path, found);
  return found;
}

function variantsOf({ root, at }: Place): Place[] | null {
  return (at.anyOf ?? at.oneOf)?.map((one) => ({ root, at: one })) ?? null;
}

function valuesOf(schema: JsonSchema): unknown[] | null {
  return schema.enum ?? ("const" in schema ? [schema.const] : null);
}
