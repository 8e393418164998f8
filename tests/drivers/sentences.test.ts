// What of a text can be quoted: whole sentences that stand alone, and nothing that only looks like one.
import { describe, expect, test } from "bun:test";
import type { Format } from "../../src/corpus/formats.ts";
import { sentencesOf } from "../../src/drivers/local/sentences.ts";

const cut = (text: string, format: Format = "plain"): string[] =>
  sentencesOf(text, format).map((sentence) => {
    expect(text.slice(sentence.start, sentence.end)).toBe(sentence.text);
    return sentence.text;
  });

describe("a sentence goes on", () => {
  test.each([
    "Brown et al. (2004) measured 3.5 mm of rain in Fig. 3, e.g. in the valley.",
    "The bridge was built by J. Miller and his two sons near St. Ives.",
    "The U.S. office opened at 9 a.m. on the first day of the fair.",
    "Der Zug fährt am 3. März um 8 Uhr ab, z. B. über die Brücke nach Norden.",
    "Es fahren ca. 20 Züge am Tag, d. h. fast einer in jeder Stunde.",
    "Das Ventil Nr. 4 sitzt laut Abs. 2 der Anleitung im Keller.",
    "2.1. The pump stands in the cellar below the kitchen.",
    "The label costs 1.500 euros, as version 2.0.1 of the list says.",
    "The text of the page goes on\fafter the end of the page without a break.",
  ])("%s", (sentence) => {
    expect(cut(sentence)).toEqual([sentence]);
    expect(cut(`${sentence} Another sentence stands behind it here.`)[0]).toBe(sentence);
  });

  test("and ends where it ends, in any script", () => {
    expect(cut("The answer of the whole council was no. The bridge was closed in the next year.")).toEqual([
      "The answer of the whole council was no.",
      "The bridge was closed in the next year.",
    ]);
    expect(cut("To save them use the command stash . The bridge was closed in the next year .")).toEqual([
      "To save them use the command stash .",
      "The bridge was closed in the next year .",
    ]);
    expect(cut("橋は川の上にある。橋の長さは二十メートルである。")).toEqual(["橋の長さは二十メートルである。"]);
    expect(cut("彼は「橋が落ちた。」と市役所に知らせた人である。")).toEqual([
      "彼は「橋が落ちた。」と市役所に知らせた人である。",
    ]);
  });
});

describe("a sentence that leans on the one before", () => {
  test("comes with it, as one span", () => {
    const text = "The pump runs on electricity from the roof. It stops when the sun goes down.";
    expect(cut(text)).toEqual(["The pump runs on electricity from the roof.", text]);
    const german = "Die Pumpe läuft mit Strom vom Dach. Daher steht sie in der Nacht still.";
    expect(cut(german)).toEqual(["Die Pumpe läuft mit Strom vom Dach.", german]);
    const japanese = "ポンプは屋根の電気で動く機械である。そのため夜には止まってしまう。";
    expect(cut(japanese)).toEqual(["ポンプは屋根の電気で動く機械である。", japanese]);
  });

  test("is left out when there is none, when that one leans too, or when both are too long", () => {
    expect(cut("It stops when the sun goes down in the evening.")).toEqual([]);
    expect(cut("If 0 is specified, the pump never starts. The default is 20 litres.")).toEqual([]);
    expect(cut("They were moved to the barn last spring. However, they came back.")).toEqual([]);
    const long = `The pump ${"and the pipe ".repeat(25)}run on electricity from the roof.`;
    expect(cut(`${long} It ${"stops and ".repeat(20)}starts when the sun comes up.`)).toEqual([long]);
  });
});

describe("what is no sentence", () => {
  test.each([
    ["a caption", "Figure 3: The pump and the pipe that leads to the roof of the barn."],
    ["a table of contents", "Pumps and pipes . . . . . . . . 12 Roofs and gutters . . . . . . . . 14."],
    ["an entry of a bibliography", "Miller, J., Stone, A. (2004). Pumps and pipes, vol. 3, pp. 12-19, Hill Press."],
    ["a list of authors", "Anna Miller, John Stone, Peter Hill, Mary Brook, Paul Field, Jane Wood."],
    ["navigation", "Click here to go back to the page of the pump and the pipes."],
    ["German navigation", "Hier klicken, um auf die Seite der Pumpe und der Rohre zu kommen."],
    ["Japanese navigation", "ポンプの説明を読むにはここをクリックする。"],
    ["the mark of a footnote", "2⁷The pump stands in the cellar below the kitchen."],
    ["a term with its explanation on one line", "\\--pump:: Starts the pump in the cellar below the kitchen."],
    ["an aside in brackets", "(The pump stands in the cellar below the kitchen.)"],
    ["shouting", "THE PUMP MUST NEVER RUN WITHOUT WATER IN THE PIPE."],
    ["the end of a bracket", "Pumps from the roof (that is where they stand and where they hum all day!)"],
    ["half a sentence", "and the pipe that leads from the pump up to the roof"],
  ])("%s", (_, text) => {
    expect(cut(text)).toEqual([]);
  });

  test("in code: what a comment says over two lines would carry its marks", () => {
    const code =
      "// The pump stops when the pipe is empty, and starts\n// again when there is water. It waits a minute for it.\n" +
      "// The owner of the pump is told by a bell.\nconst pump = start();\n";
    expect(cut(code, "code")).toEqual(["The owner of the pump is told by a bell."]);
  });
});
