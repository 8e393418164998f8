// Tests of a page that is written by sections: what each step is given, what it may name, and how they become one draft.
import { describe, expect, test } from "bun:test";
import { answer, outline, section } from "../../../src/drivers/writing/writing.ts";
import type { RunError } from "../../../src/kernel/errors.ts";
import type { Draft } from "../../../src/run/report/report.ts";
import { idsIn, sectionsOf, statementsOf } from "../../../src/run/report/statements.ts";
import type { Outline } from "../../../src/run/report/research.ts";
import {
  gateOf,
  scriptedTools,
  Seen,
  writersInput,
  type AskedStatement,
  type Said,
  type Verdict,
} from "./written-draft.ts";

const NOTES = ["Not found: what Heron costs (no page names a price)"];
const OUTLINE: Outline = {
  title: "Kestrel or Heron",
  sections: [
    { heading: "Speed", answers: "which is faster", citation_ids: ["c1", "c3"] },
    { heading: "Effort", answers: "what they cost and need", citation_ids: ["c2", "c4", "c1"] },
  ],
};
const SPEED = "## Speed\n\nKestrel handles 9,500 jobs per second [c1]. Heron handles 3,800 [c3].\n";
const EFFORT = "## Effort\n\nKestrel costs 20 € a month [c2].\n\n- Heron needs no setup [c4]\n";
const ANSWER = `# Which one

## Choose Kestrel

Choose Kestrel: it is the faster one. [from s1, s2] It is 2.5 times as fast. [= 9500 / 3800; from s1, s2] What Heron costs was not found. [g1]
`;

type Judges = (statement: AskedStatement) => Verdict;

async function outlined(writes: readonly Said[], resultLength?: number) {
  const seen = new Seen();
  const tools = scriptedTools({ outline: writes }, seen, resultLength === undefined ? {} : { resultLength });
  return { made: await outline(writersInput({ notes: NOTES }), tools), seen };
}

async function sectionOf(number: number, writes: readonly Said[], judges?: Judges) {
  const seen = new Seen();
  const tools = scriptedTools({ section: writes }, seen, judges === undefined ? {} : { judges });
  const made = await section({ ...writersInput({ notes: NOTES }), outline: OUTLINE, section: number }, tools);
  return { made, seen, ...seen.of("section") };
}

async function answered(sections: Draft[], writes: readonly Said[], judges?: Judges, resultLength = 100_000) {
  const seen = new Seen();
  const tools = scriptedTools({ answer: writes }, seen, { resultLength, ...(judges === undefined ? {} : { judges }) });
  const made = await answer({ ...writersInput({ notes: NOTES }), outline: OUTLINE, sections }, tools);
  return { made, seen, gate: await gateOf(made), ...seen.of("answer") };
}

async function bothSections(): Promise<Draft[]> {
  return [(await sectionOf(1, [{ page: SPEED }])).made, (await sectionOf(2, [{ page: EFFORT }])).made];
}

function textsOf(draft: Draft): string[] {
  return statementsOf(draft).map(({ statement_id, basis, text }) => `${statement_id} ${basis}: ${text}`);
}

function idsOf(told: unknown): string[] {
  return (told as { citation_id: string }[]).map(({ citation_id }) => citation_id);
}

