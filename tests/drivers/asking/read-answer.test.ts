// Tests of reading what is handed in by its schema: what a text holds is taken where no text is wanted, and nowhere else.
import { describe, expect, test } from "bun:test";
import { jsonSchemaOf, nameAmong, readAnswer } from "../../../src/drivers/asking/read-answer.ts";
import { z } from "../../../src/kernel/zod.ts";

const schema = z.object({
  parts: z.array(z.object({ id: z.string().regex(/^[a-z][a-z-]*$/), text: z.string().max(40) })),
  kind: z.enum(["overview", "not_asked"]).optional(),
  size: z.number().int().optional(),
  share: z.literal([0, 0.5, 1]).optional(),
  isWhole: z.boolean().optional(),
  about: z.object({ notes: z.array(z.string()) }).optional(),
});
const PARTS = [{ id: "one", text: '["no list", "but words"]' }];
const read = (value: unknown) => readAnswer(schema, typeof value === "string" ? value : JSON.stringify(value));
const twice = (value: unknown): string => JSON.stringify(JSON.stringify(value));

describe("where the schema wants something else, what the text holds is taken", () => {
  test.each<[string, unknown]>([
    ["a list", { parts: JSON.stringify(PARTS) }],
    ["a list with a comma too many", { parts: JSON.stringify(PARTS).replace(/\]$/, ",]") }],
    ["a list in a fence", { parts: `\`\`\`json\n${JSON.stringify(PARTS)}\n\`\`\`` }],
    ["a list of texts that hold objects", { parts: PARTS.map((part) => JSON.stringify(part)) }],
    ["a text of a text", { parts: twice(PARTS) }],
    ["all of it", twice({ parts: PARTS })],
    ["all of it, twice", JSON.stringify(twice({ parts: PARTS }))],
    ["all of it, with a list in it", twice({ parts: JSON.stringify(PARTS) })],
  ])("%s", (_what, value) => {
    expect(read(value)).toEqual({ kind: "fit", value: { parts: PARTS } });
  });

  test("numbers, truth values, members of objects, and words of a list in another case", () => {
    const about = JSON.stringify({ notes: JSON.stringify(["a", "b"]) });
    const value = { parts: "[]", kind: "NOT_ASKED", size: "12", share: "0.5", isWhole: "true", about };
    expect(read(value)).toEqual({
      kind: "fit",
      value: { parts: [], kind: "not_asked", size: 12, share: 0.5, isWhole: true, about: { notes: ["a", "b"] } },
    });
  });

  test("ids in another case", () => {
    const parts = [{ id: "Crash Recovery", text: "T" }];
    expect(read({ parts })).toMatchObject({ value: { parts: [{ id: "crash-recovery", text: "T" }] } });
  });
});

describe("nothing is loosened", () => {
  test.each<[string, unknown]>([
    ["words where a list is wanted", { parts: "one and two" }],
    ["an object where a list is wanted", { parts: '{"id":"one"}' }],
    ["a list where a number is wanted", { parts: [], size: "[1]" }],
    ["a fraction where a whole number is wanted", { parts: [], size: "1.5" }],
    ["a number where a list is wanted", { parts: 7 }],
    ["a word that is none of the list", { parts: [], kind: "over view" }],
    ["a list where a text is wanted", { parts: [{ id: "one", text: ["a"] }] }],
    ["an id that no case makes fit", { parts: [{ id: "1!", text: "T" }] }],
    ["nothing", {}],
  ])("%s is refused", (_what, value) => {
    expect(read(value).kind).toBe("unfit");
  });

  test("a text that looks like a list or an object stays a text", () => {
    const parts = [{ id: "one", text: '{"text": "T"}' }];
    expect(read({ parts })).toEqual({ kind: "fit", value: { parts } });
    expect(read({ parts: JSON.stringify(parts) })).toEqual({ kind: "fit", value: { parts } });
  });

  test("keys of prototypes change nothing but themselves", () => {
    expect(read('{"parts":"[]","__proto__":{"size":3}}')).toEqual({ kind: "fit", value: { parts: [] } });
    expect(({} as { size?: number }).size).toBeUndefined();
  });

  test("thousands of texts inside texts are read in no time that anybody notices", () => {
    const parts = Array.from({ length: 20_000 }, () => JSON.stringify({ id: "One", text: "T" }));
    expect(read({ parts: JSON.stringify(parts) }).kind).toBe("fit");
  });
});

test("what is only too long can be judged for its other faults, and is refused", () => {
  const parts = [{ id: "one", text: "x".repeat(50) }];
  expect(read({ parts })).toMatchObject({
    kind: "unfit",
    problems: [expect.stringContaining("parts.0.text")],
    nearly: { parts: [{ id: "one", text: "x".repeat(40) }] },
  });
  expect(read({ parts: [{ id: 7, text: "T" }] })).not.toHaveProperty("nearly");
});

test("what has all the types is told with the faults by other rules, whatever else is wrong with its form", () => {
  const schema = z.object({
    id: z.string().regex(/^[a-z]+$/),
    kind: z.enum(["one", "two"]),
    coverage: z.literal([0, 1]),
    names: z.array(z.string().max(3)).min(1),
  });
  const nearly = (value: object): unknown => {
    const read = readAnswer(schema, JSON.stringify(value));
    return read.kind === "unfit" ? read.nearly : "fit";
  };
  const fit = { id: "a", kind: "one", coverage: 1, names: ["x"] };
  for (const wrong of [{ id: "a1!" }, { kind: "three" }, { coverage: 2 }, { names: [] }])
    expect(nearly({ ...fit, ...wrong })).toMatchObject(wrong);
  expect(nearly({ ...fit, id: "a1!", names: ["xxxx"] })).toEqual({ ...fit, id: "a1!", names: ["xxx"] });
  for (const wrong of [{ id: 1 }, { kind: undefined }, { coverage: "all" }, { names: "x, y" }, { names: [1] }])
    expect([wrong, nearly({ ...fit, ...wrong })]).toEqual([wrong, undefined]);
});

test("a name that is known may be written in another case, where that is one name", () => {
  const named = z.object({ id: nameAmong(["s1", "Gain", "gain"]) });
  const idOf = (id: string) => readAnswer(named, JSON.stringify({ id }));
  expect(idOf(" S1 ")).toEqual({ kind: "fit", value: { id: "s1" } });
  expect(idOf("Gain")).toEqual({ kind: "fit", value: { id: "Gain" } });
  expect(idOf("GAIN")).toEqual({ kind: "fit", value: { id: "GAIN" } });
  expect(jsonSchemaOf(named)).toMatchObject({ properties: { id: { type: "string" } }, required: ["id"] });
});
