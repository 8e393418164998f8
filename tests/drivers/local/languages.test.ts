// Tests that excerpts in the language of the question come before those of other languages, and that these still answer alone.
import { describe, expect, test } from "bun:test";
import { answerOf, excerptsOf, reportOf } from "./local-run.ts";

/** The same matter with the same names, so that nothing but the language tells which text is to be read. */
const MATTER = {
  English: {
    question: "What does the rollback of the Kestrel router do?",
    text: "The rollback of the Kestrel router takes it back to what it was before, and nobody has to watch it.",
  },
  German: {
    question: "Was macht der Rollback beim Kestrel Router?",
    text: "Der Rollback bringt den Kestrel Router auf den Stand zurück, den er vorher hatte, ohne dass man ihm zusieht.",
  },
  French: {
    question: "Que fait le rollback du Kestrel router ?",
    text: "Le rollback remet le Kestrel router dans l'état où il était avant, sans que personne ne doive le surveiller.",
  },
  Spanish: {
    question: "¿Qué hace el rollback del Kestrel router?",
    text: "El rollback devuelve el Kestrel router al estado en que estaba antes, sin que nadie tenga que vigilarlo.",
  },
  Swedish: {
    question: "Vad gör en rollback på Kestrel router?",
    text: "En rollback sätter tillbaka Kestrel router till hur den var innan, utan att någon behöver titta på den.",
  },
  Russian: {
    question: "Что делает rollback у Kestrel router?",
    text: "Команда rollback возвращает Kestrel router в то состояние, в котором он был раньше, и никто не следит за этим.",
  },
  Japanese: {
    question: "Kestrel routerのrollbackは何をしますか？",
    text: "rollbackはKestrel routerを前の状態に戻します。誰かが見ている必要はありません。",
  },
};
const FILLER = "Rain falls on the roof in autumn. Dogs bark at night. The road to the village is long.";
/** Makes a text rank first: it says the words of the question again and again. */
const loud = (text: string): string => `${text}\n${"Rollback, Kestrel router, rollback. ".repeat(3)}\n`;

const languages = Object.keys(MATTER) as (keyof typeof MATTER)[];
const othersThan = (asked: string) => languages.filter((other) => other !== asked);

describe("a corpus that says the same in two languages", () => {
  test.each(languages)("answers a question in %s in its language", async (asked) => {
    for (const other of othersThan(asked)) {
      const files = { "a.md": MATTER[asked].text, "b.md": loud(MATTER[other].text), "c.md": FILLER };
      const run = await reportOf(files, MATTER[asked].question);
      expect([other, ...answerOf(run)]).toEqual([other, MATTER[asked].text]);
    }
  });

  test.each(languages)("answers a question in %s in another language where nothing else does", async (asked) => {
    for (const other of othersThan(asked)) {
      const [{ question }, { text }] = [MATTER[asked], MATTER[other]];
      expect(answerOf(await reportOf({ "b.md": text, "c.md": FILLER }, question))).toEqual([text]);
      // A text in the language of the question that only touches it gives no answer.
      const touching = MATTER[asked].text.replaceAll(/kestrel|router/giu, "X");
      const run = await reportOf({ "a.md": touching, "b.md": text, "c.md": FILLER }, question);
      expect(answerOf(run)[0]).toBe(text);
    }
  });

  test("shows no translation beside the answer as if the two were rivals", async () => {
    for (const other of othersThan("German")) {
      const { question, text } = MATTER.German;
      const files = { "a.md": `${text} Rollback!`, "b.md": MATTER[other].text, "c.md": FILLER };
      expect([other, ...answerOf(await reportOf(files, question))]).toEqual([other, `${text} Rollback!`]);
    }
    // Control: two texts in one language.
    const second =
      "Der Rollback bringt den Kestrel Router zum Stehen, wenn Wasser, Rauch oder Feuer im Haus sind. Rollback!";
    const two = { "a.md": `${MATTER.German.text} Rollback!`, "b.md": second, "c.md": FILLER };
    expect(answerOf(await reportOf(two, MATTER.German.question))).toHaveLength(2);
  });

  test("fills a page with those of its language first, although the others differ more", async () => {
    const heads = ["mill", "well", "barn", "dyke", "lock", "kiln", "yard"];
    const files = Object.fromEntries(
      heads.flatMap((head, at) => [
        [`en-${head}.md`, `The rollback of the Kestrel router in the ${head} is done by its miller before day ${at}.`],
        [
          `de-${head}.md`,
          loud(`Der Rollback vom Kestrel Router (${head}) ist am Tag ${at} und nicht danach zu machen.`),
        ],
      ]),
    );
    const run = await reportOf(files, MATTER.English.question);
    const found = run.findings.flatMap(({ quotes }) => quotes.map(({ text }) => text.slice(0, 3)));
    expect(found).toEqual(["The", "The", "The", "The", "The"]);
    expect(excerptsOf(run).every((text) => text.startsWith("The"))).toBeTrue();
  });
});
