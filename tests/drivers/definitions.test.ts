// Tests that the entry of an asked term is what is shown and marked, and that programs give way to documents.
import { describe, expect, test } from "bun:test";
import { answerOf, marksOf, reportOf } from "./local-run.ts";

const FILLER = "Rain falls on the roof in autumn. Dogs bark at night. The road to the village is long.";
const MENTIONS = "# Rules\n\nA sluice needs grease. A sluice leaks, and a sluice of oak leaks less.\n";

describe("the entry of an asked term", () => {
  const glossaries = {
    items:
      "- **gate (of a sluice)**: What shuts a sluice.\n- **sluice**: A passage for water.\n- **race**: Leads to a sluice.",
    paragraphs: "**race**: Leads to a sluice.\n\n**sluice**: A passage for water.\n\n**weir**: Holds water back.",
    definitions: "race\n: Leads to a sluice.\n\nsluice\n: A passage for water.\n\nweir\n: Holds water back.",
  };
  test.each(Object.entries(glossaries))("answers alone among %s", async (_, text) => {
    const files = { "words.md": `# Words\n\n${text}\n`, "rules.md": MENTIONS, "a.md": FILLER };
    const run = await reportOf(files, "What is a sluice?");
    const [first = ""] = answerOf(run);
    expect(first).toMatch(/^(?:- )?(?:\*\*)?sluice/);
    expect(first).toEndWith("A passage for water.");
    expect(marksOf(run)[0]).toEqual([first]);
  });

  test("has all its paragraphs, up to the next entry", async () => {
    const text =
      "- **race**: Leads water.\n- **sluice**: A passage for water.\n\n  It is of oak.\n- **weir**: Holds water.\n";
    const run = await reportOf({ "words.md": `# Words\n\n${text}`, "rules.md": MENTIONS }, "What is a sluice?");
    expect(answerOf(run)[0]).toBe("- **sluice**: A passage for water.\n\n  It is of oak.");
  });

  test("both stand in front when two are compared", async () => {
    const manual = `.TH MILL 5\n.SH OPTIONS\n.PP\nFor what Feeds= and Drains= do, see below.\n.TP\n.B Feeds=\nThe race that water comes from.\n.TP\n.B Drains=\nThe race that water goes to.\n`;
    const run = await reportOf({ "mill.5": manual, "a.md": FILLER }, "difference between Feeds= and Drains=");
    expect(answerOf(run).map((text) => text.slice(0, 5))).toEqual(expect.arrayContaining(["Feeds", "Drain"]));
  });
});

describe("a program", () => {
  const files = {
    "mill.md": "# Mill\n\nThe wheel turns the stone by a long oak shaft.\n",
    "mill.py": "def turn_stone(wheel):\n    # wheel before stone\n    wheel.shaft.turn(stone)\n",
    "a.md": FILLER,
  };
  const foundFor = async (question: string): Promise<string[]> =>
    (await reportOf(files, question)).findings.flatMap(({ sources }) => sources.map(({ origin }) => origin));

  test("does not stand on a page where a document answers", async () => {
    expect(await foundFor("What turns the stone of the wheel?")).toEqual(["docs/mill.md"]);
  });

  test("stands there when the question names something of code, or when no document answers", async () => {
    expect(await foundFor("What does turn_stone do with the wheel and the stone?")).toContain("docs/mill.py");
    const { "mill.md": _, ...others } = files;
    const run = await reportOf(others, "What turns the stone of the wheel?");
    expect(run.findings.flatMap(({ sources }) => sources.map(({ origin }) => origin))).toEqual(["docs/mill.py"]);
  });
});
