// Tests that a verifier has to hand in one verdict on each statement that it was asked about.
import { expect, test } from "bun:test";
import { verdictsBrief } from "../../../src/drivers/verdicts/verdicts-brief.ts";

const ASKED = ["s1", "s2"].map((id) => ({ id, text: "It is so.", asks: "cited" as const, quotes: [] }));
const brief = verdictsBrief({ name: "judge", question: "Is it so?" }, ASKED);

async function problemsOf(...ids: string[]): Promise<string[]> {
  const verdicts = ids.map((id) => ({ id, why: "It says so.", verdict: "supported" as const }));
  return await brief.problemsOf({ verdicts });
}

test("a verdict on something else is ignored", async () => {
  expect(await problemsOf("s1", "h9", "s2")).toEqual([]);
});

test("control: a missing verdict and a second one are refused", async () => {
  expect(await problemsOf("s1")).toEqual(["no verdict on s2"]);
  expect(await problemsOf("s1", "s2", "s1")).toEqual(["s1 stands twice"]);
});
