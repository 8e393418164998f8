// Tests of the steps in which a page is written: section by section, or in one step.
import { expect, test } from "bun:test";
import { digestOfJson } from "../../src/kernel/digest.ts";
import type { Driver } from "../../src/ports/driver.ts";
import type { Draft } from "../../src/run/report/report.ts";
import type { Manifest } from "../../src/run/log/manifest.ts";
import type { Outline } from "../../src/run/report/research.ts";
import type { Mode } from "../../src/run/settings/fields.ts";
import type { Steps } from "../../src/run/log/step.ts";
import { Evidence, type EvidenceReader } from "../../src/stages/evidence.ts";
import { synthesisStage } from "../../src/stages/synthesis.ts";

const OUTLINE: Outline = {
  sections: ["Speed", "Price"].map((heading) => ({ heading, answers: "what it is", citation_ids: ["c1"] })),
};
const DRAFT: Draft = {
  question: "?",
  blocks: [],
  statements: {},
  sources: [],
  gaps: [],
  parts: [],
  made: { notes: [] },
};

/** The steps that the stage asks for when the steps in `done` have these results. */
async function planned(
  done: Readonly<Record<string, unknown>>,
  { mode = "standard", writesSections = true }: { mode?: Mode; writesSections?: boolean } = {},
): Promise<{ key: string; identity: string }[]> {
  const steps: Steps = Object.fromEntries(
    Object.entries(done).map(([key, value]) => {
      const result = { digest: digestOfJson(value), value };
      return [key, { stage: "synthesis", state: "completed", attempts: 1, failures_since_resume: 0, result }];
    }),
  ) as unknown as Steps;
  const reader: Partial<EvidenceReader> = {
    readSteps: async () => steps,
    readResult: async (ref) => (ref as unknown as { value: unknown }).value,
  };
  const context = {
    manifest: { mode, steps, query: { text: "?" }, settings: {} } as unknown as Manifest,
    evidence: new Evidence(reader as EvidenceReader),
    driver: { writesSections } as Driver,
  };
  return (await synthesisStage.plan(context)).map(({ key, identity }) => ({ key, identity: digestOfJson(identity) }));
}

async function keysOf(...given: Parameters<typeof planned>): Promise<string[]> {
  return (await planned(...given)).map(({ key }) => key);
}

const [OUTLINED, FIRST, SECOND, ANSWER] = [
  "synthesis:outline",
  "synthesis:section:1",
  "synthesis:section:2",
  "synthesis:answer",
];

test("the outline is asked for first, then all its sections, then the answer", async () => {
  expect(await keysOf({})).toEqual([OUTLINED]);
  expect(await keysOf({ [OUTLINED]: OUTLINE })).toEqual([OUTLINED, FIRST, SECOND]);
  expect(await keysOf({ [OUTLINED]: OUTLINE, [FIRST]: DRAFT })).toEqual([OUTLINED, FIRST, SECOND]);
  const all = { [OUTLINED]: OUTLINE, [FIRST]: DRAFT, [SECOND]: DRAFT };
  expect(await keysOf(all)).toEqual([OUTLINED, FIRST, SECOND, ANSWER]);
  expect(await keysOf({ ...all, [ANSWER]: DRAFT })).toEqual([OUTLINED, FIRST, SECOND, ANSWER]);
});

test("a section of an earlier outline is no part of the answer", async () => {
  const more = { ...DRAFT, question: "of a third section" };
  const done = { [OUTLINED]: OUTLINE, [FIRST]: DRAFT, [SECOND]: DRAFT };
  expect(await planned({ ...done, "synthesis:section:3": more })).toEqual(await planned(done));
});

test("another outline changes the inputs of sections, and another section those of the answer", async () => {
  const done = { [OUTLINED]: OUTLINE, [FIRST]: DRAFT, [SECOND]: DRAFT };
  const other = { ...done, [SECOND]: { ...DRAFT, question: "another" } };
  const differing = async (one: object, two: object) => {
    const [ours, theirs] = [await planned({ ...one }), await planned({ ...two })];
    return ours.flatMap(({ key, identity }, index) => (identity === theirs[index]?.identity ? [] : [key]));
  };
  expect(await differing(done, other)).toEqual([ANSWER]);
  const outline = { ...OUTLINE, title: "Another" };
  expect(await differing(done, { ...done, [OUTLINED]: outline })).toEqual([FIRST, SECOND, ANSWER]);
});

test("a page is one step in quick mode, with a driver that writes no sections, and when it was begun so", async () => {
  const whole = ["synthesis:draft-1"];
  expect(await keysOf({}, { mode: "quick" })).toEqual(whole);
  expect(await keysOf({}, { writesSections: false })).toEqual(whole);
  expect(await keysOf({ "synthesis:draft-1": DRAFT })).toEqual(whole);
});
