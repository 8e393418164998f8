// docs/formats.md lists the fields of every stored format as its schema has them.
import { expect, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { blockedUrlsSchema } from "../../src/run/blocked-urls.ts";
import { plainHaltSchema, timeoutHaltSchema } from "../../src/run/halt.ts";
import { leaseRecordSchema } from "../../src/run/lease.ts";
import { manifestSchema } from "../../src/run/manifest.ts";
import { dataSchemaOf, RECORD_KINDS, type RecordKind } from "../../src/run/record.ts";
import { reportV2Schema, reportVersionSchema } from "../../src/run/report.ts";
import { requestSchema } from "../../src/run/request.ts";
import { citationSchema, findingsSchema, pivotSchema, planSchema, summarySchema } from "../../src/run/research.ts";
import { settingsSchema } from "../../src/run/settings.ts";
import { quoteSchema, sourceSchema } from "../../src/run/source.ts";
import { stageFileSchema } from "../../src/run/stage-folds.ts";
import { differences, readFieldList } from "./field-list.ts";

const page = fs.readFileSync(path.resolve(import.meta.dir, "../../docs/formats.md"), "utf8");

/** A list on the page is a block of text that is named by its format. */
const SCHEMAS: Record<string, z.ZodType> = {
  "manifest.v1": manifestSchema.extend({ digest: z.string() }),
  settings: settingsSchema,
  "report version": reportVersionSchema,
  "stage.v1": stageFileSchema,
  "perspectives.json": planSchema,
  "pivot.json": pivotSchema,
  "citations.jsonl": citationSchema,
  "blocked-urls.v1": blockedUrlsSchema,
  "summary-pack.v1": z.object({ schema_version: z.string(), summaries: z.array(summarySchema) }),
  "source.v1": sourceSchema,
  quote: quoteSchema,
  "findings.v1": findingsSchema,
  "summary.v1": summarySchema,
  "report.v2": reportV2Schema,
  "lock.v1": leaseRecordSchema,
  "halt.v1": plainHaltSchema,
  "halt.timeout.v1": timeoutHaltSchema,
  "request.v1": requestSchema,
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

test("every kind of record is listed with its fields", () => {
  const lines = blockOf("journal.v1").split(/\n(?=\S)/);
  const kinds = lines.map((line) => line.slice(0, line.indexOf(" ")));
  expect(kinds.toSorted()).toEqual(RECORD_KINDS.toSorted());
  for (const [index, kind] of kinds.entries()) {
    const list = readFieldList((lines[index] ?? "").slice(kind.length).trim());
    expect([kind, differences(list, dataSchemaOf(kind as RecordKind))]).toEqual([kind, []]);
  }
});

test("every list on the page is compared", () => {
  const named = [...page.matchAll(/^```text (.+)$/gm)].map(([, name = ""]) => name);
  expect(named.toSorted()).toEqual(["journal.v1", ...Object.keys(SCHEMAS)].toSorted());
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
