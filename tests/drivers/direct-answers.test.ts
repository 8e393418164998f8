// What stands up front and what is counted: the question is cut where it should be, and the direct answer comes first.
import { describe, expect, test } from "bun:test";
import { localDriver } from "../../src/drivers/local.ts";
import { germanRoot } from "../../src/drivers/local/german-root.ts";
import { Lexicon, languageOf } from "../../src/drivers/local/lexicon.ts";
import { quantitiesOf } from "../../src/drivers/local/quantities.ts";
import { partsOf } from "../../src/drivers/local/question.ts";
import { Novelty } from "../../src/drivers/local/similarity.ts";
import { sentencesOf } from "../../src/drivers/local/sentences.ts";
import { answerOf, reportOf } from "./local-run.ts";

const textsOf = (question: string): string[] => partsOf(question, new Lexicon(question)).parts.map(({ text }) => text);

describe("a question is cut", () => {
  test.each([
    "What is the difference between what Ann says and what Ben says",
    "What influence do tea and coffee have on sleep",
    "what do Depends, Recommends and Suggests mean",
    "If the pump stops, what happens",
    "Compare caffeine consumption and alcohol consumption",
  ])("not in %s", (question) => {
    expect(textsOf(`${question}?`)).toEqual([question]);
  });

  test("where the next part has its own verb", () => {
    expect(textsOf("How long do lanes rest between rounds, and how is the rest skipped?")).toEqual([
      "How long do lanes rest between rounds",
      "how is the rest skipped",
    ]);
    expect(textsOf("Compare reading large files and writing small files")).toHaveLength(2);
  });

  test("what only points back takes over the subject, and no stop word is missed", async () => {
    const run = await reportOf(
      { "a.md": "# Locks\n\nA lease lock should be used when owners may die.\n" },
      "What is the difference between lease locks and zebra locks, and when should I use one?",
    );
    expect(run.plan.parts.map(({ inherited }) => inherited)).toEqual([undefined, ["lease", "locks", "zebra"]]);
    expect(run.plan.parts.map(({ absent }) => absent)).toEqual([["zebra"], ["zebra"]]);
    const vague = await reportOf({ "a.md": "# Locks\n\nA lock is here.\n" }, "How is it?");
    expect(vague.plan.parts.flatMap(({ absent = [] }) => absent)).toEqual([]);
  });
});

test("a German question of few words is German, and its words meet in other forms", () => {
  expect(["Was kostet Holz?", "Wie alt ist Anna?", "Was the mill built?"].map(languageOf)).toEqual([
    "german",
    "german",
    "english",
  ]);
  const same = [
    ["kostet", "kosten"],
    ["haus", "hauser"],
    ["tag", "tagen"],
    ["gereinigt", "reinigen"],
    ["waermepumpen", "warmepumpe"],
  ];
  expect(same.filter(([one = "", other = ""]) => germanRoot(one) !== germanRoot(other))).toEqual([]);
  expect(new Lexicon("Was kostet Holz im Wald?").contentWords("Was kostet Holz im Wald?")).toEqual([
    "kostet",
    "holz",
    "wald",
  ]);
});

test("Japanese numbers are numbers", () => {
  const lexicon = new Lexicon("どのくらいの期間ですか");
  const values = quantitiesOf("三か月から二十年かかり、三万五百円である。", lexicon);
  expect(values.map(({ written }) => written)).toEqual(["三か月", "二十年", "三万五百円"]);
  expect(values.at(-1)?.value).toBe(30_500);
});

test("numbers in words are numbers", () => {
  const written = (text: string, question: string): string[] =>
    quantitiesOf(text, new Lexicon(question)).map((quantity) => quantity.written);
  const howLong = "How long do dry seeds keep?";
  expect(written("Dry seeds keep for three years, and a ten-day rest is enough.", howLong)).toEqual([
    "three years",
    "ten-day",
  ]);
  expect(written("They keep for one year; one of them is often enough in a two-column table.", howLong)).toEqual([
    "one year",
  ]);
  expect(written("Die Samen halten drei Jahre.", "Wie lange halten die Samen?")).toEqual(["drei Jahre"]);
});

