// Tests of advice of the writer, of quotes with their next sentence, and of sources that disagree.
import { describe, expect, test } from "bun:test";
import type { Draft } from "../../../src/run/report/report.ts";
import { statementsOf } from "../../../src/run/report/statements.ts";
import { drafted, type AskedStatement, type Verdict } from "./written-draft.ts";

/** Four statements, and room for one more sentence. */
function pageWith(sentence: string): string {
  return `## Answer

Kestrel handled 9,500 jobs per second. [c1] Heron handled 3,800 in the same test. [c3] Kestrel is the faster. [from c1, c3]
Heron needs no setup. [c4] ${sentence}
`;
}

function suggestionsIn(draft: Draft): string[] {
  return statementsOf(draft).flatMap((one) => (one.basis === "suggested" ? [one.text] : []));
}

const ADVICE = "Set the queue to 250 workers. [ours; from c1]";

describe("advice of the writer", () => {
  test("has a number of its own, names what it comes from, and is no claim", async () => {
    const asks = new Map<string, string>();
    const judges = ({ asks: what, statement }: AskedStatement): Verdict => {
      asks.set(statement, what);
      return { verdict: "supported" };
    };
    const { draft, told, gate } = await drafted({ writes: [{ page: pageWith(ADVICE) }], judges });
    expect([told, gate]).toEqual([[], []]);
    const suggestion = statementsOf(draft).find(({ basis }) => basis === "suggested");
    expect(suggestion).toMatchObject({ text: "Set the queue to 250 workers.", from: [], quotes: [{ start: 21 }] });
    expect(suggestion).not.toHaveProperty("verdict");
    expect(asks.get("Set the queue to 250 workers.")).toBe("suggested");
    for (const { answered_by } of draft.parts) expect(answered_by).not.toContain(suggestion?.statement_id);
  });

  test("is not left when the verifier finds a fact in it, or could not judge it", async () => {
    const fact = "The queue has 250 workers. [ours; from c1]";
    const judges = ({ asks }: AskedStatement): Verdict => ({ verdict: asks === "suggested" ? "unclear" : "supported" });
    const { draft, told, gate } = await drafted({ writes: [{ page: pageWith(fact) }], judges });
    expect(told.some((one) => one.includes("is no advice"))).toBe(true);
    expect([suggestionsIn(draft), gate]).toEqual([[], []]);
    expect(draft.made.notes.join()).toContain("was marked as advice of the writer");
  });

  test.each([
    ["that comes from nothing", "Take two. [ours]", "comes from nothing"],
    ["beyond one statement in five", `${ADVICE} Take two more. [ours; from c3]`, "may hold 1"],
    ["with an address of its own", "See tuning.kestrel.io/fast first. [ours; from c1]", "names tuning.kestrel.io"],
  ])("%s is a fault of form, and left out in the end", async (_how, sentence, fault) => {
    const { draft, told, gate } = await drafted({ writes: [{ page: pageWith(sentence) }] });
    expect(told[0]).toContain(fault);
    expect(suggestionsIn(draft)).toHaveLength(sentence.startsWith(ADVICE) ? 1 : 0);
    expect(gate).toEqual([]);
  });

  test("may have a placeholder for an address; control: a claim may not", async () => {
    const sentence = "Set the server to https://queue.example.com/v1 there.";
    const { draft, told, gate } = await drafted({ writes: [{ page: pageWith(`${sentence} [ours; from c1]`) }] });
    expect([told, gate, suggestionsIn(draft)]).toEqual([[], [], [sentence]]);
    expect((await drafted({ writes: [{ page: pageWith(`${sentence} [c1]`) }] })).told[0]).toContain(
      "names https://queue",
    );
  });

  test("gives no ground to a conclusion", async () => {
    const page = pageWith(ADVICE).replace("Kestrel is the faster.", "Kestrel is 7 times faster.");
    const changes = { s3: "So 250 workers are enough. [from s5]" };
    const { draft, told, gate } = await drafted({ writes: [{ page }, { changes }] });
    expect(told[1]).toContain("follows from s5, which is a suggestion");
    expect(gate).toEqual([]);
    expect(statementsOf(draft).map(({ text }) => text)).not.toContain("So 250 workers are enough.");
  });

  test("gives no number to a heading", async () => {
    const page = pageWith(ADVICE).replace("## Answer", "## 250 workers are enough");
    const { draft, told, gate } = await drafted({ writes: [{ page }] });
    expect(told[0]).toContain("asserts 250, which stands nowhere below it");
    expect(gate).toEqual([]);
    expect(JSON.stringify(draft.blocks)).not.toContain("250");
  });

  test("comes three times at most from the answers to one part, where the page has room for more", async () => {
    const names = "alder birch cedar elm fir hazel larch maple oak pine".split(" ");
    const claims = [...names, ...names.map((one) => `old ${one}`)].map((one) => `The ${one} says so. [c1]`).join(" ");
    const ours = names.slice(0, 4).map((one) => `Take the ${one} first. [ours; from c1]`);
    const { draft, gate } = await drafted({ writes: [{ page: `${pageWith(claims)}\n${ours.join(" ")}\n` }] });
    expect([suggestionsIn(draft).length, gate]).toEqual([3, []]);
    expect(draft.made.notes.join()).toContain("is beyond the 3 suggestions");
  });

  test("never fills a page: one that marks everything so keeps a fifth at most, and what was found", async () => {
    const ours = Array.from({ length: 30 }, (_, at) => `Step ${at + 1}: do it ${at + 7} times. [ours; from c1]`).join(
      " ",
    );
    const { draft, gate } = await drafted({ writes: [{ page: pageWith(ours) }] });
    expect(gate).toEqual([]);
    expect(suggestionsIn(draft).length * 5).toBeLessThanOrEqual(statementsOf(draft).length);
  });

  test("control: the same words with a mark of a quote are refused for their number", async () => {
    const { told } = await drafted({ writes: [{ page: pageWith("Set the queue to 250 workers. [c1]") }] });
    expect(told[0]).toContain("asserts 250");
  });
});

