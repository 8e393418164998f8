// Tests of how a question is read: lines, lists, mails, names with stops, things that are asked for beside each other.
import { describe, expect, test } from "bun:test";
import { clausesOf } from "../../../src/drivers/local/plan.ts";
import { questionSentences } from "../../../src/drivers/local/question.ts";
import { answerOf, reportOf } from "./local-run.ts";

describe("a question", () => {
  test("goes on behind a line end of any system, and ends at a blank line and at an item of a list", () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      expect(questionSentences(["When is", "the kiln", "fired?"].join(end))).toEqual(["When is the kiln fired?"]);
      expect(questionSentences(["When is the kiln fired", "", "Who owns the mill"].join(end))).toEqual([
        "When is the kiln fired",
        "Who owns the mill",
      ]);
      for (const marks of [
        ["- ", "- "],
        ["1. ", "2. "],
        ["* ", "• "],
      ])
        expect(
          questionSentences([`${marks[0]}When is the kiln fired`, `${marks[1]}Who owns the mill`].join(end)),
        ).toEqual(["When is the kiln fired", "Who owns the mill"]);
    }
  });

  test("of a mail is what it asks", () => {
    const mail =
      "Hello Jo,\r\n\r\nplease tell me two things:\r\n\r\nWhen is the kiln\r\nfired?\r\n\r\nMany thanks, Ann";
    expect(questionSentences(mail).at(-1)).toBe("When is the kiln fired?");
    expect(questionSentences("> When is the kiln\n> fired?")).toEqual(["When is the kiln fired?"]);
    expect(questionSentences("Please tell me this: ok? When is the kiln fired?")).toContain("When is the kiln fired?");
  });

  test("is not cut in a name with stops, or behind an abbreviation", () => {
    for (const question of [
      "Which version does the .NET client need?",
      "What does Node.js Core contain?",
      "Is v1.2.3 older than v1.10.0 of the file.ts Format?",
      "Is oak (e.g. Bog oak) harder, or vs. Pine?",
    ])
      expect(questionSentences(question)).toEqual([question]);
    // Control: a sentence that ends in a stop.
    expect(questionSentences("I own a kiln. When is it fired?")).toHaveLength(2);
  });

  test("is cut where something else is asked for as well, which may be one word", async () => {
    expect(clausesOf("Tell me about prices, and also about deploys")).toEqual([
      "Tell me about prices",
      "And also about deploys",
    ]);
    expect(clausesOf("Was kostet es, auch im Winter?")).toHaveLength(2);
    // Control: without such a word a clause of one word is none.
    expect(clausesOf("In PostgreSQL, what is the default port?")).toHaveLength(1);
    const files = {
      "prices.md": "# Money\n\nPrices rise in May. Nobody pays more than nine crowns.\n",
      "deploys.md": "# Work\n\nDeploys happen on Monday. They take nine minutes.\n",
      "rain.md": "# Rain\n\nRain falls in autumn. Dogs bark at night.\n",
    };
    const run = await reportOf(files, "Tell me everything about prices, please, and also about deploys; thanks!");
    expect(answerOf(run).map((text) => text.slice(0, 7))).toEqual(["Prices ", "Deploys"]);
  });
});

describe("words of other languages", () => {
  const FILLER = { "b.md": "# B\n\nNothing else.\n" };

  test("that ask are not looked for, however short the question", async () => {
    for (const [question, text] of [
      ["Milloin mylly seisoo?", "Mylly seisoo talvella."],
      ["Kiedy młyn stoi?", "Młyn stoi zimą."],
      ["Değirmen ne zaman durur?", "Değirmen kışın durur."],
      ["โรงสีหยุดเมื่อไร", "โรงสีหยุดในฤดูหนาว"],
      ["Πότε σταματά ο μύλος;", "Ο μύλος σταματά τον χειμώνα."],
      ["מתי הטחנה עומדת?", "הטחנה עומדת בחורף."],
    ] as const) {
      const run = await reportOf({ "a.md": `# A\n\n${text}\n`, ...FILLER }, question);
      expect([question, answerOf(run), run.draft.parts[0]?.missing]).toEqual([question, [text], []]);
    }
  });

  test("are found with other endings in Korean and Hindi, and without vowel marks in Arabic", async () => {
    for (const [question, text] of [
      ["방앗간은 어디에 있나요?", "강가에 방앗간이 서 있다."],
      ["चक्की कब रुकती है?", "सर्दी में चक्की रुकता है।"],
      ["أين المَطْحَنة؟", "المطحنة قرب النهر."],
    ] as const) {
      const run = await reportOf({ "a.md": `# A\n\n${text}\n`, ...FILLER }, question);
      expect([question, answerOf(run)]).toEqual([question, [text]]);
    }
  });
});