describe("an outline", () => {
  const only = (citation_ids: string[], heading = "Speed") => ({ heading, answers: "which is faster", citation_ids });

  test("names citations as every later step does", async () => {
    const { made, seen } = await outlined([{ sections: OUTLINE.sections, title: "Kestrel or Heron" }]);
    expect(made).toEqual(OUTLINE);
    expect(idsOf(seen.of("outline").task["citations"])).toEqual(["c1", "c2", "c3", "c4"]);
    const { task } = await sectionOf(2, [{ page: EFFORT }]);
    expect(idsOf(task["citations"])).toEqual(["c1", "c2", "c4"]);
  });

  test("is refused with advice when it names unknown citations", async () => {
    const strange = { sections: [only(["c1", "c9"])] };
    const twice = { sections: [only(["c1"]), only(["c3"])] };
    const { made } = await outlined([strange, twice, { sections: [only(["c1", "c2", "c3", "c4"])] }]);
    expect(made.sections).toHaveLength(1);
    const refused = async (wished: Said): Promise<string> => {
      const { facts } = (await outlined([wished]).catch((error: unknown) => error)) as RunError;
      return (facts["lesson"] as { text: string }).text;
    };
    expect(await refused(strange)).toContain("c9 is no citation_id of this run (c1 to c4)");
    expect(await refused(twice)).toContain("two sections are called “Speed”");
  });

  test("gets the citations that it forgets in the sections for the same part of the question", async () => {
    // c2 was recorded for the price, the others for the speed.
    const { made } = await outlined([{ sections: [only(["c2"], "Price"), only(["c1"])] }]);
    expect(made.sections.map(({ citation_ids }) => citation_ids)).toEqual([["c2"], ["c1", "c3", "c4"]]);
  });
});

describe("headings of sections", () => {
  const judges: Judges = ({ asks, statement }) => ({
    verdict: asks === "label" && statement.includes("best") ? "unclear" : "supported",
  });

  test("are judged once, with the answer, whose writer may write those again that do not fit", async () => {
    const best = await sectionOf(1, [{ page: SPEED.replace("## Speed", "## Kestrel is best") }], judges);
    expect(best.seen.judged).toEqual([["s1", "s2"]]);
    const effort = (await sectionOf(2, [{ page: EFFORT.replace("## Effort", "## What they cost") }])).made;
    const changes = { h2: "Jobs per second", h3: "Costs" };
    const { made, seen, told } = await answered([best.made, effort], [{ page: ANSWER }, { changes }], judges);
    expect(told[0]).toContain("Kestrel is best");
    expect(told[1]).toContain("is not to be written again");
    expect(seen.judged.map((ids) => ids.filter((id) => /^[ht]/u.test(id)))).toEqual([["h2", "h3"], ["h2"]]);
    expect(sectionsOf(made).map(({ heading }) => heading?.text)).toEqual([
      "Choose Kestrel",
      "Jobs per second",
      "What they cost",
    ]);
  });
});

