// Tests of pages that writers hand in: good ones become reports, and bad ones are mended, cut or refused.
import { describe, expect, test } from "bun:test";
import type { RunError } from "../../../src/kernel/errors.ts";
import type { Draft, Statement } from "../../../src/run/report/report.ts";
import { idsIn, statementsOf } from "../../../src/run/report/statements.ts";
import { drafted, QUOTES, type AskedStatement, type Verdict } from "./written-draft.ts";

const GOOD = `## Answer

Choose Kestrel: it is the faster of the two. [from c1, c3] It handles 9,500 jobs per second [c1], Heron 3,800 [c3].

## Side by side

| | Kestrel | Heron |
|---|---|---|
| Jobs per second | 9,500 [c1] | 3,800 [c3] |
| Price | 20 € a month [c2] | – |

Kestrel is 2.5 times as fast [= 9,500 / 3,800; from c1, c3].

> [c4]

What Heron costs was not found. [g1]
`;
const NOTES = ["Not found: what Heron costs (no page names a price)", "The test is from 2024."];

function shownOf(draft: Draft): string[] {
  return statementsOf(draft).map((statement) => {
    const verdict = "verdict" in statement ? ` ${statement.verdict}` : "";
    return `${statement.statement_id} ${statement.basis}${verdict}: ${statement.text}`;
  });
}

/** Finds fault with what holds these words. */
function finds(words: string, verdict: Verdict): (one: AskedStatement) => Verdict {
  return ({ statement }) => (statement.includes(words) ? verdict : { verdict: "supported" });
}

const GERMAN = `## Antwort

Wählen Sie Kestrel, denn es ist von beiden das schnellere System und kommt mit der Last zurecht, die Sie in Ihrer Frage nennen. [from c1, c3]
Es hat im Test sehr viele Aufträge in jeder Sekunde verarbeitet, und das mit nur einem Rechner und ohne dass jemand etwas daran ändern musste. [c1]
Heron braucht keine Einrichtung, was für einen kleinen Betrieb ein Vorteil sein kann, wenn niemand da ist, der sich darum kümmert. [c4]
Was Kestrel im Monat kostet, steht auf der Seite mit den Preisen. [c2]
`;

describe("a page in another language than the question", () => {
  test("goes back once, whichever language it then has", async () => {
    for (const second of [GOOD, GERMAN]) {
      const { told, gate } = await drafted({ writes: [{ page: GERMAN }, { page: second }], notes: NOTES });
      expect(told.filter((one) => one.includes("in another language than the question"))).toHaveLength(1);
      expect(gate).toEqual([]);
    }
  });
});

