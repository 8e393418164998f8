// The rule for formats: whatever an older program would misread has a new name. Each release keeps its schemas in tests/fixtures/schemas.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { jsonSchemaOf, SCHEMAS } from "../../src/surface/schemas.ts";
import { growthOf, type JsonSchema } from "./schema-growth.ts";

type Schemas = Record<string, JsonSchema>;

const RELEASES = join(import.meta.dir, "../fixtures/schemas");
const NOW = Object.fromEntries(Object.entries(SCHEMAS).map(([name, one]) => [name, jsonSchemaOf(one) as JsonSchema]));

/** The first record of a run names its journal, and an older program refuses the run by that name: the rest stands behind it. */
const DOOR = "journal";
/** These are read alone, without the run that they come from. */
const ALONE = ["dr.cli", "dr.event", "report", "bundle"];
/** Lists of words, of which a reader does not know them all. docs/formats.md says so. */
const GROWING = [".error.code", ".halt.kind"];

const stemOf = (name: string): string => name.replace(/\.v\d+$/, "");

function misread(then: Schemas, now: Schemas): string[] {
  const hasDoor = Object.keys(now).some((name) => stemOf(name) === DOOR && then[name] !== undefined);
  return Object.entries(now).flatMap(([name, schema]) => {
    const old = then[name];
    if (old === undefined) return [];
    const { refused, unread } = growthOf(old, schema, (path) => GROWING.includes(path));
    const isAlone = ALONE.includes(stemOf(name));
    const grown = isAlone ? refused : hasDoor ? [...refused, ...unread] : [];
    return grown.map((one) => `${name}${one}`);
  });
}

test.each(readdirSync(RELEASES))("a program of the release %s misreads nothing that this one writes", (file) => {
  const bytes = Bun.gunzipSync(readFileSync(join(RELEASES, file)));
  const then = JSON.parse(new TextDecoder().decode(bytes)) as Schemas;
  expect(Object.keys(then).length).toBeGreaterThan(10);
  expect(misread(then, NOW)).toEqual([]);
});

test("control: with the name of the journal of that release, what has changed behind it is named", () => {
  const then = structuredClone(NOW);
  delete then["source.v1"]?.properties?.["text_from"];
  then["report.v2"]?.required?.push("answered");
  expect(misread(then, NOW)).toEqual(["report.v2.answered: may be absent", "source.v1.text_from"]);
  const { "journal.v2": journal = {}, ...others } = then;
  expect(misread({ ...others, "journal.v1": journal }, NOW)).toEqual(["report.v2.answered: may be absent"]);
});

test("control: a wider value, a looser bound and another form are found, a narrower value is not", () => {
  const object = (properties: Schemas, required: string[] = []): JsonSchema => ({
    type: "object",
    properties,
    required,
  });
  const text: JsonSchema = { type: "string", maxLength: 5 };
  const old = object({ kind: { enum: ["a", "b"] }, text, either: { anyOf: [{ type: "string" }, { type: "null" }] } }, [
    "kind",
  ]);
  const now = object({ kind: { enum: ["a", "c"] }, text: { type: "string" }, either: { type: "number" }, more: text });
  expect(growthOf(old, now)).toEqual({
    refused: [".kind: may be absent", ".kind: c", ".text: maxLength", ".either: another form"],
    unread: [".more"],
  });
  expect(
    growthOf(now, object({ kind: { enum: ["a"] }, text: { type: "string" }, either: { type: "number" }, more: text })),
  ).toEqual({ refused: [], unread: [] });
});
