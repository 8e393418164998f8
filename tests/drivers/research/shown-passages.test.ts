// The passages that a search shows a researcher: the best ones first, the rest where it wants more, in the order of an endpoint.
import { describe, expect, test } from "bun:test";
import { RunError } from "../../../src/kernel/errors.ts";
import { ResearchState } from "../../../src/drivers/research/research-state.ts";
import { scriptedRanker } from "../ranking/scripted-ranker.ts";
import { ToolBench } from "./tool-bench.ts";

interface Said {
  found: { document: string; document_text: string }[];
  more?: number;
}

const TEN = { "a.md": Array.from({ length: 10 }, (_, at) => `The lease number ${at} ends.`).join("\n\n") };
const numbers = ({ found }: Said): number[] => found.map(({ document_text }) => Number(/\d/.exec(document_text)?.[0]));
const benchOf = (more: ConstructorParameters<typeof ToolBench>[4] = {}): ToolBench =>
  new ToolBench(TEN, { results_per_query: 10 }, {}, 24_000, more);

describe("a search", () => {
  test("shows six passages and says how many more there are, which it shows when they are wanted", async () => {
    const bench = benchOf();
    const first = await bench.told<Said>("search", { query: "lease" });
    expect([numbers(first), first.more]).toEqual([[0, 1, 2, 3, 4, 5], 4]);
    const rest = await bench.told<Said>("search", { query: "lease", more: true });
    expect([numbers(rest), rest.more]).toEqual([[6, 7, 8, 9], undefined]);
    expect(rest.found[0]?.document).toBe("d1.7");
  });

  test.each([
    ["three at the least", [9, 1, 0.1, 0.04], 3],
    ["those before the fall", [9, 8, 7, 6, 2, 1], 4],
    ["six where none falls off", [9, 8, 7, 6, 5, 4, 3, 2], 6],
  ])("shows %s", async (_what, scores, count) => {
    expect((await benchOf({ scores }).told<Said>("search", { query: "lease" })).found).toHaveLength(count);
  });

  test("shows the order of the endpoint of the run, of which more is the rest, without another call", async () => {
    const order = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
    const ranker = scriptedRanker(() => ({ order }), { by: "endpoint" });
    const bench = benchOf(ranker.tools);
    expect(numbers(await bench.told<Said>("search", { query: "lease" }))).toEqual([9, 8, 7, 6, 5, 4]);
    expect(numbers(await bench.told<Said>("search", { query: "lease", more: true }))).toEqual([3, 2, 1, 0]);
    const [first, again] = ranker.calls.map(({ name }) => name);
    // The conversation has one name, so its stored reply is taken.
    expect(first).toBe(again ?? "");
    expect(JSON.parse(ranker.calls[0]?.user ?? "{}")).toMatchObject({ query: "lease" });
  });

  test("shows its own order where the endpoint fails, and the findings say so", async () => {
    const failure = new RunError("MODEL_FAILED", { reason: "it answers with HTML", kind: "malformed" });
    const bench = benchOf(scriptedRanker(() => failure, { by: "endpoint" }).tools);
    expect(numbers(await bench.told<Said>("search", { query: "lease" }))).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new ResearchState(bench.messages).unranked()).toEqual([expect.stringContaining("its answer is no order")]);
  });
});
