// zod, built late: a schema is noted when its module loads, and made when the first value is read with it.
// Loading zod and making every schema takes twice as long as a whole `status`, and a look at a healthy run needs none.
// It is made of zod's core, which takes half as long to load and to make as what zod is usually imported as.
import type * as zod from "zod";
import { assert } from "./assert.ts";
import type * as parts from "./schema-parts.ts";

type Real = zod.core.$ZodType;
type Check = zod.core.$ZodCheck;
type Kind = keyof typeof parts.MAKERS;
type Words = readonly unknown[];

/** To compile a schema pays once it has read so many values; most commands end before. */
const COMPILED_AFTER = 200;

/** Schemas that wait to be made stand in it where zod has made ones. */
type LateDef = () => Record<string, unknown>;

let loaded: typeof parts | null = null;

function zodParts(): typeof parts {
  return (loaded ??= require("./schema-parts.ts") as typeof parts);
}

/** Has the members of zod's schemas that are used here: a call of another one fails when its module loads. */
class LateSchema {
  readonly #kind: Kind;
  readonly #def: LateDef;
  readonly #checks: readonly (() => Check)[];
  readonly #description: string | undefined;
  #real: Real | null = null;
  #reads = 0;

  constructor(kind: Kind, def: LateDef, checks: readonly (() => Check)[] = [], description?: string) {
    this.#kind = kind;
    this.#def = def;
    this.#checks = checks;
    this.#description = description;
  }

  static realOf(schema: unknown): Real {
    return schema instanceof LateSchema ? schema.#made() : (schema as Real);
  }