describe("a section", () => {
  test("is written with the task of all sections known, and judged in one call", async () => {
    const { made, task, seen } = await sectionOf(1, [{ page: SPEED }]);
    expect(task).toMatchObject({
      section: { heading: "Speed", answers: "which is faster" },
      other_sections: [{ heading: "Effort", answers: "what they cost and need" }],
    });
    expect(task["gaps"]).toHaveLength(1);
    expect(seen.judged).toEqual([["s1", "s2"]]);
    expect(made.blocks[0]).toEqual({ kind: "heading", level: 2, text: "Speed" });
  });

  test("may name only its own citations, and has to use its share of them", async () => {
    const foreign = { page: SPEED.replace("[c3]", "[c4]") };
    const { told } = await sectionOf(1, [foreign, { page: SPEED }]);
    expect(told[0]).toContain("names c4, which is no quote that you were given (c1, c3)");
    // c1 is the own one of the section before.
    const lean = await sectionOf(2, [
      { page: "## Effort\n\nKestrel handles 9,500 jobs per second [c1]." },
      { page: EFFORT },
    ]);
    expect(lean.told[0]).toContain("uses 0 of 2 quotes, at least 30 % have to be");
  });

  const bad: Record<string, string> = {
    "marks everything with everything": SPEED.replaceAll(/\[c\d\]/g, "[c1, c3]"),
    "writes in another language": "## Tempo\n\nKestrel schafft 9.500 Aufträge je Sekunde [c1], Heron 3.800 [c3].",
    "nests tables":
      "## Speed\n\n- It is fast [c1]\n\n  | a | b |\n  |---|---|\n  | x | 9,500 [c1] |\n\nAnd 3,800 [c3].",
    "marks its heading": SPEED.replace("## Speed", "## Speed [c1]"),
    "writes several sections": `${SPEED}\n## Answer\n\nChoose Kestrel [from c1, c3].\n\n# Sources\n\nNone [c1].`,
    "computes wrongly": `${SPEED}\nKestrel is 3.5 times as fast [= 9500 / 3800; from c1, c3].`,
  };

  test.each(Object.entries(bad))(
    "of a writer that %s: becomes part of a page that passes its gate",
    async (_, page) => {
      const [, effort] = await bothSections();
      const { made } = await sectionOf(1, [{ page }]);
      expect(made.blocks.filter((block) => block.kind === "heading" && block.level === 2)).toHaveLength(1);
      const { gate } = await answered(
        [made, effort as Draft],
        [{ page: "## Choose Kestrel\n\nIt is fast. [from s1]" }],
      );
      expect(gate).toEqual([]);
    },
  );

  test("without marks is left out with a note, whatever words it shares with quotes", async () => {
    const [speed] = await bothSections();
    const { made: empty } = await sectionOf(2, [
      { page: "## Effort\n\nHeron handled 3,800 jobs per second. All is well." },
    ]);
    expect(empty.blocks).toEqual([]);
    const { made, gate } = await answered(
      [speed as Draft, empty],
      [{ page: "## Choose\n\nKestrel is faster. [from s1]" }],
    );
    expect(made.blocks.flatMap((block) => (block.kind === "heading" ? [block.text] : []))).toEqual(["Choose", "Speed"]);
    expect(made.made.notes).toContain("Nothing was left of the section “Effort”.");
    expect(gate).toEqual([]);
  });
});

