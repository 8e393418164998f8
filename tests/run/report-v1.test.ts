// Reports and drafts of report.v1 are read into the shape of report.v2.
import { expect, test } from "bun:test";
import fs from "node:fs";
import path from "node:path";
import { digestOfJson } from "../../src/kernel/digest.ts";
import { claimsOf, evidenceOf, sectionsOf } from "../../src/run/report/statements.ts";
import { reportSchema } from "../../src/run/report/stored-report.ts";
import { draftFaults } from "../../src/run/report/draft-faults.ts";

const RUNS = path.resolve(import.meta.dir, "../fixtures/runs-0.1.0");

test.each(["local", "live", "halted"])("the report of the %s run of version 0.1.0 keeps all that it says", (name) => {
  const stored = JSON.parse(fs.readFileSync(`${RUNS}/${name}/reports/1/report.json`, "utf8"));
  const report = reportSchema.parse(stored);
  const claims = stored.sections.flatMap((section: { claims: unknown[] }) => section.claims);
  expect(
    claimsOf(report).map(({ statement_id, text, verdict, quotes }) => [statement_id, text, verdict, quotes]),
  ).toEqual(
    claims.map((claim: Record<string, unknown>) => [
      claim["claim_id"],
      claim["text"],
      claim["verdict"],
      claim["quotes"],
    ]),
  );
  expect(sectionsOf(report).map(({ heading }) => heading?.text)).toEqual(
    expect.arrayContaining(stored.sections.map(({ title }: { title: string }) => title)),
  );
  expect(report.made).toMatchObject({ notes: stored.notes ?? [], scope: stored.scope });
  expect(digestOfJson(evidenceOf(report))).toBe(stored.evidence_digest);
  expect(draftFaults(report)).toEqual([]);
});
