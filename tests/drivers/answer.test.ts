// The answer up front: every part of the question has a sentence there, if anything was found on it.
import { expect, test } from "bun:test";
import { answerOf } from "../../src/drivers/local/answer.ts";
import { Lexicon } from "../../src/drivers/local/lexicon.ts";
import type { Point } from "../../src/drivers/local/points.ts";
import { digestOfJson } from "../../src/kernel/digest.ts";
import type { Plan } from "../../src/run/research.ts";
import type { Source } from "../../src/run/source.ts";

const ORIGINS = { prose: "docs/seals.md", code: "docs/seals.ts" };

function source(name: keyof typeof ORIGINS): Source {
  const digest = digestOfJson(name);
  return {
    schema_version: "source.v1",
    source_digest: digest,
    text_digest: digest,
    media_type: "text/plain",
    title: name,
    origin: ORIGINS[name],
    provider_id: "filesystem",
    retrieved_at: "2026-01-01T00:00:00.000Z",
    bytes: 1,
  };
}

function point(text: string, partId: string, from: keyof typeof ORIGINS, score: number): Point {
  const quote = { source_digest: digestOfJson(from), start: 0, end: Buffer.byteLength(text), text };
  const claim = { claim_id: text, text, verdict: "supported" as const, method: "verbatim", quotes: [quote] };
  return { claim, subjects: ["overview"], part_ids: [partId], score };
}

const PARTS = [
  { id: "seals", text: "How are jars sealed", terms: ["jars", "sealed"] },
  { id: "lids", text: "how do lids report wear", terms: ["lids", "report", "wear"] },
];
const PLAN: Plan = {
  parts: PARTS,
  perspectives: [
    {
      id: "overview",
      title: "Overview",
      kind: "overview",
      questions: ["?"],
      queries: ["q"],
      part_ids: ["seals", "lids"],
    },
  ],
};

test("a part whose only direct sentence stands in code has the best prose that touches it", () => {
  const sealed = point("Jars are sealed with wax after they have cooled down.", "seals", "prose", 1);
  const touching = point("Any lid is taken off with both hands at its rim.", "lids", "prose", 0.4);
  const inCode = point("Lids report wear through their rim when both sides are worn.", "lids", "code", 0.6);
  const core = new Map([
    ["seals", [sealed]],
    ["lids", [inCode]],
  ]);
  const sources = [source("prose"), source("code")];
  const lexicon = new Lexicon(PARTS.map(({ text }) => text).join(", "));
  expect(answerOf([sealed, inCode, touching], PLAN, core, sources, lexicon)).toEqual([sealed, touching]);
  // Where there is no prose on it at all, the comment has to do; control: without any sentence, it has none.
  expect(answerOf([sealed, inCode], PLAN, core, sources, lexicon)).toEqual([sealed, inCode]);
  expect(answerOf([sealed], PLAN, core, sources, lexicon)).toEqual([sealed]);
});

test("an entry that describes a link stands up front only alone, however well it scores", () => {
  const entry = point("[lids.md](lids.md): how lids report wear through their rim.", "lids", "prose", 1);
  const said = point("Lids report wear through their rim when both sides are worn.", "lids", "prose", 0.7);
  const [, lids] = PARTS;
  const plan = { ...PLAN, parts: lids === undefined ? [] : [lids] };
  const core = new Map([["lids", [entry, said]]]);
  const lexicon = new Lexicon("how do lids report wear");
  expect(answerOf([entry, said], plan, core, [source("prose")], lexicon)).toEqual([said]);
  expect(answerOf([entry], plan, core, [source("prose")], lexicon)).toEqual([entry]);
});
