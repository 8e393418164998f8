// Tests of the page that the local driver makes: its excerpts, what counts as an answer, what is missing, what is left out.
import { describe, expect, test } from "bun:test";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import { claimsOf } from "../../../src/run/report/statements.ts";
import { reportMarkdown } from "../../../src/pages/markdown-page.ts";
import { answerOf, excerptsOf, marksOf, reportOf } from "./local-run.ts";

const FILLER = "Rain falls on the roof in autumn. Dogs bark at night. The road to the village is long.";

describe("the answer", () => {
  const FILES = {
    "wheel.md": `# The wheel\n\nThe wheel has a diameter of 4.2 metres. It is made of oak.\n\n## Oak\n\n${FILLER}\n`,
    "brook.md": `# The brook\n\nThe brook has a depth of one metre. A wheel stands in it.\n\n## Bank\n\n${FILLER}\n`,
  };

  test("is the whole passage with its best sentence marked", async () => {
    const run = await reportOf(FILES, "What is the diameter of the wheel?");
    expect(answerOf(run)).toEqual(["The wheel has a diameter of 4.2 metres. It is made of oak."]);
    expect(marksOf(run)[0]).toEqual(["The wheel has a diameter of 4.2 metres."]);
    expect(run.draft.blocks[0]).toEqual({ kind: "heading", level: 2, text: "Answer", role: "answer" });
    expect(run.draft.parts).toMatchObject([{ missing: [], claims: 1, sources: 1 }]);
    expect(run.draft.gaps).toEqual([]);
    expect(claimsOf(run.draft)[0]?.quotes[0]?.anchor).toEqual({ section: ["The wheel"] });
  });

  test("of several parts stands under each of them, and a part without evidence has a gap", async () => {
    const run = await reportOf(
      FILES,
      "What is the diameter of the wheel? What is the depth of the brook? Who won the world cup?",
    );
    const headings = run.draft.blocks.flatMap((block) => (block.kind === "heading" ? [[block.text, block.role]] : []));
    expect(headings.slice(0, 2)).toEqual([
      ["What is the diameter of the wheel?", "answer"],
      ["What is the depth of the brook?", "answer"],
    ]);
    expect(headings[2]).toEqual(["Who won the world cup?", "answer"]);
    const gap = Object.values(run.draft.statements).find(({ basis }) => basis === "gap");
    expect(gap).toMatchObject({ gap_id: "g1", text: run.draft.gaps[0]?.reason ?? "" });
    expect(run.draft.parts.map(({ claims }) => claims > 0)).toEqual([true, true, false]);
    expect(run.draft.gaps).toEqual([
      {
        gap_id: "g1",
        text: "Who won the world cup?",
        reason: "Nothing was found for it. The documents do not hold: world, cup.",
        evidence: "none",
      },
    ]);
    expect(run.pivot).toMatchObject({ decision: "skip", gaps: [] });
  });
});

