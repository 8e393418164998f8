// Tests which of the nearest passages are named when nothing was found.
import { expect, test } from "bun:test";
import type { Findings, NearMiss } from "../../src/run/report/research.ts";
import { nearestOf } from "../../src/stages/waves.ts";

const miss = (origin: string, lacks: string[]): NearMiss => ({ origin, title: origin, text: "A cellar.", lacks });
const found = (subject: string, nearest: NearMiss[]): Findings => ({
  schema_version: "findings.v1",
  subject,
  subject_kind: "perspective",
  title: subject,
  questions: [],
  quotes: [],
  sources: [],
  notes: ["Nothing new and relevant was found."],
  nearest,
});

test("each document is named once, and those that lack the fewest words come first", () => {
  const all = [
    found("overview", [miss("a", ["winter", "wine"]), miss("b", ["winter"])]),
    found("practice", [miss("a", ["wine"]), miss("c", ["winter", "wine", "oak"])]),
  ];
  expect(nearestOf(all).map(({ origin, lacks }) => `${origin}: ${lacks.join(" ")}`)).toEqual([
    "a: wine",
    "b: winter",
    "c: winter wine oak",
  ]);
});
