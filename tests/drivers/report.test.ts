// The report of the local driver: perspectives, the answer up front, strengths, comparisons, anchors, notes and modes.
import { describe, expect, test } from "bun:test";
import { claimsOf, type Comparison } from "../../src/run/report.ts";
import { LIMITS_BY_MODE } from "../../src/run/settings.ts";
import { TemporaryFolder } from "../corpus/temporary-folder.ts";
import { openFolder, runLocally, type LocalRun } from "./local-run.ts";

const HEAPS = {
  "north.md":
    "# North garden\n\n## The heap\n\nThe compost heap in the north garden reached 62 °C on the fourth day. " +
    "Meat should not be added to the compost heap because it attracts rats.\n\n" +
    "## Turning\n\nA compost heap is turned with a garden fork once a week. The garden fork stands beside the compost heap.\n",
  "south.md":
    "# South garden\n\nThe compost heap in the south garden reached 48 °C on the fourth day. " +
    "Meat can be added to the compost heap in small pieces.\n\n" +
    "A garden fork brings air into the compost heap.\n",
  "worms.md":
    "# Worms\n\nWorms come into the compost heap when it has cooled down. The compost heap then feeds hundreds of worms.\n",
};

async function reportOf(files: Record<string, string>, question: string, changed = {}): Promise<LocalRun> {
  using folder = new TemporaryFolder(files);
  const provider = await openFolder(folder.path);
  const run = await runLocally(provider, question, changed);
  provider.close();
  return run;
}

const summaryOf = ({ kind, method, sides }: Comparison) => ({
  kind,
  method,
  values: sides.map(({ value }) => value).sort(),
});

describe("comparisons", () => {
  test("numbers that differ and sentences that may not agree stand side by side, by claims of the report", async () => {
    const { draft } = await reportOf(
      HEAPS,
      "How hot does the compost heap get, and may meat be added to the compost heap?",
    );
    expect((draft.comparisons ?? []).map(summaryOf)).toEqual([
      { kind: "numbers", method: "lexical-numbers", values: ["48 °C", "62 °C"] },
      { kind: "disagreement", method: "lexical-polarity", values: ["added", "not be added"] },
    ]);
    const claims = new Map(claimsOf(draft).map((claim) => [claim.claim_id, claim.text]));
    for (const { claim_id, value } of (draft.comparisons ?? []).flatMap(({ sides }) => sides))
      expect(claims.get(claim_id)).toContain(value);
  });

  test("not when both say the same, when units differ, or when one document says both", async () => {
    const heap = (number: string): string =>
      `# Heap\n\nThe compost heap in the garden reached ${number} on day four.\n`;
    const comparisonsOf = async (files: Record<string, string>) =>
      (await reportOf(files, "How hot does the compost heap get?")).draft.comparisons;
    expect(
      await comparisonsOf({ "a.md": heap("62 °C"), "b.md": `${heap("62 °C")}\nIt rained for weeks before.\n` }),
    ).toEqual([]);
    expect(await comparisonsOf({ "a.md": heap("62 °C"), "b.md": heap("62 cm") })).toEqual([]);
    expect(await comparisonsOf({ "a.md": `${heap("62 °C")}\n${heap("48 °C")}` })).toEqual([]);
    // The control.
    expect(await comparisonsOf({ "a.md": heap("62 °C"), "b.md": heap("48 °C") })).toHaveLength(1);
  });

  test("not when a sentence denies something else than what another one says", async () => {
    const polarityOf = async (one: string, other: string) => {
      const files = { "a.md": `# One\n\n${one}\n`, "b.md": `# Two\n\n${other}\n` };
      const { draft } = await reportOf(files, "What does the lease file of a queue hold?");
      return (draft.comparisons ?? []).flatMap(({ method, sides }) =>
        method === "lexical-polarity" ? [sides.map(({ value }) => value).sort()] : [],
      );
    };
    // A noun behind the negation, as a part of another word there.
    const options = "The lease file of a queue holds the options, not the command-line of its owner.";
    expect(await polarityOf(options, "The lease file of a queue holds the options of the command's owner.")).toEqual(
      [],
    );
    const changed = "The lease file of a queue is not changed by hand while its owner is at work.";
    // Another subject.
    expect(
      await polarityOf(changed, "While its owner changed it, the lease file of a queue was no work by hand."),
    ).toEqual([]);
    // The control.
    expect(
      await polarityOf(changed, "The lease file of a queue is changed by hand when its owner is at work."),
    ).toEqual([["changed", "not changed"]]);
  });

  test("in German and Japanese too", async () => {
    const german = await reportOf(
      {
        "a.md": "# Nord\n\nDer Komposthaufen im Garten erreichte am vierten Tag 62,5 °C.\n",
        "b.md": "# Süd\n\nDer Komposthaufen im Garten erreichte am vierten Tag nur 48 °C.\n",
      },
      "Wie heiß wird der Komposthaufen?",
    );
    expect((german.draft.comparisons ?? []).map(summaryOf)).toEqual([
      { kind: "numbers", method: "lexical-numbers", values: ["48 °C", "62,5 °C"] },
    ]);
    const japanese = await reportOf(
      {
        "a.md": "# 北\n\n公園の池の深さは三月の調査では2メートルである。\n",
        "b.md": "# 南\n\n公園の池の深さは三月の調査では3メートルである。\n",
      },
      "公園の池の深さはどのくらいですか？",
    );
    expect((japanese.draft.comparisons ?? []).map(summaryOf)).toEqual([
      { kind: "numbers", method: "lexical-numbers", values: ["2メートル", "3メートル"] },
    ]);
  });
});

