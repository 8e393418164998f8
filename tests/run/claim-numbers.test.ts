// Numbers of a claim have to be in its quotes, in digits or as words.
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { countsOf, strangeLiterals, uncitedNumbers, withPlainNumbers } from "../../src/run/report/claim-numbers.ts";

test.each([
  ["It waits 30 seconds.", ["It waits 30 seconds."], []],
  ["It waits 30 seconds.", ["It waits."], ["30"]],
  ["It waits thirty seconds.", ["It waits."], ["thirty"]],
  ["It waits thirty seconds.", ["It waits 30 seconds."], []],
  ["It tries 3 times.", ["It tries three times."], []],
  ["Twelve of 1,000 fail, twelve.", ["Of 1,000 some fail."], ["Twelve", "twelve"]],
  ["One of them tends to be often written.", ["They are written."], []],
  ["Es dauert drei Tage.", ["Es dauert 3 Tage."], []],
  ["A RAID 10 and a RAID-10 do.", ["md3 : active raid10 sda1"], []],
  ["A RAID 10 does.", ["It does."], ["10"]],
  ["10 do.", ["md3 : active raid10 sda1"], ["10"]],
  // A name continues in neither text: a version is none, and part of a word is none.
  ["A 2.4 server.", ["a2enmod of a 2.4 server"], []],
  ["Use version 2.4 of it.", ["a2enmod ssl"], ["2.4"]],
  ["RAID 10.5 does.", ["active raid10 sda1"], ["10.5"]],
  ["It takes 1 minute.", ["It takes at most one minute."], []],
  ["It takes 1 minute.", ["It takes a while."], ["1"]],
  ["Version 2.10 came.", ["Version 2.1 came.", "Ten came."], ["2.10"]],
])("%s", (text, quotes, uncited) => {
  expect(
    uncitedNumbers(
      text,
      quotes.map((quote) => ({ text: quote })),
    ),
  ).toEqual(uncited);
});

test.each([
  ["It holds 6000 jobs.", "It holds 6,000 jobs.", []],
  ["It holds 6,000 jobs.", "It holds 6.000 jobs.", []],
  ["It holds 6 000 jobs.", "It holds 6000 jobs.", []],
  ["It holds 1.234.567 jobs.", "It holds 1,234,567 jobs.", []],
  ["It costs 1.234,50 €.", "It costs 1,234.50 €.", []],
  ["It takes two hundred steps.", "It takes 200 steps.", []],
  ["It takes 205 steps.", "It takes two hundred and five steps.", []],
  ["It takes twenty-five steps.", "It takes 25 steps.", []],
  ["It holds 1.5 million rows.", "It holds 1,500,000 rows.", []],
  ["It grew by about 12 %.", "It grew by 11.7 %.", []],
  ["It grew by 12 %.", "It grew by 11.7 %.", ["12"]],
  ["It grew by about 14 %.", "It grew by 11.7 %.", ["14"]],
  ["It was on 3 May.", "It was on 2024-05-03.", []],
  ["It reads utf8 on x86_64.", "It reads text.", []],
  ["Take the NT-11.", "Take it.", []],
  ["Take NT-11 for EUR-900.", "Take it.", ["900"]],
  ["It reads ISO-8859-1 and ISO-8859-15.", "It reads text.", []],
  ["Since v0.11.12 it waits.", "It waits.", []],
  ["Since version 0.11.12 it waits.", "v0.11.12: it waits.", []],
  ["Since version 0.11.13 it waits.", "v0.11.12: it waits.", ["0.11.13"]],
  ["Neither of the two waits, and one of the three does.", "They wait.", []],
  ["The two wait; so do these two.", "They wait.", []],
  ["Two wait for the two hours.", "They wait.", ["Two", "two"]],
  ["The three wait.", "They wait.", ["three"]],
  ["It takes half of the 2.", "They wait.", ["2"]],
  ["There are three kinds: a, b and c.", "There are a, b, c.", []],
  ["Steps 1 to 4 are the same.", "They are the same.", []],
  ["It takes five of six.", "It takes 11.", ["five", "six"]],
  ["It holds 1,234 jobs.", "It holds 1.5 jobs.", ["1,234"]],
  ["It costs 55 €.", "It costs 55,00 €.", []],
  ["It came with version 2.1.", "It came with version 2.10.", ["2.1"]],
  ["It holds 2 jobs.", "It holds 2.000 jobs.", ["2"]],
])("other spellings: %s from %s", (text, quote, uncited) => {
  expect(uncitedNumbers(text, [{ text: quote }])).toEqual(uncited);
});

test.each([
  ["5 million users come.", "5 thousand users came.", ["5"]],
  ["5 Millionen Nutzer kommen.", "5 Tausend Nutzer kamen.", ["5"]],
  ["5 million users come.", "5 million users came.", []],
  ["5 million users come.", "Users came, in million: 5,000,000.", []],
  ["4.35 million users come.", "4,350,000 users came.", []],
  ["4.35 million users come.", "4.35 thousand users came.", ["4.35"]],
  ["It costs 1 500 euros.", "It costs 500 euros.", ["1 500"]],
  ["It costs 1 500 euros.", "It costs 1500 euros.", []],
  ["It costs 500 euros.", "In line 1 500 euros are asked.", []],
  ["It costs EUR900.", "It costs something.", ["900"]],
  ["It costs EUR900.", "It costs 900 €.", []],
  ["It rose by points 900.", "It rose.", ["900"]],
  ["It holds over 100 rows.", "It holds 91 rows.", ["100"]],
  ["It holds over 100 rows.", "It holds 107 rows.", []],
  ["It holds under 100 rows.", "It holds 107 rows.", ["100"]],
  ["It holds nearly 100 rows.", "It holds 97 rows.", []],
  ["A, B and C lose 3 %.", "A, B and C lose some.", ["3"]],
  ["A, B and C lose 3 of them.", "A, B and C lose some.", []],
  ["It loses 0 rows.", "It loses some rows.", ["0"]],
])("%s from: %s", (text, quote, uncited) => {
  expect(uncitedNumbers(text, [{ text: quote }])).toEqual(uncited);
});