describe("a passage that does not answer", () => {
  const FILES = {
    "pump.md": `# Pumps\n\nThe pump of the turbine was greased. It is loud.\n\n## Hall\n\n${FILLER}\n`,
    "ladder.md": `# Ladders\n\nThe ladder is long.\n\n## Shed\n\n${FILLER}\n`,
  };

  test("is a page that says so, shows one excerpt with the words that it lacks, and claims nothing", async () => {
    const run = await reportOf(
      FILES,
      "What is the warranty price of the turbine pump in euros, with tax, toll and rent?",
    );
    const { draft } = run;
    expect(draft.answered).toBe("nearest");
    expect(claimsOf(draft)).toEqual([]);
    expect(excerptsOf(run, "nearest")).toEqual(["The pump of the turbine was greased. It is loud."]);
    expect(draft.blocks).toMatchObject([
      { kind: "heading", role: "answer" },
      { kind: "paragraph", statements: ["not-found-g1"] },
      { kind: "heading", role: "nearest" },
      { kind: "excerpt", lacks: ["warranty", "price", "euros", "tax", "toll", "rent"] },
    ]);
    expect(draft.statements["not-found-g1"]?.text).toBe(
      "Nothing here covers this; nearest, lacks: warranty, price, euros, tax, toll, rent.",
    );
    expect(draft.gaps).toMatchObject([
      { evidence: "weak", reason: expect.stringContaining("lacks: warranty, price, euros, tax, toll, rent.") },
    ]);
    expect(draft.parts).toMatchObject([
      { claims: 0, sources: 0, missing: ["warranty", "price", "euros", "tax", "toll", "rent"] },
    ]);
  });

  test("is the first of the search, and claims nothing beside a part that is answered", async () => {
    const words = ["pump", "turbine", "ladder", "hall", "shed", "gate"];
    const files = Object.fromEntries(
      ["brook", "stone", "mill", "cart"].map((name, at) => [
        `${name}.md`,
        `# The ${name}\n\nA ${name} has a ${words[at]} and a ${words[at + 1]}. ${FILLER}\n`,
      ]),
    );
    const far = `Which ${words.join(" ")} costs warranty, price, euros, rent, tax, toll and fees?`;
    const run = await reportOf(files, `What has a cart with a hall and a shed? ${far}`);
    const found = run.findings[0]?.quotes.filter(({ part_ids }) => part_ids[0] === run.plan.parts[1]?.id) ?? [];
    expect(found.length).toBeGreaterThan(1);
    expect(excerptsOf(run, "nearest")).toEqual(found.slice(0, 1).map(({ text }) => text));
    expect(run.draft.answered).toBe("partly");
    expect(claimsOf(run.draft).map(({ text }) => text)).toEqual(answerOf(run));
  });

  test("needs one word that tells something, whatever other words there are", async () => {
    expect(excerptsOf(await reportOf(FILES, "What is the price and the rent of the ladder?"), "nearest")).toEqual([
      "The ladder is long.",
    ]);
    expect(excerptsOf(await reportOf(FILES, "What about the ladder?"), "answer")).toEqual(["The ladder is long."]);
    expect((await reportOf(FILES, "How do penguins breed?")).findings[0]).toMatchObject({
      quotes: [],
      notes: ["No passage holds a distinctive word of any part of the question."],
    });
  });

  test("control: words that all passages share tell nothing", async () => {
    const rooms = Array.from({ length: 30 }, (_, at) => [`room${at}.md`, `# Steps ${at}\n\nThe ladder is tall.\n`]);
    const none = await reportOf(Object.fromEntries(rooms), "What is the price of the ladder?");
    expect(none.findings[0]?.quotes).toEqual([]);
  });
});

describe("a word with signs", () => {
  const FILES = {
    "all.md": "# Arguments\n\nThe difference matters: all arguments of a script stand in `$*` as one word.\n",
    "c.md": `# Plan C\n\nA letter of plan C is short. Compilers of C differ.\n\n## Rain\n\n${FILLER}\n`,
  };

  test("counts, and is missing when no excerpt has it", async () => {
    const run = await reportOf(FILES, "What is the difference between `$@` and `$*`?");
    expect(run.plan.parts[0]).toMatchObject({ terms: ["difference", "$@", "$*"], absent: [] });
    expect(run.draft.parts[0]?.missing).toEqual(["$@"]);
    expect(run.draft.parts[0]?.coverage).toBeLessThan(1);
    // Control: a document with both words.
    const both = { ...FILES, "all.md": `${FILES["all.md"]} \`$@\` keeps them apart.` };
    expect((await reportOf(both, "What is the difference between $@ and $*?")).draft.parts[0]?.missing).toEqual([]);
  });

  test("is not the word without signs: C++ is not C, and .NET is no net", async () => {
    const run = await reportOf(FILES, "Which letter and compilers of C++ differ?");
    expect(run.plan.parts[0]?.terms).toEqual(["letter", "compilers", "differ", "C++"]);
    expect(run.draft.parts[0]?.missing).toEqual(["C++"]);
    const net = await reportOf({ "a.md": "# Nets\n\nNets are long.\n\n# Fish\n\nNo net holds." }, "What is .NET?");
    expect(net.findings[0]?.quotes).toEqual([]);
  });

  test("is not made by signs that end or join words", async () => {
    const run = await reportOf(
      FILES,
      'Compilers & letters - "plan" (short)... or: arguments?! A/B, x-ray, 50 %, 5 €, **bold**',
    );
    expect(run.plan.parts.flatMap(({ terms }) => terms).filter((word) => /[^\p{L}\p{N}]/u.test(word))).toEqual([]);
  });
});