  parse(value: unknown, ...further: Words): unknown {
    refuseFurther(further);
    return zodParts().parse(this.#made(), value, this.#howToRead());
  }

  safeParse(value: unknown, ...further: Words): unknown {
    refuseFurther(further);
    return zodParts().safeParse(this.#made(), value, this.#howToRead());
  }

  optional(): LateSchema {
    return new LateSchema("optional", () => ({ innerType: this.#made() }));
  }

  nullable(): LateSchema {
    return new LateSchema("nullable", () => ({ innerType: this.#made() }));
  }

  catch(value: unknown): LateSchema {
    return new LateSchema("catch", () => ({
      innerType: this.#made(),
      catchValue: typeof value === "function" ? value : () => value,
    }));
  }

  transform(transform: unknown): LateSchema {
    const out = new LateSchema("transform", () => ({ transform }));
    return new LateSchema("pipe", () => ({ in: this.#made(), out: out.#made() }));
  }

  describe(description: string): LateSchema {
    return new LateSchema(this.#kind, this.#def, this.#checks, description);
  }

  min(...words: Words): LateSchema {
    return this.#with(this.#kind === "number" ? "gte" : "minLength", words);
  }

  max(...words: Words): LateSchema {
    return this.#with(this.#kind === "number" ? "lte" : "maxLength", words);
  }

  int(...words: Words): LateSchema {
    return this.#with("int", words);
  }

  gt(...words: Words): LateSchema {
    return this.#with("gt", words);
  }

  positive(...words: Words): LateSchema {
    return this.gt(0, ...words);
  }

  regex(...words: Words): LateSchema {
    return this.#with("regex", words);
  }

  refine(...words: Words): LateSchema {
    return this.#with("refine", words);
  }

  extend(shape: object): LateSchema {
    // As with zod: a check of the object may rest on what the key held before.
    const isRead = this.#checks.length > 0 && Object.keys(shape).some((key) => Object.hasOwn(this.shape, key));
    assert(!isRead, "a key of an object that is checked as a whole is not replaced");
    return new LateSchema(this.#kind, () => ({ ...this.#def(), shape: { ...this.shape, ...shape } }), this.#checks);
  }

  exclude(left: readonly string[], ...further: Words): LateSchema {
    refuseFurther(further);
    return enumOf(() => this.options.filter((option) => !left.includes(option)));
  }

  /** Of an object: the schemas of its members. */
  get shape(): Record<string, unknown> {
    return this.#def()["shape"] as Record<string, unknown>;
  }

  /** Of an enum: its values; of a union: its schemas. */
  get options(): readonly string[] {
    const { entries, options } = this.#def() as { entries?: Record<string, string>; options: readonly string[] };
    return entries === undefined ? options : Object.values(entries);
  }

  #with(check: keyof typeof parts.CHECKS, words: Words): LateSchema {
    const made = (): Check => (zodParts().CHECKS[check] as (...words: Words) => Check)(...words);
    return new LateSchema(this.#kind, this.#def, [...this.#checks, made], this.#description);
  }

  #made(): Real {
    if (this.#real !== null) return this.#real;
    const { MAKERS, globalRegistry } = zodParts();
    const checks = this.#checks.map((check) => check());
    const def = {
      ...Object.fromEntries(Object.entries(this.#def()).map(([key, member]) => [key, madeOf(member)])),
      checks,
    };
    this.#real = MAKERS[this.#kind](def);
    if (this.#description !== undefined) globalRegistry.add(this.#real, { description: this.#description });
    return this.#real;
  }

  #howToRead(): zod.core.ParseContext<zod.core.$ZodIssue> | undefined {
    return this.#reads++ < COMPILED_AFTER ? { jitless: true } : undefined;
  }
}

/** What stands in a def: schemas by themselves, in lists and in shapes. */
function madeOf(member: unknown): unknown {
  if (member instanceof LateSchema) return LateSchema.realOf(member);
  if (Array.isArray(member)) return member.map(madeOf);
  if (typeof member !== "object" || member === null || Object.getPrototypeOf(member) !== Object.prototype)
    return member;
  return Object.fromEntries(Object.entries(member).map(([key, inner]) => [key, madeOf(inner)]));
}

const plain = (kind: Kind) => (): LateSchema => new LateSchema(kind, () => ({}));

/** The words that zod takes beyond those here are refused rather than forgotten. */
function refuseFurther(words: Words): void {
  assert(words.length === 0, "a late schema takes no further words");
}

function exactly<Words extends unknown[]>(make: (...words: Words) => LateSchema): (...words: Words) => LateSchema {
  return (...words) => {
    refuseFurther(words.slice(make.length));
    return make(...words);
  };
}

function enumOf(values: () => readonly string[]): LateSchema {
  return new LateSchema("enum", () => ({ entries: Object.fromEntries(values().map((value) => [value, value])) }));
}

function objectOf(catchall: Kind | null) {
  return (shape: object): LateSchema =>
    new LateSchema("object", () => ({
      shape,
      ...(catchall === null ? {} : { catchall: new LateSchema(catchall, () => ({})) }),
    }));
}

/** An option is made when those before it do not fit. */
function unionOf(options: readonly LateSchema[]): LateSchema {
  const late = options.map((option, index) =>
    index === 0 ? option : new LateSchema("lazy", () => ({ getter: () => LateSchema.realOf(option) })),
  );
  return new LateSchema("union", () => ({ options: late }));
}

const LATE = {
  array: exactly((element: unknown) => new LateSchema("array", () => ({ element }))),
  boolean: exactly(plain("boolean")),
  custom: exactly((fn: unknown, words: unknown) => new LateSchema("custom", () => ({ fn, words }))),
  discriminatedUnion: exactly(
    (discriminator: string, options: unknown) =>
      new LateSchema("discriminatedUnion", () => ({ discriminator, options })),
  ),
  enum: exactly((values: unknown) => {
    assert(Array.isArray(values), "the values of a late enum stand in a list");
    return enumOf(() => values as readonly string[]);
  }),
  iso: { datetime: exactly(plain("datetime")) },
  literal: exactly((value: unknown) => new LateSchema("literal", () => ({ values: [value].flat() }))),
  looseObject: exactly(objectOf("unknown")),
  number: exactly(plain("number")),
  object: exactly(objectOf(null)),
  partialRecord: exactly(
    (keyType: unknown, valueType: unknown) => new LateSchema("record", () => ({ keyType, valueType, partial: true })),
  ),
  record: exactly((keyType: unknown, valueType: unknown) => new LateSchema("record", () => ({ keyType, valueType }))),
  strictObject: exactly(objectOf("never")),
  string: exactly(plain("string")),
  toJSONSchema: (schema: unknown, options: unknown) =>
    zodParts().toJSONSchema(LateSchema.realOf(schema), options as Parameters<typeof zod.toJSONSchema>[1]),
  undefined: exactly(plain("undefined")),
  union: exactly(unionOf),
  unknown: exactly(plain("unknown")),
};

/** Looks and behaves like the part of zod's `z` that it names: another name does not compile. */
export const z = LATE as unknown as Pick<typeof zod, Exclude<keyof typeof LATE, "iso">> & {
  iso: Pick<typeof zod.iso, "datetime">;
};

export declare namespace z {
  type infer<T> = zod.infer<T>;
  type ZodType<Output = unknown, Input = unknown> = zod.ZodType<Output, Input>;
  type ZodError<T = unknown> = zod.ZodError<T>;
  type ZodNumber = zod.ZodNumber;
  type Issue = zod.core.$ZodIssue;
}

/** The schema itself, for what looks inside it. */
export function builtSchema<T extends zod.core.$ZodType>(schema: T): T {
  return LateSchema.realOf(schema) as T;
}
