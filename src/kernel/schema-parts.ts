// The parts of zod that late schemas are made with; schema.ts loads them when the first value is read with a schema.
// Each stands here by its name, so that the built program leaves out the rest: it takes longer to load than these do.
import {
  $ZodArray,
  $ZodBoolean,
  $ZodCatch,
  $ZodCustom,
  $ZodDiscriminatedUnion,
  $ZodEnum,
  $ZodISODateTime,
  $ZodLazy,
  $ZodLiteral,
  $ZodNever,
  $ZodNullable,
  $ZodNumber,
  $ZodNumberFormat,
  $ZodObjectJIT,
  $ZodOptional,
  $ZodPipe,
  $ZodRecord,
  $ZodString,
  $ZodTransform,
  $ZodUndefined,
  $ZodUnion,
  $ZodUnknown,
  _custom,
  _gt,
  _gte,
  _int,
  _isoDateTime,
  _lte,
  _maxLength,
  _minLength,
  _refine,
  _regex,
  config,
  globalRegistry,
  parse,
  safeParse,
  toJSONSchema,
  type $ZodType,
} from "zod/v4/core";
import en from "zod/v4/locales/en.js";

// The words of errors: the core of zod has none by itself.
config(en());

export { globalRegistry, parse, safeParse, toJSONSchema };

/** How a schema of each kind is made from what zod calls its def, without its type. */
export const MAKERS = {
  array: made($ZodArray, "array"),
  boolean: made($ZodBoolean, "boolean"),
  catch: made($ZodCatch, "catch"),
  custom: ({ fn, words, checks }) => {
    const told = typeof words === "string" ? { message: words } : (words as object | undefined);
    return _custom($ZodCustom, (fn ?? (() => true)) as (value: unknown) => unknown, { ...told, checks } as object);
  },
  datetime: (def) => _isoDateTime($ZodISODateTime, def),
  discriminatedUnion: made($ZodDiscriminatedUnion, "union"),
  enum: made($ZodEnum, "enum"),
  lazy: made($ZodLazy, "lazy"),
  literal: made($ZodLiteral, "literal"),
  never: made($ZodNever, "never"),
  nullable: made($ZodNullable, "nullable"),
  number: made($ZodNumber, "number"),
  object: made($ZodObjectJIT, "object"),
  optional: made($ZodOptional, "optional"),
  pipe: made($ZodPipe, "pipe"),
  record: made($ZodRecord, "record"),
  string: made($ZodString, "string"),
  transform: made($ZodTransform, "transform"),
  undefined: made($ZodUndefined, "undefined"),
  union: made($ZodUnion, "union"),
  unknown: made($ZodUnknown, "unknown"),
} satisfies Record<string, Maker>;

/** What is asked of values beyond their type. */
export const CHECKS = {
  gt: _gt,
  gte: _gte,
  int: (words?: string) => _int($ZodNumberFormat, words),
  lte: _lte,
  maxLength: _maxLength,
  minLength: _minLength,
  refine: (fn: (value: unknown) => unknown, words?: string | { message: string }) => _refine($ZodCustom, fn, words),
  regex: _regex,
};

type Maker = (def: Record<string, unknown>) => $ZodType;

function made(Schema: unknown, type: string): Maker {
  return (def) => new (Schema as new (def: object) => $ZodType)({ type, ...def });
}