test.each(["within 5 ms", "within five seconds", "5 % of them", "for $5", "at 5 calls per second", "5 times as much"])(
  "what is listed is not measured: %s",
  (words) => {
    expect(uncitedNumbers(`It comes ${words}.`, [], { counts: [5] })).toHaveLength(1);
    expect(uncitedNumbers("It comes with 5 engines, 5 times.", [], { counts: [5] })).toEqual([]);
  },
);

test("numbers of the question, counts of what is listed and computed numbers need no quote", () => {
  const quotes = [{ text: "It took 3.1 s, then 5.2 s." }];
  expect(uncitedNumbers("It keeps your five minutes.", quotes)).toEqual(["five"]);
  expect(uncitedNumbers("It keeps your five minutes.", quotes, { question: "Within 5 minutes?" })).toEqual([]);
  expect(uncitedNumbers("Four ways compete.", quotes)).toEqual(["Four"]);
  expect(uncitedNumbers("Four ways compete.", quotes, { counts: [4] })).toEqual([]);
  const expression = "(5.2 - 3.1) / 3.1";
  expect(uncitedNumbers("It is 68 % slower.", quotes)).toEqual(["68"]);
  expect(uncitedNumbers("It is 68 % slower.", quotes, { expression })).toEqual([]);
  expect(uncitedNumbers("It is about two thirds, 70 %, slower.", quotes, { expression })).toEqual(["two", "70"]);
  expect(uncitedNumbers("It is 0.7 slower.", quotes, { expression })).toEqual([]);
  const difference = { expression: "5.2 - 3.1" };
  expect(uncitedNumbers("It is 2.1 million.", [{ text: "5.2 million, then 3.1 million" }], difference)).toEqual([]);
});

test("a computed number may be rounded up next to the number itself", () => {
  const quotes = [{ text: "Each of 50,000 connections takes 33 KB, of 1,000,000 at most." }];
  const expression = "50000 * 33 / 1024 / 1024";
  const uncited = (text: string): string[] => uncitedNumbers(text, quotes, { expression });
  expect(uncited("It needs 1.57 GB: order 2 GB.")).toEqual([]);
  // Control: no other number.
  expect(uncited("It needs 1.57 GB: order 3 GB.")).toEqual(["3"]);
  expect(uncited("It needs 1.57 GB: 1.3 is too little.")).toEqual(["1.3"]);
});

test("a number that only looks rounded up is refused", () => {
  const uncited = (text: string, expression: string): string[] => uncitedNumbers(text, [], { expression });
  const computed = "2.3 + 5";
  expect(uncited("It needs 7.3 GB: order 8.", computed)).toEqual([]);
  // The computed number itself has to be there.
  expect(uncited("It needs 8 GB.", computed)).toEqual(["8"]);
  expect(uncited("It needs 7.3 GB, more than 8 GB.", computed)).toEqual(["8"]);
  expect(uncited("It needs 7.3 GB, which is 8 %.", computed)).toEqual(["8"]);
  // A whole number has nothing to be rounded, though binary fractions are a little off.
  expect(uncited("It costs 121 or 122.", "1.1 * 1.1 * 100")).toEqual(["122"]);
  expect(uncited("It costs 3 or 4.", "(0.1 + 0.2) * 10")).toEqual(["4"]);
  // A share.
  expect(uncited("It is 30 %: 1 replica.", "3 / 10")).toEqual(["1"]);
});

test("an expression uses what is in what it names, or what everybody knows", () => {
  expect(strangeLiterals("(5.2 - 3.1) * 60", ["5.2 and 3.1"])).toEqual([]);
  expect(strangeLiterals("(5.2 - 3.1) * 61", ["5.2 and 3.1"])).toEqual(["61"]);
  expect(strangeLiterals("5.2 / 1000000", ["5.2 bytes"])).toEqual([]);
  expect(withPlainNumbers("1,234 / 2", ["It is 1,234."])).toBe("1234 / 2");
  expect(withPlainNumbers("1,234 / 2", ["It is 1.234 s, exactly 1,2 and 1.2"])).toBe("1234 / 2");
  expect(withPlainNumbers("1,5 * 2", ["It is 1.5."])).toBe("1.5 * 2");
});

test("a version is in one of its releases, and in no other", () => {
  const quotes = [{ text: "HAProxy version 2.6.12 was measured." }];
  expect(uncitedNumbers("It holds for 2.6 and 2.6.12.", quotes)).toEqual([]);
  expect(uncitedNumbers("It holds for 2.61 and 6.12.", quotes)).toEqual(["2.61", "6.12"]);
});

test("steps that continue behind something else count together", () => {
  const items = [{ statements: ["a"] }, { statements: ["b"] }];
  const lists = [
    { kind: "list", ordered: true, items } as const,
    { kind: "list", ordered: true, start: 3, items } as const,
  ];
  expect(countsOf(lists)).toEqual([2, 4]);
});

test("a text that is cited word for word holds no number that is not cited", () => {
  const pieces = fc.constantFrom(
    "a",
    "raid",
    "a2enmod",
    "raid10",
    "2.4",
    "10",
    "1,234",
    "one",
    "about",
    " ",
    "-",
    ".",
    ",",
    "/",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (some) => {
      const text = some.join("");
      expect(uncitedNumbers(text, [{ text }])).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});
