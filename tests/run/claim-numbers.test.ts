// Numbers of a claim have to stand in its quotes, in digits or as words.
import { expect, test } from "bun:test";
import { uncitedNumbers } from "../../src/run/claim-numbers.ts";

test.each([
  ["It waits 30 seconds.", ["It waits 30 seconds."], []],
  ["It waits 30 seconds.", ["It waits."], ["30"]],
  ["It waits thirty seconds.", ["It waits."], ["thirty"]],
  ["It waits thirty seconds.", ["It waits 30 seconds."], []],
  ["It tries 3 times.", ["It tries three times."], []],
  ["Twelve of 1,000 fail, twelve.", ["Of 1,000 some fail."], ["Twelve", "twelve"]],
  ["One of them tends to be often written.", ["They are written."], []],
  ["Es dauert drei Tage.", ["Es dauert 3 Tage."], []],
  ["Version 2.10 came.", ["Version 2.1 came.", "Ten came."], ["2.10"]],
])("%s", (text, quotes, uncited) => {
  expect(
    uncitedNumbers(
      text,
      quotes.map((quote) => ({ text: quote })),
    ),
  ).toEqual(uncited);
});
