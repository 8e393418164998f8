// Tests that a draft leaves out what gate E would refuse, and that the rest is published.
import { describe, expect, test } from "bun:test";
import { drafted, type AskedStatement, type DraftOptions, type Verdict } from "./written-draft.ts";

const ANSWER =
  "## Answer\n\nIt handles 9,500 jobs per second. [c1] It costs 20 €. [c2] Heron needs no setup. [c3, c4]\n";

/** A word for each number, without a digit. */
function word(at: number): string {
  return `${String.fromCharCode(97 + at)}${String.fromCharCode(98 + at)}`;
}

/** By the first words of a statement. */
function says(verdicts: Record<string, Verdict["verdict"]>): (one: AskedStatement) => Verdict {
  return ({ statement }) => {
    const found = Object.entries(verdicts).find(([words]) => statement.startsWith(words));
    return { verdict: found?.[1] ?? "supported" };
  };
}

describe("the gate passes without", () => {
  test("code with a number of its own", async () => {
    const { draft, gate, told } = await drafted({
      writes: [{ page: `${ANSWER}\n\`\`\`\nkestrel --port 7070\n\`\`\`\n[c4]` }],
    });
    expect(gate).toEqual([]);
    expect(Object.keys(draft.statements)).toEqual(["s1", "s2", "s3"]);
    expect(draft.made.notes.join()).toContain("7070");
    expect(told[0]).toContain("asserts 7070, which stands neither in c4 nor in the question");
  });

  test("a framing sentence with a number of the quote beside it", async () => {
    const page = `${ANSWER}\nSome 3,800 things differ. Heron handled 3,800 jobs per second. [c3]`;
    const { draft, gate } = await drafted({ writes: [{ page }], judges: says({ "Some 3,800": "framing" }) });
    expect(gate).toEqual([]);
    expect(Object.keys(draft.statements)).toEqual(["s1", "s2", "s3", "s5"]);
  });

  test("the count of a list that lost an item, and what follows from the count", async () => {
    const list =
      "- It is fast [c1]\n- It is cheap [c2]\n- It is small [c1]\n- It is red [c1]\n- It is new [c1]\n- It is ours [c1]\n- It is odd [c2]";
    const page = `${ANSWER}\nSeven reasons speak for it.\n\n${list}\n`;
    const judges = says({ "Seven reasons": "framing", "It is red": "contradicted" });
    const { draft, gate } = await drafted({ writes: [{ page }], judges });
    expect(gate).toEqual([]);
    expect(draft.statements["s4"]).toBeUndefined();
    expect(draft.blocks.at(-1)).toMatchObject({ items: [{ statements: ["s8"] }] });
    expect(draft.made.notes.join()).toContain("Seven");
  });

  test("a conclusion that rests on itself", async () => {
    const page = `${ANSWER}\nHeron is slow. [c3] So take it. [c1]`;
    const changes = { s4: "Heron is slow. [from s5]", s5: "So take it. [from s4]" };
    const judges = ({ statement, asks }: AskedStatement): Verdict => ({
      verdict: asks === "cited" && /slow|take/.test(statement) ? "unclear" : "supported",
    });
    const { draft, gate } = await drafted({ writes: [{ page }, { changes }], judges });
    expect(gate).toEqual([]);
    expect(Object.keys(draft.statements)).toEqual(["s1", "s2", "s3"]);
  });
});

test("what follows from a contradicted claim is not checked", async () => {
  const page = `${ANSWER}\nIt is old. [c1] It is free. [c2] It is small. [c3] It is ours. [c3] Heron is blue. [c4]`;
  const { draft, gate } = await drafted({
    writes: [{ page }, { changes: { s4: "So take it. [from s8]" } }],
    judges: says({ "It is old": "unclear", "Heron is blue": "contradicted" }),
  });
  expect(draft.statements["s4"]).toMatchObject({ basis: "derived", verdict: "not_checked" });
  expect(gate.filter((reason) => !reason.includes("not checked"))).toEqual([]);
});

describe("cells are left out with the label of", () => {
  test("their row", async () => {
    const table = "| Tool | Price |\n|---|---|\n| Kestrel 70 [c4] | 20 € [c2] |\n| Heron | none [c4] |\n";
    const { draft, gate } = await drafted({ writes: [{ page: `${ANSWER}\n${table}` }] });
    expect(gate).toEqual([]);
    expect(draft.blocks.at(-1)).toMatchObject({ rows: [["Heron", ["s6"]]] });
    expect(Object.keys(draft.statements)).toEqual(["s1", "s2", "s3", "s6"]);
  });

  test("their column", async () => {
    const table =
      "| Tool | Speed: 9,500 | Price |\n|---|---|---|\n| Kestrel | fast [c1] | 20 € [c2] |\n| Heron | slow [c3] | – |\n";
    const page = `${ANSWER}\n70 users saw 9,500. [c1]\n\n${table}`;
    const { draft, gate } = await drafted({ writes: [{ page }, { changes: { s5: "fast [from s4]" } }] });
    expect(gate).toEqual([]);
    expect(draft.blocks.at(-1)).toMatchObject({ columns: ["Tool", "", "Price"], rows: [["Kestrel", "–", ["s6"]]] });
    expect(draft.statements["s7"]).toBeUndefined();
  });
});

