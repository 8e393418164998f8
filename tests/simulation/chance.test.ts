// Draws of a test depend on the seed and on its own name, and on nothing else.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { Sweep, evenly, numbersTo } from "./sweep.ts";

const DRAW = `
  const { Sweep, numbersTo } = await import(${JSON.stringify(join(import.meta.dir, "sweep.ts"))});
  console.log(new Sweep("torn lines").drawn(numbersTo(5000), 24).join());
`;

function drawnWith(seed?: string): { seed: string | undefined; cases: string | undefined } {
  const { TEST_SEED: _seed, TEST_SWEEP: _sweep, ...env } = process.env;
  const given = seed === undefined ? env : { ...env, TEST_SEED: seed };
  const { stdout } = Bun.spawnSync([process.execPath, "-e", DRAW], { env: given });
  const [said, cases] = stdout.toString().split("\n");
  return { seed: said?.split("=")[1], cases };
}

test("the seed is printed, and repeats what was drawn; without it another sample is drawn", () => {
  const [first, second] = [drawnWith(), drawnWith()];
  expect(first.cases).not.toBe(second.cases);
  expect(drawnWith(first.seed)).toEqual(first);
  expect(first.cases?.split(",")).toHaveLength(24);
});

test("a sample is spread over all cases, and a control tries the same every time", () => {
  const sample = new Sweep("torn lines").drawnWithin(numbersTo(1000), 10);
  expect(sample.map((at) => Math.floor((at - 1) / 100))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(new Sweep(null).drawn(numbersTo(1000), 10)).toEqual(evenly(numbersTo(1000), 10));
});

test("what violates is said with the line that repeats it", () => {
  const sweep = new Sweep("torn lines");
  sweep.note("crash-mid 7", ["a record is gone"]);
  expect(sweep.end().join("\n")).toMatch(/^crash-mid 7: a record is gone\nagain with: TEST_SEED=\d+ bun test/);
});
