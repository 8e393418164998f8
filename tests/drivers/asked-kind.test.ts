// What is asked for has to be there: a time for "when", a name for "who", a reason for "why", a number for "how many".
import { describe, expect, test } from "bun:test";
import { holdsAskedKind } from "../../src/drivers/local/asked-kind.ts";
import { Lexicon } from "../../src/drivers/local/lexicon.ts";
import { introductionOf, NOTHING_ANSWERS } from "../../src/stages/report-words.ts";
import { claimsOf, reportSchema, type Draft } from "../../src/run/report.ts";
import { digestOfJson } from "../../src/kernel/digest.ts";
import { reportOf } from "./local-run.ts";

const introduction = (draft: Draft): string =>
  introductionOf(
    reportSchema.parse({
      ...draft,
      schema_version: "report.v1",
      version_index: 1,
      trigger_type: "manual",
      partial: false,
      evidence_digest: digestOfJson("none"),
    }),
  );

/** Three documents of a sentence each. */
const documents = (...sentences: string[]): Record<string, string> =>
  Object.fromEntries(sentences.map((sentence, index) => [`${"abc"[index]}.md`, `# Notes ${index}\n\n${sentence}\n`]));

const TRAPS: readonly [question: string, traps: string[], answers: string[]][] = [
  [
    "When was Widgetbase released?",
    [
      "The source of Widgetbase can be had from the page of what was released.",
      "Versions of Widgetbase are signed after they were released to the mirrors.",
      "Mark a build of Widgetbase when it was released by yourself, as RFC 2119 says.",
    ],
    [
      "Widgetbase was released to all mirrors in May 2019.",
      "The year in which Widgetbase was first released is 2019.",
      "On 3 May its maker said that Widgetbase was released that day.",
    ],
  ],
  [
    "Who founded the Widgetbase club?",
    [
      "The Widgetbase club was founded in a barn beside the road to the sea.",
      "The club that Widgetbase people founded meets on the first floor of the house.",
      "Founded with little money, the Widgetbase club soon had a hall and a bell.",
    ],
    [
      "The Widgetbase club was founded by Anna Kell and her brother.",
      "Anna Kell founded the Widgetbase club in her barn beside the road.",
      "In the winter of the great flood the Widgetbase club was founded by John Stone with nine friends and a borrowed boat.",
    ],
  ],
  [
    "Why does Widgetbase copy the journal?",
    [
      "Widgetbase copies the journal into the folder of the owner at noon.",
      "The journal that Widgetbase copies is written in the letters of the country.",
      "When Widgetbase copies the journal, it shows a green lamp at the door.",
    ],
    [
      "Widgetbase copies the journal because disks fail in the night.",
      "The journal is copied by Widgetbase to protect it from a broken disk.",
      "Widgetbase copies the journal every evening in order to open the shop again on the day that follows a fire.",
    ],
  ],
  [
    "How many gates does the Widgetbase canal have?",
    [
      "The gates of the Widgetbase canal are 4 metres high and painted green.",
      "The gates of the Widgetbase canal open for 30 minutes at a time.",
      "Gates of the Widgetbase canal let ships pass from the lake to the river.",
    ],
    [
      "The Widgetbase canal has 12 gates between the lake and the river.",
      "Twelve gates of the Widgetbase canal stand open in the night.",
      "The number of gates of the Widgetbase canal is 12.",
    ],
  ],
];

