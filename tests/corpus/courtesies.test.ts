// Tests of what is said to people only: it is taken out of a question, and what is question stays.
import { expect, test } from "bun:test";
import { withoutCourtesies } from "../../src/corpus/words/courtesies.ts";

test("greetings, thanks, requests and the lines of a mail are taken out", () => {
  for (const [text, question] of [
    ["hi there, where is the kiln?", "where is the kiln?"],
    ["Dear Ms. Kell,\n\nWhen is the kiln fired?\n\nKind regards\nJo Smith\nPottery", "When is the kiln fired?"],
    ["When is the kiln fired? Thank you in advance!", "When is the kiln fired?"],
    ["When is the kiln fired, please?", "When is the kiln fired ?"],
    ["Hallo zusammen, wann brennt der Ofen? Vielen Dank und schöne Grüße, Jo", "wann brennt der Ofen?"],
    ["Bonjour, quand le four est-il allumé ? Cordialement, Jo", "quand le four est-il allumé ?"],
    ["Здравствуйте! Когда топят печь? Спасибо", "Когда топят печь?"],
    ["请问窑什么时候烧？谢谢", "窑什么时候烧？"],
    ["When is it fired?\n-- \nJo Smith\nPottery", "When is it fired?"],
  ] as const)
    expect(withoutCourtesies(text)).toBe(question);
});

test("control: words that are asked about stay", () => {
  for (const text of [
    "How do I print hello world?",
    "Hi-fi systems: which cable do they need?",
    "How do I say thank you in Danish?",
    "Who is dear to the miller?",
    "Liebe geht durch den Magen?",
    "Which regards are sent by the clerk, and when?",
    "申请什么时候到期？",
    "Thanks",
  ])
    expect(withoutCourtesies(text)).toBe(text);
});