describe("sentences", () => {
  const cut = (text: string): string[] => sentencesOf(text, "plain").map((sentence) => sentence.text);

  test("short ones that say something stand, titles do not", () => {
    const whole = ["The default port is 5432.", "Remote work lowers productivity.", "Die Pumpe läuft."];
    expect(whole.flatMap(cut)).toEqual(whole);
    expect(["Absolute path.", "Index of options.", "Default port number."].flatMap(cut)).toEqual([]);
  });

  test("one word that is boilerplate elsewhere does not drop a sentence", () => {
    const whole = [
      "The warranty of a pump ends after three years.",
      "Die Gewährleistung der Pumpe endet nach zwei Jahren.",
    ];
    expect(whole.flatMap(cut)).toEqual(whole);
  });

  test("what only points elsewhere or is mostly markup is not quoted", () => {
    expect(cut("The pump and its pipe are described in the next part of the book.")).toEqual([]);
    expect(cut("For the pump in a case of frost, see the list of valves at the end.")).toEqual([]);
    expect(cut("Use [the pump](../../a/b/c/d/e/f/g/pump-and-pipe-of-the-barn.html#top) now.")).toEqual([]);
  });

  test("other numbers make another sentence, other markup does not", () => {
    const novelty = new Novelty();
    novelty.add("A tank should hold 4.000 litres when the roof has 100 square metres.");
    expect(novelty.isNew("A tank should hold 6.000 litres when the roof has 100 square metres.")).toBe(true);
    expect(
      novelty.isNew("A tank *should* hold 4.000 litres when the roof has 100 square metres (see :ref:`roof`)."),
    ).toBe(false);
  });
});

describe("the answer begins with", () => {
  test("the list that is asked for", async () => {
    const run = await reportOf(
      {
        "a.md":
          "# Notes\n\nThough Tolva provides index types for text, one index type of Tolva is slow for the text.\n",
        "b.md": "# Index types\n\nTolva provides several index types: tree, hash, grid, and list.\n",
        "c.ts":
          "// Tolva provides the index types by a registry of classes: oak, elm, ash, and pine.\nexport const x = 1;\n",
      },
      "Which index types does Tolva provide?",
    );
    expect(answerOf(run)[0]).toBe("Tolva provides several index types: tree, hash, grid, and list.");
    expect(answerOf(run).join(" ")).not.toContain("registry of classes");
  });

  test("what stands below the heading that asks the same", async () => {
    const run = await reportOf(
      {
        "a.md": "# Team\n\nA keeper who leaves without abandoning a garden harms the team of gardens.\n",
        "b.md":
          "# Duties\n\n## Abandoning a garden\n\nIf you can no longer be the keeper of a garden, tell the others that it is abandoned.\n",
      },
      "How does a keeper abandon a garden?",
    );
    expect(answerOf(run)[0]).toStartWith("If you can no longer be the keeper");
  });

  test("prose, and no comment in code while there is prose", async () => {
    const files = { "a.ts": "// The lease of a lock ends after 30 seconds of silence.\nexport const lock = 1;\n" };
    const prose = { "a.md": "# Harbour\n\nThe lease of a lock ends at noon when the keeper rings his bell.\n" };
    const question = "When does the lease of a lock end?";
    expect(answerOf(await reportOf({ ...files, ...prose }, question))).toEqual([
      "The lease of a lock ends at noon when the keeper rings his bell.",
    ]);
    expect(answerOf(await reportOf(files, question))).toHaveLength(1);
  });

  test("objections, when these are asked for", async () => {
    const run = await reportOf(
      {
        "a.md": "# Clay pots\n\nClay pots keep milk cool in summer. Clay pots cannot be put into the oven.\n",
        "b.md": "# Pots\n\nClay pots come from the village by the river.\n",
      },
      "What are the drawbacks of clay pots?",
    );
    expect(answerOf(run)[0]).toBe("Clay pots cannot be put into the oven.");
  });

  test("the advice that a part asks for", async () => {
    const run = await reportOf(
      {
        "a.md":
          "# Ropes\n\nA rope ladder hangs from the mast beside the bell.\n\nA rope ladder should be used when the sea is calm.\n",
      },
      "What is a rope ladder, and when should I use one?",
    );
    expect(answerOf(run).join(" ")).toContain("should be used when the sea is calm");
  });
});