describe.each(TRAPS)("%s", (question, traps, answers) => {
  test("is answered by nothing where the words stand without what is asked for", async () => {
    const { draft } = await reportOf(documents(...traps), question);
    expect(draft.strengths?.map(({ evidence, claims }) => [evidence, claims])).not.toContainEqual(["strong", 3]);
    expect(draft.strengths?.every(({ claims }) => claims === 0)).toBe(true);
    expect(draft.sections.some(({ role }) => role === "answer")).toBe(false);
    if (claimsOf(draft).length > 0) {
      expect(draft.sections[0]?.title).toBe("Nothing answers this: the nearest sentences");
      expect(introduction(draft)).toStartWith(NOTHING_ANSWERS);
    }
  });

  test("is answered strongly by three documents that give it", async () => {
    const { draft } = await reportOf(documents(...answers), question);
    expect(draft.strengths).toMatchObject([{ evidence: "strong", claims: 3, sources: 3 }]);
    expect(draft.sections[0]).toMatchObject({ title: "Answer in quotes", role: "answer" });
    expect(introduction(draft)).not.toContain(NOTHING_ANSWERS);
  });
});

test("some trap makes a report that says that nothing answers", async () => {
  const drafts = await Promise.all(TRAPS.map(([question, traps]) => reportOf(documents(...traps), question)));
  expect(drafts.some(({ draft }) => claimsOf(draft).length > 0)).toBe(true);
});

describe("numbers above a sentence", () => {
  const question = "When was Widgetbase 17 released?";
  const released = (heading: string, year: string) => `# ${heading}\n\nWidgetbase was released to all ${year}.\n`;

  test("count chapters, unless the heading names the thing with it", async () => {
    const chapters = {
      "17/a.md": released("17. Installing Widgetbase", "mirrors in May 2019"),
      "b.md": released("17.3. Notes", "owners in May 2020"),
      "c.md": released("Chapter 17", "readers in May 2021"),
    };
    const trapped = await reportOf(chapters, question);
    expect((trapped.draft.strengths ?? []).every(({ claims }) => claims === 0)).toBe(true);
    const named = {
      "a.md": released("Widgetbase 17", "mirrors in May 2019"),
      "b.md": released("Notes on Widgetbase 17", "owners in May 2019"),
      "c.md": released("Widgetbase 17 and its friends", "readers in May 2019"),
    };
    const { draft } = await reportOf(named, question);
    expect(draft.strengths).toMatchObject([{ evidence: "strong", claims: 3 }]);
  });
});

describe("what has to be there is", () => {
  const holds = (question: string, text: string): boolean => holdsAskedKind(text, question, new Lexicon(question));

  test.each([
    ["When does the pump stop", "The pump stops when the tank is empty."],
    ["When should I use a rope ladder", "A rope ladder is recommended in calm weather."],
    ["How does the pump stop when the tank is empty", "The pump stops by itself."],
    ["When the tank is empty, what stops", "The pump stops by itself."],
    ["Who may close the gate", "The keeper may close the gate."],
    ["Who may enter the mill", "Anyone may enter the mill."],
    ["What is done for users who left", "Their files are kept."],
    ["Wann wurde die Mühle gebaut", "Die Mühle wurde 1782 gebaut."],
    ["図書館はいつ建てられましたか", "図書館は昭和三年に建てられた。"],
    ["How many tables can be open", "The limit of open tables is 1600."],
    ["How many litres does the tank hold", "The tank holds 40 litres."],
  ])("%s: %s", (question, text) => {
    expect(holds(question, text)).toBe(true);
  });

  test.each([
    ["When was the pump built", "The pump was built after the tank, on port 2019."],
    ["When is the pump open", "Ships wait when the pump is open."],
    ["Who may stop the pump of the keeper", "The pump of the keeper may stop."],
    ["How many replication slots are there", "If replication slots are missing, the value is -1."],
    ["When may the pump be stopped", "The pump may be stopped by its keeper."],
    ["Who wrote Tide Server", "The notes of Tide Server are long."],
    ["Who may close the gate", "The gate may close with a loud noise."],
    ["Who made the pump", "The pump was made with MAKE PUMP, as said in the Pump Making section."],
    ["Wann wurde die Mühle gebaut", "Die Mühle wurde nach dem Haus gebaut."],
    ["How many tables can be open", "Open tables wait 30 seconds."],
  ])("not, %s: %s", (question, text) => {
    expect(holds(question, text)).toBe(false);
  });
});
