// What a reader of reports found wanting: each rule with a small corpus on which the report was wrong without it.
import { describe, expect, test } from "bun:test";
import { isBoilerplate } from "../../src/drivers/local/cues/sentence-cues.ts";
import { qualityOf } from "../../src/drivers/local/readability.ts";
import { sentencesOf } from "../../src/drivers/local/sentences.ts";
import { fitOf } from "../../src/drivers/local/stance.ts";
import { claimsOf } from "../../src/run/report.ts";
import { answerOf, reportOf, type LocalRun } from "./local-run.ts";

const quotesOf = ({ draft }: LocalRun): string[] => claimsOf(draft).map(({ text }) => text);

describe("a sentence that points to the heading or term right above it", () => {
  const FIELDS =
    "# Fields\n\n## Seal\n\nThis is a yes or no that is set when the jar was closed with wax. It may be missing.\n";

  test("is quoted, and the place says what it is about", async () => {
    const run = await reportOf({ "fields.md": FIELDS }, "What does the Seal field declare?");
    expect(answerOf(run)[0]).toBe("This is a yes or no that is set when the jar was closed with wax.");
    const [claim] = claimsOf(run.draft);
    expect(claim?.quotes[0]?.anchor?.section).toEqual(["Fields", "Seal"]);
  });

  test("takes a term of a list of terms into its place", async () => {
    const html = `<html><head><title>Options</title></head><body><article><h1>Options of the pump</h1>
<h2>Speed</h2><p>The pump has two options that stand in its list of options and change how fast it turns in winter.</p>
<dl><dt>frost_guard</dt><dd><p>Specifies the temperature at which the frost guard of the pump starts.</p></dd>
<dt>night_rest</dt><dd><p>Specifies the hour at which the night rest of the pump begins in winter.</p></dd></dl>
</article></body></html>`;
    const run = await reportOf({ "options.html": html }, "At which temperature does the frost guard start?");
    const claim = claimsOf(run.draft).find(({ text }) => text.includes("frost guard"));
    expect(claim?.text).toBe("Specifies the temperature at which the frost guard of the pump starts.");
    expect(claim?.quotes[0]?.anchor?.section?.at(-1)).toBe("frost_guard");
  });

  test("but not where no reader sees it: below the title of a document, or in the middle of a section", async () => {
    const title = await reportOf({ "seal.md": "# Seal\n\nThis is a yes or no that is set.\n" }, "What is a seal?");
    expect(quotesOf(title)).toEqual([]);
    const middle = "# Fields\n\n## Seal\n\nA seal is made of wax.\n\nThis is a yes or no that is set by hand.\n";
    expect(quotesOf(await reportOf({ "a.md": middle }, "What is a seal?"))).toEqual(["A seal is made of wax."]);
    expect(sentencesOf("This is a yes or no that is set by hand.", "plain")).toEqual([]);
  });
});

describe("licences", () => {
  const FILES = {
    "LICENSE.md":
      "# Terms\n\nThe jar software is licensed to everyone under the Orchard licence, without any warranty.\n",
    "jars.md": "# Jars\n\nThe jar software counts jars and prints their labels on paper.\n",
  };

  test("are quoted when they are asked about", async () => {
    expect(answerOf(await reportOf(FILES, "Under which licence is the jar software?"))).toEqual([
      "The jar software is licensed to everyone under the Orchard licence, without any warranty.",
    ]);
  });

  test.each([
    "The software is provided as is, without warranty of any kind to the owner.",
    "Alle Rechte vorbehalten, auch die der Übersetzung in andere Sprachen.",
    "本書の内容の無断転載を固く禁じるものとする。",
  ])("are told by their phrases: %s", (text) => {
    expect(isBoilerplate(text)).toBe(true);
  });

  test("and stay out of everything else", async () => {
    const files = { ...FILES, "terms.md": FILES["LICENSE.md"] };
    expect(quotesOf(await reportOf(files, "What does the jar software count?"))).toEqual([
      "The jar software counts jars and prints their labels on paper.",
    ]);
  });
});

test("what merely forbids or denies is no drawback, and stands behind real objections", async () => {
  const run = await reportOf(
    {
      "a.md":
        "# Wax seals\n\nA wax seal is not a paper label. Wax seals must be poured by two people in the morning.\n\n" +
        "The drawbacks show in summer: a wax seal melts in the sun and the jar is lost.\n",
      "b.md": "# Wax seals\n\nWax seals are slow to make. Only the owner opens a wax seal on the day of the fair.\n",
    },
    "What are the drawbacks of wax seals?",
  );
  expect(answerOf(run).toSorted()).toEqual([
    "The drawbacks show in summer: a wax seal melts in the sun and the jar is lost.",
    "Wax seals are slow to make.",
  ]);
});