describe("the answer", () => {
  test("stands above the sections, follows from their statements, and is judged alone in one call", async () => {
    const { made, seen, task, gate } = await answered(await bothSections(), [{ page: ANSWER }]);
    expect(gate).toEqual([]);
    expect(String(task["page"])).toContain("s1 [c1] Kestrel handles 9,500 jobs per second.");
    expect(task["citations"]).toEqual([]);
    expect(seen.judged).toEqual([["s5", "s6", "s7"]]);
    expect(made.title).toBe("Which one");
    expect(textsOf(made)).toEqual([
      "s1 derived: Choose Kestrel: it is the faster one.",
      "s2 derived: It is 2.5 times as fast.",
      "s3 gap: What Heron costs was not found.",
      "s4 cited: Kestrel handles 9,500 jobs per second.",
      "s5 cited: Heron handles 3,800.",
      "s6 cited: Kestrel costs 20 € a month.",
      "s7 cited: Heron needs no setup",
    ]);
    expect(made.statements["s1"]).toMatchObject({ from: ["s4", "s5"] });
    expect(sectionsOf(made).map(({ heading }) => [heading?.text, heading?.role])).toEqual([
      ["Choose Kestrel", "answer"],
      ["Speed", undefined],
      ["Effort", undefined],
    ]);
    expect(made.sources.map(({ title }) => title)).toEqual(["Kestrel", "Heron"]);
  });

  test("has the final ids of the claims in the coverage of each part", async () => {
    const { made } = await answered(await bothSections(), [{ page: ANSWER }]);
    const textsOn = made.parts.map(({ answered_by = [] }) => answered_by.map((id) => made.statements[id]?.text));
    expect(textsOn).toEqual([
      ["Kestrel handles 9,500 jobs per second.", "Heron handles 3,800.", "Heron needs no setup"],
      ["Kestrel costs 20 € a month."],
    ]);
  });

  test("leaves the sections as they are, whatever the writer hands in", async () => {
    const sections = await bothSections();
    const { made } = await answered(sections, [
      { page: `${ANSWER}\n${SPEED.replace("Kestrel", "Nobody")}` },
      { changes: { s1: "Kestrel handles 1 job [c1].", h2: "Tempo" } },
    ]);
    const before = sections.flatMap((one) => statementsOf(one).map(({ text }) => text));
    expect(
      statementsOf(made)
        .slice(3)
        .map(({ text }) => text),
    ).toEqual(before);
    expect(JSON.stringify(made)).not.toContain("Nobody");
    expect(made.made.notes.join()).toContain("sections that were written before");
  });

  test("that does not follow goes back, and is then left out", async () => {
    const judges: Judges = ({ statement }) =>
      statement.startsWith("Choose") ? { verdict: "unclear" } : { verdict: "supported" };
    const { made, told } = await answered(await bothSections(), [{ page: ANSWER }], judges);
    expect(told).toHaveLength(2);
    expect(made.statements["s1"]).toMatchObject({ verdict: "not_checked" });
  });

  test("without marks is judged by the quotes whose words it shares", async () => {
    const page = "## Choose Kestrel\n\nKestrel handled 9,500 jobs per second.\n\nTo be sure, take good care.";
    const judges: Judges = ({ asks, quotes = [] }) =>
      asks === "unmarked" && quotes.length === 0 ? { verdict: "unclear" } : { verdict: "supported" };
    const { made, gate } = await answered(await bothSections(), [{ page }], judges);
    expect(gate).toEqual([]);
    expect(made.statements["s1"]).toMatchObject({ basis: "cited", verdict: "supported" });
    expect(JSON.stringify(made.statements)).not.toContain("good care");
  });

  test("is written with the quotes when the sections use too few of them", async () => {
    const [speed] = await bothSections();
    const lean = { ...speed, statements: { s1: speed?.statements["s1"] }, blocks: speed?.blocks.slice(0, 1) } as Draft;
    lean.blocks.push({ kind: "paragraph", statements: ["s1"] });
    const { task, told } = await answered(
      [lean],
      [
        { page: "## So\n\nKestrel is fast. [from s1]" },
        { page: "## So\n\nKestrel is fast. [from s1] It costs 20 € [c2]." },
      ],
    );
    expect(idsOf(task["citations"])).toEqual(["c2", "c3", "c4"]);
    expect(told[0]).toContain("uses 1 of 4 quotes, at least 30 % have to be");
  });

  test("is shown each section as far as there is room", async () => {
    const long = Array.from(
      { length: 60 },
      (_, n) =>
        `- Kestrel ${"abcdefgh"[n % 8]}${"ijklmnop"[n >> 3]} handles 9,500 jobs${", so it is".repeat(n % 3)} [c1]`,
    );
    const { made: speed } = await sectionOf(1, [
      { page: `## Speed\n\n${long.join("\n")}\n\nHeron handles 3,800 [c3].` },
    ]);
    const { made: effort } = await sectionOf(2, [{ page: EFFORT }]);
    const { task } = await answered([speed, effort], [{ page: ANSWER }], undefined, 1_000);
    const page = String(task["page"]);
    expect(page.length).toBeLessThan(2_000);
    expect(page).toContain("## Speed");
    expect(page).toContain("## Effort");
    const shown = page.match(/^- s\d+ /gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(5);
    expect(page).toContain(`… ${61 - shown} more sentences not shown`);
    expect(page).toContain("## Effort\n… 2 more sentences not shown");
  });

  test("stands above sections of more sentences than one writer may write", async () => {
    const items = (number: number) =>
      Array.from(
        { length: 350 },
        (_, n) => `- Kestrel is fast, case ${"x".repeat(number)}${"y".repeat(n % 20)}${"z".repeat(n / 20)} [c1]`,
      );
    const sections: Draft[] = [];
    for (const number of [1, 2, 3])
      sections.push(
        (await sectionOf(1, [{ page: `## Speed ${"I".repeat(number)}\n\n${items(number).join("\n")}` }])).made,
      );
    const { made, task, gate, told } = await answered(sections, [
      { page: "## So\n\nKestrel is fast. [from s1, s1050] It costs 20 € [c2]. Heron handled 3,800 [c3]." },
    ]);
    expect(statementsOf(made)).toHaveLength(1_053);
    expect([gate, told]).toEqual([[], []]);
    expect(String(task["page"])).toContain("## Speed III");
  });

  test("goes back when it has more sentences than a writer may write", async () => {
    const { made, told } = await answered(await bothSections(), [
      { page: `## So\n\n${"- Kestrel is fast [c1]\n".repeat(1_001)}` },
      { page: ANSWER },
    ]);
    expect(told[0]).toContain("holds 1001 sentences, at most 1000: write less");
    expect(statementsOf(made)).toHaveLength(7);
  });
});

test("the writer is told the day, the readers, the language and the length", async () => {
  const assignment = { asked_on: "2026-01-31", audience: "the board", length: "brief" as const };
  const seen = new Seen();
  const tools = scriptedTools(
    { outline: [{ sections: OUTLINE.sections }], section: [{ page: SPEED }], answer: [{ page: ANSWER }] },
    seen,
  );
  const input = writersInput({ notes: NOTES, assignment });
  await outline(input, tools);
  const one = await section({ ...input, outline: OUTLINE, section: 1 }, tools);
  await answer({ ...input, outline: OUTLINE, sections: [one] }, tools);
  for (const name of ["outline", "section", "answer"]) {
    const prompt = seen.prompts.get(name) ?? "";
    expect(prompt).toContain("Write in the language of the question");
    expect(prompt).toContain("It was asked on 2026-01-31");
    expect(seen.of(name).task).toMatchObject({ audience: "the board" });
  }
  expect(seen.prompts.get("section")).toMatch(/Some 50 to 100 words/);
  const { made } = await sectionOf(1, [{ page: SPEED }]);
  expect(idsIn(made.blocks[1] ?? { kind: "heading", level: 2, text: "" })).toEqual(["s1", "s2"]);
});

describe("what a section says again", () => {
  const again = { changes: { s1: "Kestrel handles 9,500 jobs per second, it was measured. [c1]" } };
  const isFirst = ({ statement }: AskedStatement): boolean => statement.endsWith("9,500 jobs per second.");
  const unclear = (does: boolean): Verdict => ({ verdict: does ? "unclear" : "supported" });
  const said = async (): Promise<{ made: Draft; seen: Seen }> =>
    await sectionOf(1, [{ page: SPEED }, again], (one) => unclear(isFirst(one)));

  test("is judged with the answer, in one call", async () => {
    const { made, seen } = await said();
    expect(seen.judged).toEqual([["s1", "s2"]]);
    expect(made.statements["s1"]).toMatchObject({ verdict: "not_checked", method: "none" });
    const effort = (await sectionOf(2, [{ page: EFFORT }])).made;
    const page = await answered([made, effort], [{ page: ANSWER }]);
    expect(page.seen.judged).toHaveLength(1);
    expect(page.seen.judged[0]).toContain("s1");
    expect(page.gate).toEqual([]);
    expect(Object.values(page.made.statements).find(({ text }) => text.includes("measured"))).toMatchObject({
      verdict: "supported",
      method: "model test:model",
    });
  });

  test("control: goes to the writer of the answer when it does not hold, who may leave it out", async () => {
    const { made } = await said();
    const effort = (await sectionOf(2, [{ page: EFFORT }])).made;
    const writes = [{ page: ANSWER }, { changes: { s1: "" } }];
    const page = await answered([made, effort], writes, ({ statement }) => unclear(statement.includes("measured")));
    expect(page.told.join()).toContain('"statement_id": "s1"');
    expect(textsOf(page.made).join()).not.toContain("measured");
  });
});
