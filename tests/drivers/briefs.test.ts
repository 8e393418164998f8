// Tests of briefs without a model: all problems of an answer are named at once, and an answer that fits becomes the result.
import { describe, expect, test } from "bun:test";
import { instructionsIn } from "../../src/drivers/asking/brief.ts";
import { materialOf } from "../../src/drivers/writing/material.ts";
import { draftBrief } from "../../src/drivers/writing/page-brief.ts";
import { planBrief } from "../../src/drivers/planning/plan-brief.ts";
import { readAnswer } from "../../src/drivers/asking/read-answer.ts";
import { LIMITS_BY_MODE } from "../../src/run/settings/settings.ts";
import { PLAN } from "../live/well-behaved.ts";
import { QUOTES, scriptedTools, Seen, writersInput } from "./writing/written-draft.ts";

describe("the brief of the plan", () => {
  const input = { question: "How are options parsed?", mode: "quick", limits: LIMITS_BY_MODE.quick } as const;
  const brief = planBrief(input);

  test("names all its demands, and refuses all faults at once", async () => {
    const told = instructionsIn(brief, "Write the answer into a file.");
    for (const demand of brief.demands) expect(told).toContain(demand);
    const [first] = PLAN.perspectives;
    const wrong = { ...PLAN, perspectives: [first, { ...first, part_ids: ["none"] }] };
    const read = readAnswer(brief.answer.schema, JSON.stringify(wrong));
    expect(read.kind === "fit" ? (await brief.problemsOf(read.value)).join("; ") : read.kind).toMatch(
      /occurs twice; two perspectives have the same title; .* names the unknown part none; no perspective is contrarian/,
    );
  });

  test("says each fault of the form by itself", () => {
    expect(readAnswer(brief.answer.schema, '{"parts":[]}')).toMatchObject({
      kind: "unfit",
      problems: [expect.stringMatching(/^parts: /), expect.stringMatching(/^perspectives: /)],
    });
    expect(readAnswer(brief.answer.schema, "no object")).toMatchObject({ problems: [expect.any(String)] });
  });

  test("makes the plan from an answer that fits", async () => {
    const read = readAnswer(brief.answer.schema, JSON.stringify(PLAN));
    if (read.kind === "unfit") throw new Error(read.problems.join());
    expect(await brief.problemsOf(read.value)).toEqual([]);
    expect((await brief.resultOf(read.value, "a person")).perspectives).toHaveLength(PLAN.perspectives.length);
  });
});

test("the brief of a page names each fault of form with its sentence, and reads a page without faults", async () => {
  const input = writersInput();
  const material = await materialOf(input, scriptedTools({}, new Seen()));
  const brief = draftBrief(input, material, 100_000);
  const fit = `## Answer\n\n${QUOTES.map((quote, index) => `${quote} [c${index + 1}]`).join(" ")}`;
  expect(brief.faultsOf(brief.read(fit, null))).toEqual([]);
  expect(brief.read(fit, null).statements.size).toBe(QUOTES.length);
  const faults = brief.faultsOf(brief.read(`${fit}\n\nIt took 77 s. [c99]`, null));
  expect(faults).toHaveLength(2);
  expect(faults[0]?.text).toContain("names c99");
  expect(faults[1]?.text).toContain("asserts 77");
});
