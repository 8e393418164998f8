// docs/formats.md names every kind of record, and lists the fields of those formats that have no schema file.
import { expect, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";
import { z } from "../../src/kernel/zod.ts";
import { blockedUrlsSchema } from "../../src/run/report/blocked-urls.ts";
import { RECORD_KINDS } from "../../src/run/log/record.ts";
import { citationSchema, pivotSchema, planSchema, summarySchema } from "../../src/run/report/research.ts";
import { stageFileSchema } from "../../src/run/log/stage-folds.ts";
import { differences, readFieldList } from "./field-list.ts";

const page = fs.readFileSync(path.resolve(import.meta.dir, "../../docs/formats.md"), "utf8");

/** A list on the page is a block of text that is named by its format. */
const SCHEMAS: Record<string, z.ZodType> = {
  "stage.v1": stageFileSchema,
  "perspectives.json": planSchema,
  "pivot.json": pivotSchema,
  "citations.jsonl": citationSchema,
  "blocked-urls.v1": blockedUrlsSchema,
  "summary-pack.v1": z.object({ schema_version: z.string(), summaries: z.array(summarySchema) }),
};

function blockOf(name: string): string {
  const [, block] = new RegExp(`^\`\`\`text ${name.replaceAll(".", "\\.")}\n([^]*?)^\`\`\``, "m").exec(page) ?? [];
  expect(block, `docs/formats.md has no block "text ${name}"`).toBeDefined();
  return (block ?? "").trim();
}

for (const [name, schema] of Object.entries(SCHEMAS)) {
  test(`the fields of ${name} are those of its schema`, () => {
    expect(differences(readFieldList(blockOf(name)), schema)).toEqual([]);
  });
}

test("every kind of record stands in the list, and no other", () => {
  const [, list = ""] = /A record says:\n\n((?:[- ].*\n)+)/.exec(page) ?? [];
  const names = list.split(/^- /m).flatMap((item) => [...item.slice(0, item.indexOf(":")).matchAll(/`([\w.]+)`/g)]);
  expect(names.map(([, kind = ""]) => kind).toSorted()).toEqual(RECORD_KINDS.toSorted());
});

test("every list on the page is compared", () => {
  const named = [...page.matchAll(/^```text (.+)$/gm)].map(([, name = ""]) => name);
  expect(named.toSorted()).toEqual(Object.keys(SCHEMAS).toSorted());
});

test("control: a field too many, one too few and a wrong mark are found, inside of others too", () => {
  const schema = z.object({
    a: z.string(),
    b: z.number().optional(),
    c: z.array(z.object({ d: z.string(), e: z.string() })),
    f: z.record(z.string(), z.object({ g: z.string() })).nullable(),
  });
  const problemsOf = (list: string): string[] => differences(readFieldList(list), schema);
  expect(problemsOf("{a, b?, c: [{d, e}], f}")).toEqual([]);
  expect(problemsOf("{a, b?, c: [{d}], f}")).toEqual(["c.e is not listed"]);
  expect(problemsOf("{a, b, c, f, x}")).toEqual(["b may be absent", "x is in no schema"]);
  expect(() => readFieldList("{a, b")).toThrow("is missing");
});
