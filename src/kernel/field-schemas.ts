// The schemas that follow from fields: of numbers in stored settings, and JSON Schema for clients.
import {
  type Field,
  helpOf,
  type ListField,
  MAX_LISTED,
  namesForFlags,
  type NumberField,
  type ValueField,
} from "./field.ts";
import { z } from "./zod.ts";

/** Equal schemas are built once, since building takes time at every start. */
const numberSchemas = new Map<string, z.ZodNumber>();

export function numberSchema({ range }: NumberField): z.ZodNumber {
  const key = JSON.stringify(range);
  const known = numberSchemas.get(key);
  if (known !== undefined) return known;
  const { isWhole, above, least = 0, most } = range;
  const number = isWhole ? z.int() : z.number();
  const made = (above === undefined ? number.min(least) : number.gt(above)).max(most);
  numberSchemas.set(key, made);
  return made;
}

type NumberTable = Readonly<Record<string, NumberField>>;

/** Members of an object that holds them all. */
export function numberSchemasOf<Table extends NumberTable>(table: Table): { [Name in keyof Table]: z.ZodNumber } {
  const schemas = Object.entries(table).map(([name, field]) => [name, numberSchema(field)]);
  return Object.fromEntries(schemas) as { [Name in keyof Table]: z.ZodNumber };
}

/** Members of an object that may leave each of them out. */
export function optionalSchemasOf<Table extends NumberTable>(
  table: Table,
): { [Name in keyof Table]: ReturnType<z.ZodNumber["optional"]> } {
  const schemas = Object.entries(table).map(([name, field]) => [name, numberSchema(field).optional()]);
  return Object.fromEntries(schemas) as { [Name in keyof Table]: ReturnType<z.ZodNumber["optional"]> };
}

export interface JsonSchema {
  [keyword: string]: string | number | boolean | string[] | JsonSchema;
}

/** JSON Schema, draft 2020-12. `standard` replaces the field's own default. */
export function jsonSchemaOf(field: Field, standard?: string | number): JsonSchema {
  const description = namesForFlags(helpOf(field, standard));
  if (field.kind === "flag") return { type: "boolean", description };
  if (field.kind === "list") return { type: "array", items: typeOf(field), maxItems: MAX_LISTED, description };
  return { ...typeOf(field), description };
}

function typeOf(field: ValueField<unknown> | ListField<unknown>): JsonSchema {
  if (field.choices !== undefined) return { type: "string", enum: [...field.choices] };
  if (field.kind === "list" || field.range === undefined) return { type: "string", minLength: 1 };
  const { isWhole, above, least = 0, most } = field.range;
  const low: JsonSchema = above === undefined ? { minimum: least } : { exclusiveMinimum: above };
  return { type: isWhole ? "integer" : "number", ...low, maximum: most };
}
