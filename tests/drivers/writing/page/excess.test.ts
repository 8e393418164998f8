// Tests of the cut of words that go too far: only where a whole sentence remains, with its numbers as they were.
import { describe, expect, test } from "bun:test";
import { withoutExcess } from "../../../../src/drivers/writing/page/excess.ts";
import { readPage } from "../../../../src/drivers/writing/page/read-page.ts";
import { drafted } from "../written-draft.ts";

function cut(sentence: string, excess: string): string | null {
  const [statement] = readPage(`${sentence} [c1]`, new Map()).statements.values();
  return statement === undefined ? null : withoutExcess(statement, excess);
}

test.each([
  ["The lease always ends after two minutes.", "always", "The lease ends after two minutes."],
  ["Certainly the lease ends after two minutes.", "Certainly", "The lease ends after two minutes."],
  [
    "The lease ends after two minutes, as a rule, and is taken over.",
    "as a rule",
    "The lease ends after two minutes and is taken over.",
  ],
  ["The lease ends after two minutes, at once.", "at once", "The lease ends after two minutes."],
])("%s without “%s”", (sentence, excess, left) => {
  expect(cut(sentence, excess)).toBe(left);
});

test.each([
  ["beside a number", "It takes up to 30 seconds.", "up to"],
  ["that are a number", "It takes 30 whole seconds.", "30"],
  ["without which it says the opposite", "It is not quite safe to run twice.", "not quite"],
  ["that stand twice", "It always ends, and always in time.", "always"],
  ["that are not there", "It ends in time.", "always"],
  ["that are its matter", "It fails safely.", "fails safely"],
  ["at the end of a sentence that needs them", "The lease is taken over by anybody.", "anybody"],
  ["that are half a word", "The lease ends, at least here, in time.", "at lea"],
  ["that are half of it", "The lease ends at once and without any notice.", "at once and without any notice"],
])("control: words %s stay", (_what, sentence, excess) => {
  expect(cut(sentence, excess)).toBeNull();
});

describe("a sentence that goes too far in one word", () => {
  const page = "## Choose\n\nKestrel always costs 20 € a month [c2]. Kestrel handled 9,500 jobs per second [c1].\n";
  const judges = ({ statement }: { statement: string }) =>
    statement.includes("always") ? { verdict: "partly" as const, excess: "always" } : { verdict: "supported" as const };

  test("is shortened and judged again, without its writer, and the page says so", async () => {
    const { draft, told, judged, gate } = await drafted({ writes: [{ page }], judges });
    expect(draft.statements["s1"]).toMatchObject({ text: "Kestrel costs 20 € a month.", verdict: "supported" });
    expect([told, judged, gate]).toEqual([[], [["s1", "s2"], ["s1"]], []]);
    expect(draft.made.notes).toEqual(["Taken off the writer's page: words that went too far."]);
  });

  test("control: goes back to its writer when the rest does not hold either", async () => {
    const { draft, told } = await drafted({
      writes: [{ page }, { changes: { s1: "It costs 20 € a month. [c2]" } }],
      judges: (one) => (one.statement === "Kestrel costs 20 € a month." ? { verdict: "unclear" } : judges(one)),
    });
    expect(told).toHaveLength(1);
    expect(draft.statements["s1"]).toMatchObject({ text: "It costs 20 € a month.", basis: "quoted" });
  });
});