test("a heading is left out with the statements that support it", async () => {
  const page = `${ANSWER}\n## Heron serves a crowd\n\nHeron serves 70 users. [c4] It needs no setup. [c4]`;
  const judges = (one: AskedStatement & { below?: string[] }): Verdict =>
    one.asks === "label" && one.below?.some((text) => text.includes("serves")) !== true
      ? { verdict: "partly", excess: "a crowd" }
      : { verdict: "supported" };
  const { draft, gate } = await drafted({ writes: [{ page }], judges });
  expect(gate).toEqual([]);
  expect(draft.statements["s4"]).toBeUndefined();
  expect(JSON.stringify(draft.blocks)).not.toContain("a crowd");
  expect(draft.made.notes.join()).toContain("a crowd");
});

test("a statement that loses a premise is judged again by the others", async () => {
  const others = Array.from("abcdefgh", (one) => `Point ${one} holds. [c1]`).join(" ");
  const page = `${ANSWER}\nHeron serves 70 users. [c4] So both are sound. [c1] Take either. [c1] ${others}`;
  const changes = { s5: "So both are sound. [from s1, s4]", s6: "Take either. [from s5]" };
  const judges = (one: AskedStatement & { follows_from?: string[] }): Verdict => ({
    verdict: one.statement.startsWith("So both") && one.follows_from?.length === 1 ? "unclear" : "supported",
  });
  const { draft, gate } = await drafted({ writes: [{ page }, { changes }], judges });
  expect(gate).toEqual([]);
  expect(draft.statements["s4"]).toBeUndefined();
  expect(draft.statements["s5"]).toMatchObject({ from: ["s1"], verdict: "not_checked" });
  expect(draft.statements["s6"]).toMatchObject({ from: ["s5"], verdict: "not_checked" });
});

describe("with more doubtful claims than a report may have", () => {
  const doubted = (...words: string[]) => says(Object.fromEntries(words.map((word) => [word, "unclear" as const])));

  test("what is supported is published, and the rest is left out with a note", async () => {
    const page = `${ANSWER}\nIt is quick. [c1] So take it. [from s4]`;
    const { draft, gate } = await drafted({ writes: [{ page }], judges: doubted("It is quick", "It costs") });
    expect(gate).toEqual([]);
    // What follows from it alone goes with it.
    expect(Object.keys(draft.statements)).toEqual(["s1", "s3"]);
    expect(draft.made.notes.join()).toContain("left out: it says what its quotes do not");
  });

  test("a chain of conclusions is not judged once for each of its links", async () => {
    const links = Array.from({ length: 12 }, (_, at) => at + 5);
    const page = `${ANSWER}\nIt is quick. [c1] ${links.map((at) => `So it is ${word(at)}. [c1]`).join(" ")}`;
    const changes = Object.fromEntries(links.map((at) => [`s${at}`, `So it is ${word(at)}. [from s${at - 1}, s1]`]));
    const judges = (one: AskedStatement & { follows_from?: string[] }): Verdict => {
      const isLink = one.statement.startsWith("So it is") && one.follows_from?.length === 1;
      return { verdict: isLink || one.statement.startsWith("It is quick") ? "unclear" : "supported" };
    };
    const { draft, gate, judged } = await drafted({ writes: [{ page }, { changes }, { words: "So be it." }], judges });
    expect(gate).toEqual([]);
    expect(Object.keys(draft.statements)).toEqual(["s1", "s2", "s3"]);
    expect(judged.length).toBeLessThan(5);
  });

  test("control: fewer doubtful claims stay, with their verdict", async () => {
    const others = Array.from("abcdefgh", (one) => `Point ${one} holds. [c1]`).join(" ");
    const { draft, gate } = await drafted({ writes: [{ page: ANSWER + others }], judges: doubted("It costs") });
    expect(gate).toEqual([]);
    expect(draft.statements["s2"]).toMatchObject({ verdict: "not_checked" });
  });

  test("everything stays when nothing is supported, and the gate halts the run", async () => {
    const { draft, gate } = await drafted({ writes: [{ page: ANSWER }], judges: () => ({ verdict: "unclear" }) });
    expect(Object.keys(draft.statements)).toEqual(["s1", "s2", "s3"]);
    expect(gate.join()).toContain("not checked");
  });

  describe("all claims stay when the gate would refuse the rest as well, since", () => {
    test("too many are contradicted", async () => {
      const judges = says({ "It costs": "contradicted", "Heron needs": "unclear" });
      const { draft, gate } = await drafted({ writes: [{ page: ANSWER }], judges });
      expect(Object.keys(draft.statements)).toEqual(["s1", "s2", "s3"]);
      expect(gate.join()).toContain("1 of 3 claims contradicted and 1 not checked");
      expect(draft.made.notes).toEqual([]);
    });

    test("too few quotes would be used", async () => {
      const judges = says({ "It costs": "unclear", "Heron needs": "unclear" });
      const { draft, gate } = await drafted({ writes: [{ page: ANSWER }], judges });
      expect(Object.keys(draft.statements)).toEqual(["s1", "s2", "s3"]);
      expect(gate.join()).toContain("2 not checked");
    });

    test("the answer would be contradicted", async () => {
      const more = Array.from("abcdefgh", (one) => `Point ${one} holds. [c3, c4]`).join(" ");
      const page = `## Answer\n\nIt is quick. [c1] It is cheap. [c2]\n\n## More\n\n${more} It is odd. [c1]\n`;
      const judges = says({ "It is quick": "contradicted", "It is cheap": "unclear", "It is odd": "unclear" });
      const { draft, gate } = await drafted({ writes: [{ page }], judges });
      expect(Object.keys(draft.statements)).toHaveLength(11);
      expect(gate.join()).toContain("2 not checked");
    });
  });
});