describe("a quote with its next sentence", () => {
  test("is a quote of its own, which the gate finds in the stored text", async () => {
    const { draft, told, gate } = await drafted({
      writes: [{ page: pageWith("It ran on four cores. [c1+]") }],
    });
    expect([told, gate]).toEqual([[], []]);
    const found = statementsOf(draft).find(({ text }) => text === "It ran on four cores.");
    expect(found).toMatchObject({ quotes: [{ text: "It handled 9,500 jobs per second. That was on four cores." }] });
  });

  test("is not there where its paragraph ends, and the writer is told so", async () => {
    const { told } = await drafted({ writes: [{ page: pageWith("It has a price. [c2+]") }] });
    expect(told[0]).toContain("no sentence follows c2 in its paragraph");
  });

  test("control: the gate refuses a quote that no recorded one explains", async () => {
    const { draft } = await drafted({ writes: [{ page: pageWith("It ran on four cores. [c1+]") }] });
    const { gateOf } = await import("./written-draft.ts");
    const longer = JSON.parse(JSON.stringify(draft).replaceAll("That was on four cores.", "That was on four cores.X"));
    for (const one of Object.values<{ quotes?: { text: string; end: number }[] }>(longer.statements))
      for (const quote of one.quotes ?? []) if (quote.text.endsWith("X")) quote.end++;
    expect((await gateOf(longer)).join()).toContain("uses a quote that was not verified");
  });
});

describe("sources that disagree", () => {
  const both = "One test says 9,500 jobs per second, the other 3,800. [c1 against c3]";

  test("are laid out as two sides, and judged as such", async () => {
    const asked: (AskedStatement & { against?: string[] })[] = [];
    const judges = (one: AskedStatement): Verdict => {
      asked.push(one);
      return { verdict: "supported" };
    };
    const { draft, told, gate } = await drafted({ writes: [{ page: pageWith(both) }], judges });
    expect([told, gate]).toEqual([[], []]);
    const found = statementsOf(draft).find(({ text }) => text.startsWith("One test"));
    expect(found).toMatchObject({ basis: "cited", against: 1, quotes: [{}, {}] });
    expect(asked.find(({ asks }) => asks === "disagree")).toMatchObject({ quotes: ["c1"], against: ["c3"] });
  });

  test("need two sides", async () => {
    const { told } = await drafted({ writes: [{ page: pageWith("Both say 9,500. [c1 against c1]") }] });
    expect(told[0]).toContain("names the same quotes on both sides");
  });
});
