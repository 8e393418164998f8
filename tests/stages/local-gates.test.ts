// The nearest passages are named when nothing was found.
import { describe, expect, test } from "bun:test";
import type { Findings, NearMiss } from "../../src/run/research.ts";
import { findingsMarkdown } from "../../src/stages/findings-markdown.ts";
import { nearestOf } from "../../src/stages/waves.ts";

describe("what is nearest", () => {
  const miss = (origin: string, lacks: string[]): NearMiss => ({
    origin,
    title: origin,
    text: "A cellar is dark.",
    lacks,
  });
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

  test("stands once for each document, with what lacks least first", () => {
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

  test("is told in the findings, too", () => {
    expect(findingsMarkdown(found("overview", [miss("a", ["wine"])]))).toContain(
      "## Nearest\n\n> A cellar is dark.\n\n- `a`, lacks: wine\n",
    );
    expect(findingsMarkdown(found("overview", []))).not.toContain("## Nearest");
  });
});