describe("a gap", () => {
  const notes = ["Not found: the limit (per user) (no page says (as of 2024))", "Not found: the price (nobody says)"];

  test("is shown when a judged sentence names it, with the reason of the researcher", async () => {
    const { draft, gate, task } = await drafted({
      writes: [{ page: `${ANSWER}\nThe limit was not found. [g1]` }],
      notes,
    });
    expect(gate).toEqual([]);
    expect(draft.gaps).toEqual([
      {
        gap_id: "g1",
        text: "the limit (per user)",
        reason: "Noted in research: no page says (as of 2024)",
        evidence: "none",
      },
      { gap_id: "g2", text: "the price", reason: "Noted in research, not followed up: nobody says", evidence: "none" },
    ]);
    expect(task["gaps"]).toMatchObject([{ reason: "no page says (as of 2024)" }, { reason: "nobody says" }]);
  });

  test("is shown when a sentence names it beside quotes", async () => {
    const page = `${ANSWER}\nIt costs 20 €, and no limit was found. [c2, g1] So ask them. [from c2, g2] Call on Monday. [ours; from c2, g1]`;
    const { draft, gate } = await drafted({ writes: [{ page }], notes });
    expect(gate).toEqual([]);
    expect(draft.statements).toMatchObject({
      s4: { basis: "cited", gap_ids: ["g1"] },
      s5: { basis: "derived", gap_ids: ["g2"] },
      s6: { basis: "suggested", gap_ids: ["g1"] },
    });
    expect(draft.gaps.map(({ gap_id }) => gap_id)).toEqual(["g1", "g2"]);
  });

  test("is shown as not followed up when the verifier refuses the sentence that names it", async () => {
    const page = `${ANSWER}\nThe limit is unknown to all. [g1]`;
    const { draft } = await drafted({ writes: [{ page }], notes, judges: says({ "The limit": "unclear" }) });
    expect(draft.statements["s4"]).toBeUndefined();
    expect(draft.gaps.map(({ reason }) => reason)).toEqual([
      "Noted in research, not followed up: no page says (as of 2024)",
      "Noted in research, not followed up: nobody says",
    ]);
  });

  test("that several researchers noted is shown once", async () => {
    const { draft } = await drafted({
      writes: [{ page: ANSWER }],
      notes: [...notes, "Not found: the price (not in d3)"],
    });
    expect(draft.gaps.map(({ text }) => text)).toEqual(["the limit (per user)", "the price"]);
  });

  describe("makes a part of the question answered in part at best", () => {
    const page = `${ANSWER}\nIt costs 20 € a month, so each month costs 20 €. [c2] It costs 20 €. [c2]\n`;
    const parts = [
      { part_id: "speed", coverage: 1 },
      { part_id: "price", coverage: 1 },
    ];
    const coverage = async (more: Partial<DraftOptions>) => {
      const { draft } = await drafted({ writes: [{ page, parts }], ...more });
      return draft.parts.map((part) => part.coverage);
    };
    const gaps = [{ text: "the price", reason: "nobody says", part_ids: ["price"] }];

    test("where a researcher named the part", async () => {
      expect(await coverage({ notes, gaps })).toEqual([1, 0.5]);
    });

    test("where nobody named one, each that this researcher looked for", async () => {
      const lookedFor = ["price"];
      expect(await coverage({ notes, lookedFor })).toEqual([1, 0.5]);
      expect(await coverage({ notes, lookedFor: ["speed", "price"] })).toEqual([0.5, 0.5]);
    });

    test("control: without a gap it is answered", async () => {
      expect(await coverage({})).toEqual([1, 1]);
    });
  });
});
