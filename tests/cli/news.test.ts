// Tests of the lines about what a run has planned, not found, and what a review wants, which scroll by as they come.
import { expect, test } from "bun:test";
import { newsIn } from "../../src/cli/terminal/news.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import { PLAN } from "../live/well-behaved.ts";

function completed(key: string, value: unknown): AnyRecord {
  return { kind: "step.completed", data: { key, value } } as unknown as AnyRecord;
}

const REVIEW = {
  draft: 1,
  decision: "revise",
  directives: [{ kind: "other", target: "s1", detail: "Name the version.\u001b[2J" }],
};

test("a plan, its assumptions, a gap and a remark each have a line", () => {
  const plan = {
    ...PLAN,
    parts: PLAN.parts.map((part) => ({ ...part, terms: [] })),
    assumptions: ["a current version"],
  };
  expect(newsIn(completed("perspectives:plan", plan))).toEqual([
    "  planned: How it works",
    "  planned: What speaks against it",
    "  assumed: a current version",
  ]);
  const state = { gap: { text: "how long it takes", reason: "no page gives a time", part_ids: [] } };
  const noted = (outcome: string): AnyRecord =>
    ({ kind: "tool.completed", data: { outcome, state } }) as unknown as AnyRecord;
  expect([newsIn(noted("done")), newsIn(noted("failed"))]).toEqual([["  not found: how long it takes"], []]);
  const [remark = ""] = newsIn(completed("review:draft-1", REVIEW));
  expect(remark).toStartWith("  review: Name the version.");
  expect(remark).not.toContain("\u001b");
});

test("control: other records, and results that are elsewhere, have none", () => {
  expect([newsIn(completed("wave1:overview", REVIEW)), newsIn(completed("review:draft-1", undefined))]).toEqual([
    [],
    [],
  ]);
});
