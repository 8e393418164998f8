// zod, built late: a schema is noted when its module loads, and made when the first value is read with it.
// Loading zod and making every schema takes twice as long as a whole `status`, and a look at a healthy run needs none.
import type * as zod from "zod";
import type * as parts from "./schema-parts.ts";

/** Looks and behaves like the part of zod's `z` that schema-parts.ts names: another name does not compile. */
export const z = deferred(() => require("./schema-parts.ts") as typeof parts) as unknown as typeof parts;

export declare namespace z {
  type infer<T> = zod.infer<T>;
  type ZodType<Output = unknown, Input = unknown> = zod.ZodType<Output, Input>;
  type ZodError<T = unknown> = zod.ZodError<T>;
  type ZodNumber = zod.ZodNumber;
}

/**
 * What only builds a further schema can wait. Anything else makes the schema at once, so that a name that is missing
 * here costs time and nothing else.
 */
const BUILDERS = new Set(
  "object strictObject looseObject string number boolean enum literal record partialRecord array union discriminatedUnion unknown undefined custom describe optional nullable min max int positive regex refine extend exclude transform pipe iso datetime".split(
    " ",
  ),
);

const REAL = Symbol("real");

/** To compile a schema pays once it has read so many values; most commands end before. */
const COMPILED_AFTER = 200;

function deferred(make: () => unknown): object {
  let made: { real: unknown } | null = null;
  let read = 0;
  const real = (): unknown => (made ??= { real: make() }).real;
  return new Proxy(function () {}, {
    get(_target, key) {
      if (key === REAL) return real();
      if ((key === "safeParse" || key === "parse") && read++ < COMPILED_AFTER)
        return (value: unknown) => (real() as zod.ZodType)[key](value, { jitless: true });
      if (typeof key === "string" && BUILDERS.has(key)) return deferred(() => memberOf(real(), key));
      return memberOf(real(), key);
    },
    has: (_target, key) => Reflect.has(real() as object, key),
    apply: (_target, _self, words) =>
      deferred(() => (real() as (...words: unknown[]) => unknown)(...words.map(realOf))),
  });
}

/** The schema itself, for what looks inside it. */
export function builtSchema<T extends zod.core.$ZodType>(schema: T): T {
  return realOf(schema) as T;
}

function memberOf(owner: unknown, key: string | symbol): unknown {
  const member = Reflect.get(owner as object, key) as unknown;
  return typeof member === "function" ? member.bind(owner) : member;
}

/** Schemas stand inside plain objects and lists, too. */
function realOf(word: unknown): unknown {
  if (typeof word === "function") return (word as { [REAL]?: unknown })[REAL] ?? word;
  if (Array.isArray(word)) return word.map(realOf);
  if (typeof word !== "object" || word === null || Object.getPrototypeOf(word) !== Object.prototype) return word;
  return Object.fromEntries(Object.entries(word).map(([key, member]) => [key, realOf(member)]));
}
