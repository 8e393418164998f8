// Field lists as docs/formats.md writes them, `{name, name?, name: {inner}, name: [{inner}]}`, and the same of a schema.
import { z } from "../../src/kernel/zod.ts";

/** A field with the fields inside it, where they are listed. */
export interface Field {
  name: string;
  isOptional: boolean;
  inner: Field[] | null;
}

/** Reads a list in braces; a name in angle brackets stands for any key. */
export function readFieldList(text: string): Field[] {
  let at = 0;
  const skipSpace = (): void => {
    while (/\s/.test(text[at] ?? "")) at++;
  };
  const take = (expected: string): boolean => {
    skipSpace();
    if (text[at] !== expected) return false;
    at++;
    return true;
  };
  const must = (expected: string): void => {
    if (!take(expected)) throw new Error(`${expected} is missing before: ${text.slice(at, at + 40)}`);
  };
  const readList = (): Field[] => {
    const fields: Field[] = [];
    must("{");
    while (!take("}")) {
      if (fields.length > 0) must(",");
      skipSpace();
      const [whole = "", name = "", mark] = /^(\w+|<\w+>)(\?)?/.exec(text.slice(at)) ?? [];
      if (name === "") throw new Error(`no name at: ${text.slice(at, at + 40)}`);
      at += whole.length;
      fields.push({ name, isOptional: mark === "?", inner: take(":") ? readValue() : null });
    }
    return fields;
  };
  const readValue = (): Field[] => {
    const isList = take("[");
    const inner = readList();
    if (isList) must("]");
    return inner;
  };
  const fields = readList();
  skipSpace();
  if (at !== text.length) throw new Error(`more stands behind the list: ${text.slice(at, at + 40)}`);
  return fields;
}

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  anyOf?: (JsonSchema & { type?: string })[];
}

/** Where the list and the schema differ, by the path of the field; fields inside one that lists none are not compared. */
export function differences(fields: readonly Field[], schema: z.ZodType): string[] {
  return compare(fields, z.toJSONSchema(schema, { unrepresentable: "any" }) as JsonSchema, "");
}

function compare(fields: readonly Field[], schema: JsonSchema, path: string): string[] {
  const [only] = fields;
  if (fields.length === 1 && only?.name.startsWith("<") === true)
    return only.inner === null ? [] : compare(only.inner, valueOf(schema), `${path}${only.name}.`);
  const { properties = {}, required = [] } = objectIn(schema);
  const listed = new Map(fields.map((field) => [field.name, field]));
  return [
    ...Object.keys(properties)
      .filter((name) => !listed.has(name))
      .map((name) => `${path}${name} is not listed`),
    ...fields.flatMap(({ name, isOptional, inner }) => {
      const found = properties[name];
      if (found === undefined) return [`${path}${name} is in no schema`];
      const marked = isOptional === !required.includes(name);
      return [
        ...(marked ? [] : [`${path}${name} ${isOptional ? "has to be there" : "may be absent"}`]),
        ...(inner === null ? [] : compare(inner, found, `${path}${name}.`)),
      ];
    }),
  ];
}

/** The object that a field holds: itself, each of its list, or what it is when it is not null. */
function objectIn(schema: JsonSchema): JsonSchema {
  if (schema.items !== undefined) return objectIn(schema.items);
  const [option] = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  return option === undefined ? schema : objectIn(option);
}

/** What stands under each key of a map. */
function valueOf(schema: JsonSchema): JsonSchema {
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
}
