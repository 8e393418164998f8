// Tests of the pieces of a passage that can be marked: sentences in any script, rows, definitions, lines of code.
import { expect, test } from "bun:test";
import { blocksOf } from "../../../src/corpus/blocks/blocks.ts";
import type { Format } from "../../../src/corpus/formats/formats.ts";
import { sentencesOf } from "../../../src/kernel/sentences.ts";
import { sentencesWithin } from "../../../src/drivers/local/sentences.ts";

function cut(text: string): string[] {
  return sentencesOf(text).map(({ start, end }) => text.slice(start, end));
}

function cutBlocks(text: string, format: Format = "markdown"): string[] {
  const spans = sentencesWithin(text, [...blocksOf(text, format)], { start: 0, end: text.length });
  return spans.map(({ start, end }) => text.slice(start, end));
}

test("a line end does not end a sentence", () => {
  expect(cut("The wheel turns.  It is made\nof oak.\nOak lasts.")).toEqual([
    "The wheel turns.",
    "It is made\nof oak.",
    "Oak lasts.",
  ]);
  expect(cut("図書館は休館する。本は借りられる。")).toEqual(["図書館は休館する。", "本は借りられる。"]);
  expect(cut("Er rief: „Es dreht sich.“")).toEqual(["Er rief: „Es dreht sich.“"]);
  expect(cut("図書館は休館する。「本」は借りられる。")).toEqual(["図書館は休館する。", "「本」は借りられる。"]);
});

test("initials, abbreviations, dates, versions and quotations do not end a sentence", () => {
  for (const text of [
    "It was built by A. B. Kell in 1782.",
    "Ask Dr. Kell about the wheel.",
    "Der Vorratsraum fasst z. B. vier Tonnen.",
    "Er öffnet am 3. Mai um neun.",
    "Use e.g. Version 2 or later.",
    "Since v1.2.3 the gate is open.",
    "Wait for it ... Then the gate is open.",
    'The miller cries "Stop! Go back" and runs.',
    "He cried “Stop! Go back” and ran.",
    '"Stop!" cried the miller.',
  ])
    expect(cut(text)).toEqual([text]);
  // Control: a year ends a sentence.
  expect(cut("It was built in 1782. The wheel came later.")).toHaveLength(2);
});

test("a path, an address or the target of a link ends no sentence", () => {
  for (const text of [
    "Read [the guide](./GUIDE.md) before the gate opens.",
    "Read [the guide](../Mill/The.Wheel.md) before the gate opens.",
    'Read [the guide](./guide.md "The guide. A copy") before the gate opens.',
    "Read [the guide](<./My guide. Second.md>) before the gate opens.",
    "The wheel is in ./Parts/Wheel.txt and ~/.Mill/Notes.txt as well.",
    "Ask https://mill.example/?Q=Oak.Wheel and wait.",
  ])
    expect(cut(text)).toEqual([text]);
  // Control: what follows a link is a sentence of its own.
  expect(cut("Read [the guide](./GUIDE.md). The gate opens (see ./A/B.md). It is oak/elm. Then go.")).toHaveLength(4);
});

test("rows, definitions and lines of code are pieces; headings and fences are not", () => {
  const table =
    "# Words\n\n| Word | Meaning |\n|---|---|\n| lease | The right to write. It expires. |\n| tick | One step. |\n";
  expect(cutBlocks(table)).toEqual(["| lease | The right to write. It expires. |", "| tick | One step. |"]);
  expect(cutBlocks("Lease\n: The right to write. It expires.\n")).toEqual([
    "Lease\n: The right to write.",
    "It expires.",
  ]);
  expect(cutBlocks("Run it:\n\n```sh\nmill start\n\nmill stop\n```\n")).toEqual(["Run it:", "mill start", "mill stop"]);
});

test("lines of columns, programs and lists without signs are pieces", () => {
  const options =
    "  -a, --all      all of the mills\n  -b, --brook    the brook that drives them\n  -c             no colours";
  expect(cutBlocks(`Options of the mill\n\n${options}\n`, "plain").slice(-3)).toEqual([
    "-a, --all      all of the mills",
    "-b, --brook    the brook that drives them",
    "-c             no colours",
  ]);
  const program = "Like this: the mill turns.\n\nif mill:\n    turn()\n    if brook:\n        flow()\nstop()\n";
  expect(cutBlocks(program, "plain").slice(1)).toEqual(["if mill:", "turn()", "if brook:", "flow()", "stop()"]);
  expect(cutBlocks("Mill of oak\nBrook of stone\nGate of iron\n")).toEqual([
    "Mill of oak",
    "Brook of stone",
    "Gate of iron",
  ]);
  const fixes = [
    "mend the planks of the water side with nails",
    "open the gate of the mill race to the brook in the morning",
    "let the second gate of iron open at night",
    "cut the stones of the upper floor anew before winter",
    "keep the sacks of rye dry behind a wooden wall",
  ];
  expect(cutBlocks(fixes.join("\n"))).toEqual(fixes);
  // Controls: wrapped prose, and prose with a line for each clause.
  for (const text of [
    "The mill that stands behind the house of the old miller\nturns when the brook has enough water for both of its wheels",
    "The mill turns,\nwhen the brook\nhas water.",
    fixes.slice(0, 4).join("\n"),
    `${fixes.join("\n")}.`,
    "- The mill that stands behind the house of the old miller\n  turns when the brook has water.",
  ])
    expect(cutBlocks(text)).toEqual([text]);
});

test("a paragraph of AsciiDoc with a short line is cut into sentences below a term, behind a plus, and in a block", () => {
  const item = [
    "--grease <axle>::",
    "\tGreases the axle of the oak wheel before the mill is opened in",
    "\tthe morning.",
    "\tWithout an axle all of them are greased. Oil is",
    "\tnot used.",
    "+",
    "Grease is kept behind the gate of the mill, where the miller of the day",
    "finds it.",
    "No other",
    "grease is used.",
  ];
  expect(cutBlocks(item.join("\n"), "plain")).toEqual([
    "--grease <axle>::",
    item.slice(1, 3).join("\n").trim(),
    "Without an axle all of them are greased.",
    "Oil is\n\tnot used.",
    item.slice(6, 8).join("\n"),
    item.slice(8).join("\n"),
  ]);
  const terms = [
    "--brook::",
    "\tOpens, when the brook has water, the",
    "\tsluice. It",
    "\tstays open.",
    "--gate::",
    "\tShuts it.",
  ];
  expect(cutBlocks(terms.join("\n"), "plain")).toEqual([
    "--brook::",
    "Opens, when the brook has water, the\n\tsluice.",
    "It\n\tstays open.",
    "--gate::",
    "Shuts it.",
  ]);
  const note = ["[NOTE]", "The gate is shut at night. It is", "opened", "at dawn."];
  const said = ["The gate is shut at night.", "It is\nopened\nat dawn."];
  expect(cutBlocks(note.join("\n"), "plain").slice(1)).toEqual(said);
  expect(cutBlocks(["____", ...note.slice(1), "____"].join("\n"), "plain")).toEqual(said);
  // Control: elsewhere such lines may be a program.
  const program = "if mill:\n    turn(1, 'The wheel turns.')\n    turn(2)\nstop()";
  expect(cutBlocks(program, "plain")).toEqual(program.split("\n").map((line) => line.trim()));
});

test("a paragraph of a million lines is cut", () => {
  expect(cutBlocks("ab\n".repeat(1_000_000), "plain")).toHaveLength(1_000_000);
});