test("a part that points back is answered only by what is about its subject", async () => {
  const files = {
    "mill.md": "# Mill\n\nThe mill grinds wheat at night. The mill is repaired with oak in spring by its owners.\n",
    "boat.md": "# Boat\n\nThe boat is repaired with tar every spring by the captain of the harbour.\n",
  };
  const run = await reportOf(files, "What does the mill grind, and how is it repaired in spring?");
  expect(quotesOf(run)).toContain("The mill is repaired with oak in spring by its owners.");
  expect(quotesOf(run).join(" ")).not.toContain("boat");
});

describe("a number that is asked for", () => {
  test("is looked for by the name of its measure", async () => {
    const files = {
      "a.md":
        "# Jars\n\nThe maximum size of a jar is nine litres of fruit.\n\nA jar holds plums. Each jar has 2 handles.\n",
    };
    expect(answerOf(await reportOf(files, "How large can a jar be?"))).toEqual([
      "The maximum size of a jar is nine litres of fruit.",
    ]);
  });

  test("is counted as found only where its measure is named, if some sentence names it", async () => {
    const files = {
      "a.md": "# Well\n\nThe old well is 9 metres deep below the ground.\n",
      "b.md": "# Barn\n\nThe old well stands 3 metres beside the barn of the mill.\n",
    };
    const { draft } = await reportOf(files, "How deep is the old well?");
    expect(draft.strengths).toMatchObject([{ evidence: "weak", claims: 1 }]);
  });

  test("is not answered by any sentence on the thing, nor by a count of something else", async () => {
    const files = {
      "a.md": "# Jars\n\nA jar is washed by 2 people. Every jar stands in the cellar below the kitchen.\n",
    };
    const run = await reportOf(files, "How large is a jar?");
    expect(quotesOf(run)).toEqual([]);
    expect(run.findings.flatMap(({ nearest = [] }) => nearest)).not.toEqual([]);
  });
});

test("what holds its name in another role defines nothing, and what does a thing answers how to do it", async () => {
  const seals = {
    "a.md":
      "# Seals\n\nThe history of the wax seal means that owners like it.\n\nWax seals close a jar for a year.\n\n" +
      "A wax seal has become a common and cheap thing to see. You can open a wax seal by warming the knife.\n",
  };
  expect(answerOf(await reportOf(seals, "What is a wax seal?"))[0]).toBe("Wax seals close a jar for a year.");
  expect(answerOf(await reportOf(seals, "How do I open a wax seal?"))[0]).toBe(
    "You can open a wax seal by warming the knife.",
  );
});

test("a name counts for more where it is written as one", async () => {
  const files = {
    "a.md":
      "# Labels\n\nA shelf depends on the label of its jars.\n\nAll jars of the cellar carry the Depends label.\n",
  };
  expect(answerOf(await reportOf(files, "Where is the label Depends?"))[0]).toBe(
    "All jars of the cellar carry the Depends label.",
  );
});

test("a name put together of words that tell nothing has to be near", async () => {
  const files = {
    "safe-start.md": "# Safe-start\n\nThe lamp of safe-start is painted with green oil every spring.\n",
    "pumps.md": "# Pumps\n\nThe lamp of the pump is painted with red oil. A safe start of the pump takes time.\n",
  };
  expect(quotesOf(await reportOf(files, "With which oil is the lamp of safe-start painted?"))).toEqual([
    "The lamp of safe-start is painted with green oil every spring.",
  ]);
});

test("of two copies the one without markup is quoted", async () => {
  const plain = "The lid of a jar is pressed down until the ring clicks into its groove.";
  const marked = "The *lid* of a ``jar`` is pressed down until the :ref:`ring` clicks into its ``groove``.";
  const [better, worse] = [plain, marked].map((text) => qualityOf({ text, label: null }));
  expect(better).toBe(1);
  expect(worse).toBeLessThan(0.5);
  const files = { "a.md": `# Lids\n\n${marked}\n`, "b.md": `# Lids\n\n${plain}\n` };
  expect(quotesOf(await reportOf(files, "How is a lid pressed down?"))).toEqual([plain]);
});

test("what a sentence excepts, it does not deny", async () => {
  const run = await reportOf(
    {
      "a.md": "# Jars\n\nThe list of jars holds all foreign jars of the current cellar.\n",
      "b.md": "# Jars\n\nThe list of jars holds all jars of the current cellar (but not foreign jars), as it should.\n",
    },
    "What does the list of jars hold?",
  );
  expect(quotesOf(run)).toHaveLength(2);
  expect(run.draft.comparisons).toEqual([]);
});

test("what fails is an objection, what denies is less of one, and what only demands is none", () => {
  const fits = ["Old ladders break in winter.", "A ladder is not a stair.", "You must own the ladder."].map((text) =>
    fitOf(text, "contrarian"),
  );
  expect(fits).toEqual([1, 0.5, 0]);
});
