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

describe("an entry of a reference of keywords", () => {
  const QUESTION = "How long does a soft halt wait, and how can I limit its time?";
  const ENTRIES = [
    ["grain.barn.id <id>", ["Names the barn that the grain of the mill is read from.", "It is seldom needed."]],
    [
      "halt-after <time>",
      [
        "Defines the time allowed to perform a soft halt of the mill.",
        "Arguments: <time> is in seconds. Without it, a soft halt waits for ever.",
        "This may be used to limit how long the mill waits while barns stay open in a soft halt.",
      ],
    ],
    ["daemon", ["Lets the mill go on behind the terminal. A halt of it is then not logged."]],
    ["gate-log [on | off]", ["Logs how long the gate stays open."]],
  ] as const;
  const join = (entry: (name: string, texts: readonly string[]) => string): string =>
    ENTRIES.map(([name, texts]) => entry(name, texts)).join("\n\n");
  const html = (entry: (name: string, texts: readonly string[]) => string): string =>
    `<html><body><h1>Mill</h1>${join((name, texts) =>
      entry(
        name.replaceAll("<", "&lt;"),
        texts.map((one) => one.replaceAll("<", "&lt;")),
      ),
    )}</body></html>`;
  const paragraphs = (texts: readonly string[]): string => texts.map((one) => `<p>${one}</p>`).join("");
  const references = {
    "m1.txt": join((name, texts) => `${name}\n${texts.join("\n\n")}`),
    "m2.txt": join((name, texts) => `${name}\n\n${texts.join("\n\n")}`),
    "m3.txt": join((name, texts) => `${name} - ${texts.join("\n\n")}`),
    "m4.txt": join((name, texts) => `${name}\n${texts.map((one) => `    ${one}`).join("\n\n")}`),
    "m5.html": html((name, texts) => `<div><b>${name}</b></div><pre>${texts.join("\n\n")}</pre>`),
    "m6.html": html((name, texts) => `<p><code>${name}</code></p>${paragraphs(texts)}`),
    "m7.html": html((name, texts) => `<p><b>${name}</b><br>${texts.join("</p><p>")}</p>`),
  };
  test.each(Object.entries(references))("is shown whole and alone in %s", async (name, text) => {
    const [first = ""] = answerOf(await reportOf({ [name]: text, "a.md": FILLER }, QUESTION));
    expect(first).toStartWith("halt-after <time>");
    expect(first).toEndWith("while barns stay open in a soft halt.");
  });

  test("is shown from its start also where a passage begins within it", async () => {
    const long = (name: string): string => `${name}-rest <n>\n\n${`Says what ${name} is for, at length. `.repeat(30)}`;
    const aside = `Barns are made of oak, and so are gates. `.repeat(26);
    const text = [long("grain"), `halt-after <time>\n\n${aside}\n\n${ENTRIES[1][1].join("\n\n")}`, long("flour")];
    const [first = ""] = answerOf(await reportOf({ "m.txt": text.join("\n\n"), "a.md": FILLER }, QUESTION));
    expect(first).toStartWith("halt-after <time>");
    expect(first).toEndWith("while barns stay open in a soft halt.");
  });

  test("control: a name of a file above an example begins none", async () => {
    const text = `mill.conf\n\n${ENTRIES[1][1].join("\n\n")}\n\nMore stands in the manual.`;
    const [first = ""] = answerOf(await reportOf({ "m.txt": text, "a.md": FILLER }, QUESTION));
    expect(first).toEndWith("More stands in the manual.");
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