test("words are shown as the question spells them, and long data is cut", async () => {
  const files = { "konto.md": "# Konto\n\nDas Konto wird monatlich geprüft. Alle Buchungen stehen im Konto.\n" };
  const question = `Wie hole ich monatlich Kontoauszüge für ${"Ab1".repeat(90)} vom Konto? Und der Süßwarenladen?`;
  const run = await reportOf(files, question);
  const lacks = ["hole", "Kontoauszüge", `${"Ab1".repeat(20)}…`];
  expect(run.draft.blocks.find(({ kind }) => kind === "excerpt")).toMatchObject({ lacks });
  expect(run.draft.parts.map(({ missing }) => missing)).toEqual([lacks, ["Süßwarenladen", ...lacks]]);
  expect(run.plan.parts[1]).toMatchObject({
    inherited: ["hole", "monatlich", "Kontoauszüge", "Ab1".repeat(90), "Konto"],
  });
});

describe("an excerpt", () => {
  const rows = "| Word | Meaning |\n|---|---|\n| tick | One step of a run. |\n| lease | The right to write a run. |\n";

  test("of a table is the whole table with the row marked", async () => {
    const run = await reportOf({ "glossary.md": `# Glossary\n\n${rows}`, "a.md": FILLER }, "What is a lease?");
    expect(answerOf(run)).toEqual([rows.trimEnd()]);
    expect(marksOf(run)[0]).toEqual(["| lease | The right to write a run. |"]);
  });

  test("of a table is judged with the names of its columns", async () => {
    const table = "| Coffee machine | Cost per month |\n|---|---|\n| Beans | 147.20 EUR |\n| Milk | 31.00 EUR |";
    const run = await reportOf({ "kitchen.md": `# Kitchen\n\n${table}\n`, "a.md": FILLER }, "What do beans cost?");
    expect([...answerOf(run), ...excerptsOf(run, "nearest")]).toEqual([table]);
    expect(run.draft.parts[0]?.missing).toEqual([]);
  });

  test("of a table longer than a page is the row", async () => {
    const many = Array.from({ length: 200 }, (_, index) => `| word${index} | What stands in row ${index}. |\n`);
    const run = await reportOf({ "glossary.md": `# Glossary\n\n${rows}${many.join("")}` }, "What is a lease?");
    expect(answerOf(run)).toEqual(["| lease | The right to write a run. |"]);
  });

  test("of a long list is the item with the line that introduces it, and of a short list the list", async () => {
    const item = (at: number): string =>
      `- The wheel ${at} of the mill was mended by a miller, with planks of oak and nails.`;
    const items = Array.from({ length: 12 }, (_, at) => item(at));
    const sluice = "- The sluice got a second gate of iron.";
    const question = "When did the sluice get a second gate?";
    const shown = async (lines: string[]): Promise<string | undefined> =>
      answerOf(
        await reportOf({ "changes.md": `# Changes\n\nIn spring:\n\n${lines.join("\n")}\n`, "a.md": FILLER }, question),
      )[0];
    expect(await shown([...items.slice(0, 6), sluice, ...items.slice(6)])).toBe(sluice);
    expect(await shown([sluice, ...items])).toBe(`In spring:\n\n${sluice}`);
    expect(await shown([item(0), sluice])).toBe(`In spring:\n\n${item(0)}\n${sluice}`);
  });

  test("of a long list has the whole item, and the item that it introduces", async () => {
    const answerIn = async (item: string): Promise<string> => {
      const items = Array.from({ length: 12 }, (_, at) => `- Plank ${at} of the water side is nailed to the oak frame`);
      const list = [...items.slice(0, 6), item, ...items.slice(6)].join("\n");
      const files = { "mill.md": `# Mill\n\n${list}\n`, "a.md": FILLER };
      return answerOf(await reportOf(files, "When does the sluice open the second gate?"))[0] ?? "";
    };
    for (const [item, told] of [
      ["- Of the gates\n\n    The sluice opens the second gate at dawn\n", "- Of the gates\n\n"],
      ["- The sluice opens the second gate:\n- at dawn", "at dawn"],
    ] as const)
      expect(await answerIn(item)).toContain(told);
    // Control: no other item is shown.
    expect(await answerIn("- The sluice opens the second gate at dawn")).not.toContain("Plank");
  });

  test("of several examples is the marked one with the paragraph above it", async () => {
    const example = (at: number): string =>
      `Example ${at} for a mill that has its own brook.\n\n\`\`\`\nset wheel ${at} of the mill\nset plank ${at} of the wheel\nturn the wheel ${at}\n\`\`\``;
    const sluice = "It may have a gate of its own.\n\n```\nopen sluice at dawn\nopen the second gate\n```";
    const others = [1, 2, 3, 4, 5, 6].map(example);
    const text = [...others.slice(0, 2), sluice, ...others.slice(2)].join("\n\n");
    const run = await reportOf(
      { "mill.md": `# Mill\n\n${text}\n`, "a.md": FILLER },
      "How do I open the sluice at dawn?",
    );
    expect(answerOf(run)[0]).toBe(sluice);
    // Control: a mark in the text between keeps all examples.
    const asked = await reportOf({ "mill.md": `# Mill\n\n${text}\n`, "a.md": FILLER }, "Which mill has its own brook?");
    expect(answerOf(asked)[0]).toContain("turn the wheel 2");
  });

  test("of a definition, a list or code has the term, or the line that introduces it", async () => {
    const definition = "Lease\n: The right to write a run.";
    expect(answerOf(await reportOf({ "a.md": `${definition}\n\n${FILLER}\n` }, "What is a lease?"))[0]).toContain(
      definition,
    );
    const long = `Lease\n: ${FILLER} ${FILLER} ${"It may be long. ".repeat(90)} The right to write a run.`;
    expect(answerOf(await reportOf({ "a.md": `${FILLER}\n\n${long}\n` }, "Who has the right to write a run?"))[0]).toBe(
      long,
    );
    const filler = Array.from({ length: 30 }, () => FILLER).join(" ");
    const list = "Before the sluice is opened:\n\n- close the gate of the mill\n- warn the miller";
    const listed = await reportOf(
      { "a.md": `${filler}\n\n${list}\n\n${filler}\n` },
      "What is done before the sluice is opened?",
    );
    expect(answerOf(listed)[0]).toContain(list);
    const code = "Start the sluice motor:\n\n```sh\nsluice --motor start\n```";
    const coded = await reportOf({ "a.md": `${filler}\n\n${code}\n` }, "How do I start the sluice motor?");
    expect(answerOf(coded)[0]).toContain(code);
    const terms = "A sluice motor knows these speeds:\n\nslow\n: Half a turn a minute.\n\nfast\n: Two turns a minute.";
    const termed = await reportOf({ "a.md": `${filler}\n\n${terms}\n` }, "Which speeds does a sluice motor know?");
    expect(answerOf(termed)[0]).toEndWith("slow\n: Half a turn a minute.");
  });
});