describe("a good page", () => {
  test("becomes a report at once: a conclusion, a table, a computed number, an excerpt and a gap", async () => {
    const { draft, told, judged, gate } = await drafted({ writes: [{ page: GOOD }], notes: NOTES });
    expect([told, gate, judged.length]).toEqual([[], [], 1]);
    expect(shownOf(draft)).toEqual([
      "s1 derived supported: Choose Kestrel: it is the faster of the two.",
      "s2 cited supported: It handles 9,500 jobs per second, Heron 3,800.",
      "s3 cited supported: 9,500",
      "s4 cited supported: 3,800",
      "s5 cited supported: 20 € a month",
      "s6 derived supported: Kestrel is 2.5 times as fast.",
      `s7 quoted supported: ${QUOTES[3]}`,
      "s8 gap: What Heron costs was not found.",
    ]);
    expect(draft.statements["s6"]).toMatchObject({ expression: "9500 / 3800" });
    expect(draft.gaps).toEqual([
      { gap_id: "g1", text: "what Heron costs", reason: "Noted in research: no page names a price", evidence: "none" },
    ]);
    expect(draft.parts.map(({ coverage }) => coverage)).toEqual([1, 0.5]);
    expect(draft.sources.map(({ title }) => title)).toEqual(["Kestrel", "Heron"]);
  });

  test("keeps where each mark of a sentence stands, until the words of the sentence are others", async () => {
    const first = await drafted({ writes: [{ page: GOOD }], notes: NOTES });
    const end = "It handles 9,500 jobs per second,".length;
    expect(first.draft.statements["s2"]).toMatchObject({ clauses: [{ end, quotes: [0] }] });
    expect(Object.values(first.draft.statements).filter((one) => "clauses" in one)).toHaveLength(1);
    const again = async (changes: Record<string, string>) => {
      const target = Object.keys(changes)[0] ?? "";
      const directives = [{ kind: "other" as const, target, detail: "say it anew" }];
      const { draft } = await drafted({ writes: [{ changes }], notes: NOTES, previous: first.draft, directives });
      return draft.statements["s2"];
    };
    expect(await again({ s1: "Choose Kestrel. [from c1, c3]" })).toEqual(first.draft.statements["s2"] as Statement);
    expect(await again({ s2: "It handles 9,500 jobs per second. [c1]" })).not.toHaveProperty("clauses");
    const page = GOOD.replace("Heron 3,800 [c3]", "and, as ever, Heron 3,800 [c3]");
    const { draft } = await drafted({
      writes: [{ page }],
      judges: finds("as ever", { verdict: "partly", excess: "as ever" }),
      notes: NOTES,
    });
    expect(draft.statements["s2"]).toMatchObject({ text: expect.not.stringContaining("as ever") });
    expect(draft.statements["s2"]).not.toHaveProperty("clauses");
  });

  test("is written from quotes in their context, and from gaps", async () => {
    const { task } = await drafted({ writes: [{ page: GOOD }], notes: NOTES });
    const { citations, gaps, notes } = task as { citations: unknown[]; gaps: unknown[]; notes: unknown[] };
    expect(citations[0]).toMatchObject({
      citation_id: "c1",
      title: "Kestrel",
      heading: "Speed",
      document_text: QUOTES[0],
      after: "That was on four cores.",
    });
    expect([gaps, notes]).toEqual([
      [{ gap_id: "g1", text: "what Heron costs", reason: "no page names a price" }],
      ["The test is from 2024."],
    ]);
  });

  test("is written from a task that is cut for a small model: sentences beside quotes first, then the ends of quotes", async () => {
    const textsOf = async (resultLength: number) => {
      const { task, judged, gate } = await drafted({ writes: [{ page: GOOD }], notes: NOTES, resultLength });
      const citations = task["citations"] as { document_text: string; after?: string }[];
      const hasNeighbours = citations.some(({ after }) => after !== undefined);
      return [
        hasNeighbours,
        citations.map(({ document_text }) => document_text).join() === QUOTES.join(),
        judged.length > 1,
        gate,
      ];
    };
    expect(await textsOf(100_000)).toEqual([true, true, false, []]);
    expect(await textsOf(510)).toEqual([false, true, true, []]);
  });

  test("keeps a number that stands in the title of the quoted document", async () => {
    const page = `## Answer\n\nKestrel 4.7 handles 9,500 jobs per second [c1].`;
    const titled = await drafted({ writes: [{ page }], kestrelTitle: "Kestrel 4.7" });
    expect(shownOf(titled.draft)).toEqual(["s1 cited supported: Kestrel 4.7 handles 9,500 jobs per second."]);
    // Control: without that title the sentence is left out.
    expect(shownOf((await drafted({ writes: [{ page: `${page} Heron 3,800 [c3].` }] })).draft)).not.toContain(
      "s1 cited supported: Kestrel 4.7 handles 9,500 jobs per second.",
    );
  });

  test("may be the text of a reply", async () => {
    const { draft, told } = await drafted({ writes: [{ words: "I think." }, { words: GOOD }], notes: NOTES });
    expect([told.length, shownOf(draft).length]).toEqual([1, 8]);
  });
});