describe("strengths", () => {
  const sentence = "A lease expires when its owner has not renewed it in time.";
  const filler =
    "The harbour master writes the names of all ships into a large book that lies beside the window of his office.";
  const FILES = {
    "a.md": `# Leases\n\n${sentence}\n\n${filler}\n`,
    "b.md": `# Leases once more\n\n${sentence} ${filler}\n`,
    "c.md": "# Clocks\n\nWhen the clock of a host stands still, a lease expires late or never.\n",
  };

  test("near copies of one document count once", async () => {
    const { draft } = await reportOf(FILES, "When does a lease expire?");
    expect(draft.strengths).toMatchObject([{ evidence: "moderate", sources: draft.sources.length }]);
    expect(draft.strengths?.[0]?.reason).toContain("2 independent documents");
  });

  test("go from none to strong with the number of documents", async () => {
    const question = "When does a lease expire, and what is the salary of the harbour pilot?";
    const { draft } = await reportOf(
      { ...FILES, "d.md": "# Owners\n\nA lease of a dead owner expires by itself after a while.\n" },
      question,
    );
    expect((draft.strengths ?? []).map(({ evidence }) => evidence)).toEqual(["strong", "none"]);
    const gap = draft.gaps.find(({ text }) => text.includes("salary"));
    expect(gap?.evidence).toBe("none");
    expect(gap?.reason).toContain("The documents do not hold the words “salary”, “pilot”.");
    const single = await reportOf({ "a.md": FILES["a.md"] }, "When does a lease expire?");
    expect(single.draft.strengths).toMatchObject([{ evidence: "weak", sources: 1 }]);
  });
});

describe("sections", () => {
  test("the answer comes first and has a sentence for each part of the question", async () => {
    const { draft, plan } = await reportOf(
      HEAPS,
      "Who turns the compost heap with a garden fork, and when do worms come?",
    );
    const [answer, ...rest] = draft.sections;
    expect(answer?.role).toBe("answer");
    expect(rest.every(({ role }) => role === "perspective" || role === "gap")).toBe(true);
    const texts = (answer?.claims ?? []).map(({ text }) => text).join("\n");
    expect(plan.parts).toHaveLength(2);
    expect(texts).toContain("garden fork");
    expect(texts).toContain("Worms come into the compost heap");
  });

  test("quotes carry the headings above them", async () => {
    const { draft } = await reportOf(HEAPS, "How is a compost heap turned?");
    const claim = claimsOf(draft).find(({ text }) => text.includes("turned with a garden fork"));
    expect(claim?.quotes[0]?.anchor).toEqual({ section: ["North garden", "Turning"] });
  });

  test("what the documents talk about beside the question becomes a perspective", async () => {
    const { plan } = await reportOf(HEAPS, "What is known about the compost heap?");
    const aspects = plan.perspectives.filter(({ focus }) => focus !== undefined);
    expect(aspects.map(({ title }) => title)).toContain("Garden fork");
    expect(aspects.every(({ kind }) => kind === "facet")).toBe(true);
    // One short word names nothing, unless it heads a section or is written like a name.
    const bins = (word: string, heading: string) =>
      Object.fromEntries(
        ["one", "two", "six"].map((name) => [
          `${name}.md`,
          `# Bin ${name}\n\n## ${heading}\n\nThe compost heap of bin ${name} stands beside the ${word} of the house.\n`,
        ]),
      );
    const titlesOf = async (files: Record<string, string>) =>
      (await reportOf(files, "What is known about the compost heap?")).plan.perspectives.map(({ title }) => title);
    expect(await titlesOf(bins("gutter", "Place"))).not.toContain("Gutter");
    expect(await titlesOf(bins("gutter", "The gutter"))).toContain("Gutter");
    expect(await titlesOf(bins("GTR", "Place"))).toContain("GTR");
    // Nothing of it is there when the documents are not.
    const other = await reportOf(
      { "a.md": "# Ships\n\nA ship is tied to the pier with two ropes.\n" },
      "What is known about the compost heap?",
    );
    expect(other.plan.perspectives.some(({ focus }) => focus !== undefined)).toBe(false);
  });
});

describe("modes", () => {
  const topics = ["frost fleece", "wire trellis", "bark mulch", "lawn sprinkler", "wood ladder", "night lantern"];
  const files = Object.fromEntries(
    Array.from({ length: 24 }, (_, index) => {
      const topic = topics[index % topics.length] ?? "";
      return [
        `bed-${index}.md`,
        `# Bed ${index}\n\nTomato plants in bed ${index} need the ${topic} of the year ${1900 + index}. ` +
          `The ${topic} for tomato plants must not be changed before day ${index + 3}.\n`,
      ];
    }),
  );

  test("differ in perspectives, quotes and waves, and each says which limit cut something off", async () => {
    const question = "What do tomato plants need?";
    const [quick, standard, deep] = [
      await reportOf(files, question, LIMITS_BY_MODE.quick),
      await reportOf(files, question, LIMITS_BY_MODE.standard),
      await reportOf(files, question, LIMITS_BY_MODE.deep),
    ];
    const sizes = [quick, standard, deep].map(({ plan, draft }) => [plan.perspectives.length, claimsOf(draft).length]);
    const [[fewest = 0, least = 0] = [], [some = 0, more = 0] = [], [most = 0, all = 0] = []] = sizes;
    expect([fewest < some, some < most, least < more, more < all]).toEqual([true, true, true, true]);
    expect(quick.draft.notes?.join(" ")).toMatch(/limit of 3 perspectives\): .*limit of 5 quotes/s);
    expect(deep.draft.notes?.join(" ")).not.toMatch(/limit of 3 perspectives|limit of 5 quotes/);
  });
});
