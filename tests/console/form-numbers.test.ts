// The numbers of the form: what it lets in is what the route takes.
import { expect, test } from "bun:test";
import { command as start } from "../../src/cli/commands/start.ts";
import { numberInputs } from "../../src/console/form-numbers.ts";
import { START } from "../../src/console/verb-uses.ts";
import { saidOfUse } from "../../src/surface/verb-use.ts";

test("the bounds of each number are taken, and what is beyond them is not", () => {
  const isTaken = (name: string, value: number): boolean => {
    try {
      return saidOfUse(START, start.fields, { question: "q", [name]: value })[name] === value;
    } catch {
      return false;
    }
  };
  for (const [, attributes] of numberInputs()) {
    const { name, min, max, step } = attributes;
    // A budget is above its bound.
    const least = step === "any" ? min + 0.01 : min;
    expect([name, isTaken(name, least), isTaken(name, max)]).toEqual([name, true, true]);
    expect([name, isTaken(name, min - 1), isTaken(name, max + 1)]).toEqual([name, false, false]);
  }
  expect(numberInputs()[0]?.[1]).toMatchObject({
    name: "max_depth",
    placeholder: "by mode",
    min: 1,
    max: 5,
  });
});