describe("faults of form", () => {
  const BAD = GOOD.replace("Heron 3,800 [c3]", "Heron 4,800 [c3]")
    .replace("20 € a month [c2]", "20 € a month")
    .replace(" [g1]", " [g9]");

  test("come back all at once, and are mended sentence by sentence", async () => {
    const changes = {
      s2: "It handles 9,500 jobs per second, Heron 3,800. [c1, c3]",
      s5: "20 € [c2]",
      s8: "",
    };
    const { draft, told, gate } = await drafted({ writes: [{ page: BAD }, { changes }], notes: NOTES });
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("asserts 4,800, which stands neither in c1, c3 nor in the question");
    expect(told[0]).toContain("is a cell without a mark (row “Price”, column “Kestrel”)");
    expect(told[0]).toContain("names g9, which is no gap that was noted (there is g1 alone)");
    expect(gate).toEqual([]);
    expect(shownOf(draft)).toHaveLength(7);
    expect(draft.statements["s5"]).toMatchObject({ text: "20 €", basis: "cited" });
  });

  test("that are never mended cost only their sentences, with a note", async () => {
    const { draft, told, gate } = await drafted({ writes: [{ page: BAD }], notes: NOTES });
    expect([told.length, gate]).toEqual([3, []]);
    expect(shownOf(draft).map((line) => line.split(" ")[0])).toEqual(["s1", "s3", "s4", "s6", "s7"]);
    expect(draft.made.notes).toHaveLength(3);
    expect(draft.made.notes[0]).toBe(
      "A sentence of the writer was left out: it asserts 4,800, which stands neither in c1, c3 nor in the question.",
    );
  });

  test("a page without any mark, and an empty one, are no report", async () => {
    for (const page of ["Choose Kestrel. It is faster.", " "]) {
      const failed = await drafted({ writes: [{ page }] }).catch((error: unknown) => error);
      expect(failed).toMatchObject({ code: "MODEL_FAILED" });
    }
  });
});

