// Late schemas read values as zod's own do, and nothing is made before the first value is read.
import { expect, test } from "bun:test";
import { z as eager } from "zod";
import { z } from "../../src/kernel/schema.ts";

function schemaWith(kit: typeof z) {
  const state = kit.enum(["on", "off", "broken"]);
  const head = { name: kit.string().min(1).max(5), at: kit.iso.datetime().optional() };
  return kit.discriminatedUnion("kind", [
    kit.object({
      kind: kit.literal("a"),
      ...head,
      state: state.exclude(["broken"]),
      tags: kit.array(kit.string()).max(2),
    }),
    kit.object({
      kind: kit.literal("b"),
      ...head,
      counts: kit.record(kit.string(), kit.number().int().min(0)).nullable(),
    }),
  ]);
}

const VALUES: unknown[] = [
  { kind: "a", name: "x", state: "on", tags: [] },
  { kind: "a", name: "x", state: "broken", tags: [] },
  { kind: "a", name: "", state: "on", tags: ["1", "2", "3"] },
  { kind: "b", name: "x", counts: { one: 1 }, unknown: true },
  { kind: "b", name: "x", counts: { one: -1 }, at: "yesterday" },
  { kind: "b", name: "x", counts: null, at: "2026-01-01T00:00:00Z" },
  { kind: "c" },
  null,
];

test("a late schema reads every value as zod does", () => {
  for (const value of VALUES) {
    const [late, plain] = [schemaWith(z).safeParse(value), schemaWith(eager).safeParse(value)];
    expect(late.success).toBe(plain.success);
    expect(late.data).toEqual(plain.data);
    expect(late.error?.issues).toEqual(plain.error?.issues);
  }
});

test("members of an object and values of an enum can be asked for", () => {
  expect(z.enum(["a", "b"]).options).toEqual(["a", "b"]);
  expect(Object.keys(z.object({ a: z.string() }).shape)).toEqual(["a"]);
});

test("a refinement runs, and a thrown mistake in it is not hidden", () => {
  const schema = z.object({ n: z.number() }).refine(({ n }) => n > 1, { message: "too small" });
  expect(schema.safeParse({ n: 1 }).error?.issues[0]?.message).toBe("too small");
  const mistaken = z.string().refine(() => {
    throw new RangeError("mine");
  });
  expect(() => mistaken.safeParse("")).toThrow(RangeError);
});

/** What zod takes, and what becomes of it when somebody writes it into a noun. */
const WORDS: Readonly<Record<string, { make: (kit: typeof z) => z.ZodType; value: unknown }>> = {
  "words of int": { make: (kit) => kit.number().int("whole ones"), value: 1.5 },
  "words of positive": { make: (kit) => kit.number().positive("above zero"), value: 0 },
  "words of min": { make: (kit) => kit.string().min(2, "longer"), value: "" },
  "words of custom": { make: (kit) => kit.custom((value) => value === 1, "one"), value: 2 },
  "custom without a function": { make: (kit) => kit.custom(), value: 2 },
  "a value of catch that is made": { make: (kit) => kit.number().catch(() => 7), value: "x" },
};

test.each(Object.entries(WORDS))("%s mean what they mean to zod", (_name, { make, value }) => {
  const [late, plain] = [make(z).safeParse(value), make(eager).safeParse(value)];
  expect(late.data).toEqual(plain.data);
  expect(late.error?.issues).toEqual(plain.error?.issues);
});

const REFUSED: Readonly<Record<string, (kit: typeof z) => unknown>> = {
  "words of string": (kit) => kit.string("a text"),
  "words of exclude": (kit) => kit.enum(["a", "b"]).exclude(["a"], "no"),
  "an enum of an object": (kit) => kit.enum({ A: "a" }),
  "words of safeParse": (kit) => kit.string().safeParse(1, { reportInput: true }),
  "words of parse": (kit) => kit.string().parse("x", { reportInput: true }),
  "a key that a refinement has read already": (kit) =>
    kit
      .object({ a: kit.number() })
      .refine(({ a }) => a > 1)
      .extend({ a: kit.string() }),
};

test.each(Object.entries(REFUSED))("%s are refused rather than forgotten", (_name, make) => {
  expect(() => make(z)).toThrow();
});

test("loading the nouns makes no schema", () => {
  const script = `const { z } = await import("./src/kernel/schema.ts");
    z.object({ a: z.string() });
    console.log(Object.keys(require.cache).filter((path) => path.includes("/node_modules/zod/")).length);`;
  const loaded = (code: string): string => Bun.spawnSync([process.execPath, "-e", code]).stdout.toString().trim();
  expect(loaded(script)).toBe("0");
  expect(
    Number(
      loaded(
        `require("./src/kernel/schema-parts.ts"); console.log(Object.keys(require.cache).filter((path) => path.includes("/node_modules/zod/")).length);`,
      ),
    ),
  ).toBeGreaterThan(0);
});

test("a bundle leaves out what no schema is made with, such as zod's words in other languages", async () => {
  const hasDutch = async (entry: string): Promise<boolean> => {
    const { outputs } = await Bun.build({ entrypoints: [entry], minify: true, target: "bun" });
    return (await outputs[0]?.text())?.includes("Ongeldige invoer") === true;
  };
  expect(await hasDutch("./src/kernel/schema-parts.ts")).toBe(false);
  // Control: the whole of zod has them.
  expect(await hasDutch("./src/kernel/zod.ts")).toBe(true);
});

test("a schema is compiled once it has read many values, not before, and reads them as it did", () => {
  const made = globalThis.Function;
  let compiled = 0;
  globalThis.Function = new Proxy(made, {
    construct(target, words: string[]) {
      // zod asks once whether it may compile at all.
      if (words.some((word) => word !== "")) compiled++;
      return Reflect.construct(target, words) as object;
    },
  });
  try {
    const [late, plain] = [schemaWith(z), schemaWith(eager)];
    const readAll = (times: number): void => {
      for (let at = 0; at < times; at++)
        for (const value of VALUES) expect(late.safeParse(value).success).toBe(plain.safeParse(value).success);
    };
    for (const value of VALUES) plain.safeParse(value);
    compiled = 0;
    readAll(10);
    expect(compiled).toBe(0);
    readAll(30);
    expect(compiled).toBeGreaterThan(0);
    for (const value of VALUES)
      expect(late.safeParse(value).error?.issues).toEqual(plain.safeParse(value).error?.issues);
  } finally {
    globalThis.Function = made;
  }
});