describe("left out are", () => {
  const QUESTION = "What happens to a ferry in a storm?";
  const ferry = "A ferry in a storm stays in the harbour until the wind has fallen. Its passengers sleep on board.";

  test("near copies in another file", async () => {
    const page = `<html><head><title>Ferries</title></head><body><main><h1>Ferries</h1><p>${ferry}</p></main></body></html>`;
    const run = await reportOf({ "ferry.txt": `Ferries\n\n${ferry}\n`, "ferry.html": page }, QUESTION);
    expect(claimsOf(run.draft)).toHaveLength(1);
    // Control: a text with another number is no copy.
    const other = await reportOf(
      { "a.md": `${ferry} Deck 4 is shut.\n`, "b.md": `${ferry} Deck 7 is shut.\n` },
      QUESTION,
    );
    expect(claimsOf(other.draft)).toHaveLength(2);
  });

  test("the source text of a page, and the same sentence in another document", async () => {
    const page = `<title>Ferries</title><h1>Ferries</h1><p>${ferry}</p>`;
    const source = `Ferries\n*******\n\n.. index:: ferry\n\n:ref:\`ferry\` *note*: ${ferry}\n`;
    const files = { "html/ferry.html": page, "html/_sources/ferry.rst.txt": source };
    expect(claimsOf((await reportOf(files, QUESTION)).draft)).toHaveLength(1);
    const others = "Bridges open at noon. Locks are full of weeds. Towers lean. Roads wind along the bay.";
    const cut = await reportOf({ "a.md": `${ferry}\n`, "b.md": `${others} ${ferry} ${others}\n` }, QUESTION);
    expect(claimsOf(cut.draft)).toHaveLength(1);
  });

  test("navigation, tables of contents and licences, unless there is nothing else", async () => {
    const nav =
      "# Ferry in a storm\n\n- [Ferry happens](a.md)\n- [Storm happens](b.md)\n- [The ferry in a storm](c.md)\n";
    const contents =
      "# Contents\n\nThe ferry in a storm ..... 4\nThe storm ..... 8\nWhat happens to a ferry ..... 12\n";
    const licence = "The ferry and the storm, and what happens to a ferry in a storm, are licensed to the ferry.\n";
    const files = { "nav.md": nav, "contents.txt": contents, LICENSE: licence, "LICENSES_ALL.md": licence };
    const run = await reportOf({ ...files, "ferry.md": `# Ferries\n\n${ferry}\n` }, QUESTION);
    expect(run.draft.sources.map(({ origin }) => origin)).toEqual(["docs/ferry.md"]);
    // Control: alone they are shown.
    expect(claimsOf((await reportOf(files, QUESTION)).draft).length).toBeGreaterThan(0);
    // A question about the licence wants it.
    const asked = await reportOf({ ...files, "a.md": FILLER }, "What does the license say of the ferry?");
    expect(asked.draft.sources.map(({ origin }) => origin)).toContain("docs/LICENSE");
  });

  test("reports of this program, with a note", async () => {
    const { draft } = await reportOf({ "ferry.md": `# Ferries\n\n${ferry}\n` }, QUESTION);
    const report = {
      ...draft,
      schema_version: "report.v2" as const,
      version_index: 1,
      trigger_type: "manual" as const,
      partial: false,
      evidence_digest: digestOfBytes("evidence"),
    };
    const page = reportMarkdown(report);
    const files = { "ferry.md": `# Ferries\n\n${ferry}\n`, "report.md": page };
    const run = await reportOf(files, QUESTION);
    expect(run.draft.sources.map(({ origin }) => origin)).toEqual(["docs/ferry.md"]);
    expect(run.draft.made.notes).toContain("docs/report.md is a report of this tool and was left out.");
    // Controls: without its last words the report is a document, and so is a page that shows a report as an example.
    const plain = await reportOf({ ...files, "report.md": page.replace("Whether a source", "If a source") }, QUESTION);
    expect(plain.draft.sources.map(({ origin }) => origin)).toEqual(["docs/report.md"]);
    const example = await reportOf({ ...files, "report.md": `# Ferry\n\n\`\`\`\n${page}\n\`\`\`\n` }, QUESTION);
    expect(example.draft.made.notes).toEqual([]);
  });

  test("not the other files for one large file", async () => {
    const clause = "Storm and ferry: what happens to the ferry in the storm is hereby licensed.";
    const sections = Array.from({ length: 300 }, (_, index) => `## Storm ferry ${index}\n\n${clause} ${index}\n`);
    const run = await reportOf({ "eupl.md": sections.join("\n"), "ferry.md": `# Ferries\n\n${ferry}\n` }, QUESTION);
    expect(run.draft.sources.map(({ origin }) => origin)).toContain("docs/ferry.md");
  });
});