describe("what does not hold", () => {
  const excess: Verdict = { verdict: "partly", excess: "the faster of the two" };

  test("comes back with the words that go too far, and only changes are judged again", async () => {
    const changes = { s1: "Choose Kestrel. [from c1, c3]" };
    const { draft, told, judged, gate } = await drafted({
      writes: [{ page: GOOD }, { changes }],
      judges: finds("faster of the two", excess),
      notes: NOTES,
    });
    expect(told[0]).toContain("goes too far in “the faster of the two”: so read");
    expect(judged.map((ids) => ids.length)).toEqual([8, 1]);
    expect(gate).toEqual([]);
    expect(shownOf(draft)[0]).toBe("s1 derived supported: Choose Kestrel.");
  });

  test("is not replaced by changes that cannot be read", async () => {
    const words = `Sorry! Here it is:\n{"changes": [{"statement_id": "s1", "text": "Choose "Kestrel". [from c1, c3]"}]}`;
    const changes = { s1: "Choose Kestrel. [from c1, c3]" };
    const { draft, told } = await drafted({
      writes: [{ page: GOOD.replace("[from c1, c3]", "[from c9]") }, { words }, { changes }],
      notes: NOTES,
    });
    expect(told[1]).toContain("Nothing is submitted yet");
    expect(JSON.stringify(draft)).not.toContain("Sorry");
    expect(shownOf(draft)[0]).toBe("s1 derived supported: Choose Kestrel.");
  });

  test("is published with its verdict after two rounds, or when the writer insists", async () => {
    for (const second of [{ page: GOOD }, { words: "I mean it so." }, { changes: {} }]) {
      const { draft, gate } = await drafted({
        writes: [{ page: GOOD }, second],
        judges: finds("faster of", excess),
        notes: NOTES,
      });
      expect(gate).toEqual([]);
      expect(draft.statements["s1"]).toMatchObject({
        verdict: "not_checked",
        reason: "goes too far in “the faster of the two”: so read",
      });
    }
  });

  test("a conclusion that is contradicted stands under a heading of its own", async () => {
    const page = GOOD.replace("Kestrel is 2.5", "Heron is the cheaper. [from c2] Kestrel is 2.5");
    const { draft, gate } = await drafted({
      writes: [{ page }],
      judges: finds("cheaper", { verdict: "contradicted" }),
      notes: NOTES,
    });
    expect(gate).toEqual([]);
    expect(draft.blocks.slice(-2)).toEqual([
      { kind: "heading", level: 2, text: "What its quotes contradict", role: "contradicted" },
      { kind: "list", ordered: false, items: [{ statements: ["s6"] }] },
    ]);
  });

  test("a sentence without a mark is framing or is left out, whatever its neighbours and a verifier say", async () => {
    const page = `## Answer\n\nTwo things count. Both are fast. [c1] Nothing else is.\n\n## More\n\nIt is blue.`;
    const judges = ({ statement, asks }: AskedStatement): Verdict => {
      if (asks !== "unmarked") return { verdict: "supported" };
      if (statement.startsWith("Two")) return { verdict: "framing" };
      return { verdict: statement.startsWith("Nothing") ? "supported" : "unclear" };
    };
    const { draft, told, gate } = await drafted({ writes: [{ page: page.replace("[c1]", "[c1, c3]") }], judges });
    expect(told[0]).toContain("asserts something and names no quote");
    expect(gate).toEqual([]);
    expect(shownOf(draft)).toEqual(["s1 framing: Two things count.", "s2 cited supported: Both are fast."]);
    expect(draft.blocks.map((block) => (block.kind === "heading" ? block.text : ""))).not.toContain("More");
    expect(draft.made.notes).toEqual([
      "A sentence of the writer was left out: it asserted something and named no quote.",
      "A sentence of the writer was left out: it asserted something and named no quote (not found in its quotes: so read).",
    ]);
  });

  test("a row without a cell is left out with its label, and stays when the label holds", async () => {
    const rows = "| Heron loses jobs at night | – |\n| Heron costs 900 € a year | – |\n| Swift | – |";
    const page = `## Answer\n\n${QUOTES[0]} [c1] ${QUOTES[2]} [c3]\n\n| Product | Price |\n|---|---|\n| Kestrel | 20 € [c2] |\n${rows}\n\n## More\n\n| Product | Setup |\n|---|---|\n| Swift | – |\n`;
    const { draft, gate } = await drafted({
      writes: [{ page }, { words: "It stays." }],
      judges: ({ statement }) => ({ verdict: statement.includes("loses") ? "unclear" : "supported" }),
    });
    const tables = draft.blocks.filter(({ kind }) => kind === "table");
    expect(tables).toEqual([
      {
        kind: "table",
        columns: ["Product", "Price"],
        rows: [
          ["Kestrel", ["s3"]],
          ["Swift", "–"],
        ],
      },
    ]);
    expect(draft.blocks.filter(({ kind }) => kind === "heading")).toHaveLength(1);
    expect(gate).toEqual([]);
  });

  test("a heading that says more than its section is left out, and all headings are judged in one call", async () => {
    const page = GOOD.replace("## Side by side", "## Kestrel wins in every single test");
    const { draft, told, gate, judged } = await drafted({
      writes: [{ page }, { words: "so be it" }],
      judges: finds("every single test", { verdict: "unclear" }),
      notes: NOTES,
    });
    expect(told[0]).toContain("is a label that says more than what is below it");
    expect([gate, judged.length]).toEqual([[], 1]);
    expect(draft.blocks.filter(({ kind }) => kind === "heading")).toHaveLength(1);
  });
});