test("a word that says how something is asked may be missing in the answer", async () => {
  const run = await reportOf(
    {
      "a.md": "# Ropes\n\nRope ladders swing in the wind and wear out.\n",
      "b.md": "# Sails\n\nThe main and typical drawbacks of old sails are known to all sailors of the town.\n",
    },
    "What are the main typical drawbacks of rope ladders?",
  );
  expect(run.draft.sections[0]?.claims.map(({ text }) => text)).toEqual([
    "Rope ladders swing in the wind and wear out.",
  ]);
});

describe("strength", () => {
  test("counts only what holds all that is asked for", async () => {
    const files = Object.fromEntries(
      ["one", "two", "three", "four"].map((name) => [
        `${name}.md`,
        `# The ${name} report\n\nThe size of a table in report ${name} is 12 MB for the ${name} clerk.\n`,
      ]),
    );
    const question = "What is the maximum size of a table?";
    const { draft } = await reportOf(files, question);
    expect(draft.strengths).toMatchObject([{ evidence: "weak", claims: 0, sources: 0 }]);
    expect(draft.strengths?.[0]?.reason).toContain("none gives what it asks for");
    const answered = await reportOf(
      { ...files, "five.md": "# Limits\n\nThe maximum size of a table is 40 GB.\n" },
      question,
    );
    expect(answered.draft.strengths).toMatchObject([{ evidence: "weak", claims: 1, sources: 1 }]);
    expect(answerOf(answered)).toEqual(["The maximum size of a table is 40 GB."]);
  });
});

describe("numbers", () => {
  test("are compared only when they are about one thing", async () => {
    const files = {
      "a.md":
        "# Lake\n\nThe lake Orrin is 48 metres deep at its deepest point.\n\nThe water level of lake Orrin was 312 metres in May.\n",
      "b.md":
        "# Lake again\n\nThe lake Orrin is 61 metres deep at its deepest point.\n\nThe water level of lake Orrin was 309 metres in June.\n",
    };
    const { draft } = await reportOf(files, "How deep is lake Orrin?");
    const compared = (draft.comparisons ?? []).map(({ sides }) => sides.map(({ value }) => value).sort());
    expect(compared).toContainEqual(["48 metres", "61 metres"]);
    expect(compared.every((values) => values.length === 2)).toBe(true);
    expect(compared).not.toContainEqual(["309 metres", "48 metres"]);
  });
});

test("an aspect with one sentence makes no section of its own", async () => {
  const { draft, plan } = await reportOf(
    {
      "a.md":
        "# Kites\n\nA kite needs a tail spar in strong wind.\n\n## Tail spar\n\nThe tail spar of a kite is made of reed.\n",
      "b.md": "# Wind\n\nThe tail spar holds the kite when the wind turns.\n",
    },
    "What does a kite need?",
  );
  const aspects = new Set(plan.perspectives.filter(({ focus }) => focus !== undefined).map(({ title }) => title));
  expect(aspects.size).toBeGreaterThan(0);
  expect(draft.sections.filter(({ title, claims }) => aspects.has(title) && claims.length < 2)).toEqual([]);
});

test("the driver has a version of its own", () => {
  expect(localDriver.version).toBe("local-7");
});