describe("a draft that is written again", () => {
  test("changes what the remarks ask for, and only that is judged", async () => {
    const { draft: previous } = await drafted({ writes: [{ page: GOOD }], notes: NOTES });
    const { draft, prompt, task, judged, gate } = await drafted({
      writes: [{ changes: { s1: "Choose Kestrel for its speed. [from s2, c1]" } }],
      previous,
      directives: [{ kind: "other", target: "s1", detail: "say for what" }],
      notes: NOTES,
    });
    expect(prompt).toContain('Hand the result in by calling "revise"');
    expect(prompt).not.toContain("submit");
    expect(String(task["previous_page"])).toContain("s1 [from c1, c3] Choose Kestrel");
    expect(judged).toEqual([["s1"]]);
    expect(gate).toEqual([]);
    expect(draft.statements["s1"]).toMatchObject({
      basis: "derived",
      from: ["s2"],
      text: "Choose Kestrel for its speed.",
    });
    expect({ ...draft.statements, s1: null }).toEqual({ ...previous.statements, s1: null });
    expect(draft.blocks).toEqual(previous.blocks);
  });

  test("keeps byte for byte all that no remark names, whatever the writer hands in", async () => {
    const { draft: previous } = await drafted({ writes: [{ page: GOOD }], notes: NOTES });
    const directives = [{ kind: "other" as const, target: "Side by side", detail: "in a sentence" }];
    const { draft, told } = await drafted({
      writes: [
        { page: "## Answer\n\nAll is otherwise. [c1]" },
        { words: "## Answer\n\nAll is otherwise, for the last time. [c1]" },
        { changes: { s1: "Something else. [c1]", h1: "Other words" } },
        { changes: { h2: "## Compared\n\nOne handled 9,500 jobs per second [c1], the other 3,800 [c3]." } },
      ],
      previous,
      directives,
      notes: NOTES,
    });
    expect(told.join("\n")).toContain("is not to be written again: leave it as it is");
    const at = (blocks: Draft["blocks"]) =>
      blocks.findIndex((one) => one.kind === "heading" && /^(Side|Comp)/.test(one.text));
    const [before, after] = [previous.blocks.slice(0, at(previous.blocks)), draft.blocks.slice(0, at(draft.blocks))];
    expect(JSON.stringify(after)).toBe(JSON.stringify(before));
    for (const id of before.flatMap(idsIn))
      expect(JSON.stringify(draft.statements[id])).toBe(JSON.stringify(previous.statements[id]));
    expect(draft.blocks.slice(at(draft.blocks)).map(({ kind }) => kind)).toEqual(["heading", "paragraph"]);
    expect(draft.title).toBe(previous.title);
  });

  test("stays as it was when the writer hands nothing in", async () => {
    const { draft: previous } = await drafted({ writes: [{ page: GOOD }], notes: NOTES });
    const directives = [{ kind: "other" as const, target: "s1", detail: "say for what" }];
    const { draft } = await drafted({ writes: [{ words: "I would not." }], previous, directives, notes: NOTES });
    expect(draft).toEqual(previous);
  });
});

describe("a bad writer", () => {
  const pages: Record<string, string> = {
    "marks everything with everything": GOOD.replaceAll(/\[(?:from )?c\d[^\]]*\]/g, "[c1, c2, c3, c4]"),
    "writes in another language":
      "## Antwort\n\nNehmen Sie Kestrel [aus c1, c3]. Er schafft 9.500 Aufträge je Sekunde [c1], z. B. mit vier Kernen.\n",
    "nests tables in lists":
      "## Answer\n\n- It is fast [c1]\n\n  | a | b |\n  |---|---|\n  | x | 9,500 [c1] |\n\n  - deeper [c3]\n",
    "puts marks into headings": GOOD.replace("## Answer", "## Answer [c1]"),
    "writes 200 KB": `## Answer\n\n${"It handled 9,500 jobs per second [c1]. Heron handled 3,800 [c3]. ".repeat(3_000)}`,
    "concludes with wrong arithmetic": GOOD.replace("2.5 times", "3.5 times"),
    "wraps it in JSON and thinking": `<think>Hm. [c1]</think>\n${JSON.stringify({ page: GOOD })}`,
  };

  const MARKLESS =
    "## Choice\n\nKestrel handled 9,500 jobs per second.\n\nHeron handled 3,800 jobs per second in the same test.\n\nThe weather will be fine, they say, wherever anybody goes on a holiday with a good friend or two.\n";

  test.each([
    ["hands in", [{ page: MARKLESS }]],
    ["only says", [{ words: MARKLESS }]],
  ])("%s a page without a mark gets an error that says so: nobody else names its quotes", async (_, writes) => {
    const { code, facts } = (await drafted({ writes }).catch((error: unknown) => error)) as RunError;
    expect([code, facts["reason"]]).toEqual(["MODEL_FAILED", expect.stringContaining("names no quote anywhere")]);
    // The next attempt is told so, and only where it is the same conversation.
    const lesson = facts["lesson"] as { conversation: string; text: string };
    const { prompt } = await drafted({ writes: [{ page: GOOD }], notes: NOTES, lesson });
    expect(prompt).toContain("names no quote anywhere");
    const other = await drafted({
      writes: [{ page: GOOD }],
      notes: NOTES,
      lesson: { ...lesson, conversation: "other" },
    });
    expect(other.prompt).not.toContain("names no quote anywhere");
  });

  test("is told when too few quotes are used without what is left out", async () => {
    const page = "## Answer\n\nKestrel handles 9,500 jobs per second [c1]. Heron handles 77 [c3].\n";
    const { told, gate } = await drafted({
      writes: [{ page }, { page }, { page }, { page }, { page: GOOD }],
      notes: NOTES,
    });
    expect(told.at(-1)).toContain("uses 1 of 4 quotes, at least 30 % have to be, when what does not hold is left out");
    expect(gate).toEqual([]);
  });

  test("is told of a number without a quote in a sentence that asserts nothing", async () => {
    const page = GOOD.replace("Heron 3,800 [c3].", "Heron 3,800 [c3]. Mind the 9,500.");
    const { told } = await drafted({
      writes: [{ page }, { page: GOOD }],
      judges: finds("Mind", { verdict: "framing" }),
      notes: NOTES,
    });
    expect(told.join()).toContain("asserts 9,500, which stands in no quote that it names");
  });

  test("may name several gaps behind one sentence, and each is shown", async () => {
    const notes = [...NOTES, "Not found: who makes Heron (no imprint)"];
    const { draft, gate } = await drafted({ writes: [{ page: GOOD.replace("[g1]", "[g1, g2]") }], notes });
    expect(gate).toEqual([]);
    expect(draft.statements["s8"]).toMatchObject({ basis: "gap", gap_id: "g1", further_gap_ids: ["g2"] });
    expect(draft.gaps.map(({ gap_id }) => gap_id)).toEqual(["g1", "g2"]);
  });

  test.each(Object.entries(pages))("%s: a report that passes its gate, or none", async (_, page) => {
    const made = await drafted({ writes: [{ page }], notes: NOTES }).catch((error: { code?: string }) => error);
    if ("gate" in made) expect(made.gate).toEqual([]);
    else expect(made.code).toBe("MODEL_FAILED");
  });
});

test("a title may come beside the page, and its own comes first", async () => {
  const page = "## Choose\n\nIt costs 20 € a month. [c2]\n";
  const titleOf = async (said: { page: string; title?: string }): Promise<string | undefined> =>
    (await drafted({ writes: [said] })).draft.title;
  expect(await titleOf({ page, title: "# Kestrel or Heron" })).toBe("Kestrel or Heron");
  expect(await titleOf({ page: `# Which one\n\n${page}`, title: "Kestrel or Heron" })).toBe("Which one");
  expect(await titleOf({ page })).toBeUndefined();
});
