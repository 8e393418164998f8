// A value that is kept once it could be read.
import { expect, test } from "bun:test";
import { readOnce } from "../../src/kernel/read-once.ts";

test("a value is read once, for all who ask meanwhile and later", async () => {
  let reads = 0;
  const value = readOnce(async () => ++reads);
  expect(reads).toBe(0);
  expect(await Promise.all([value(), value()])).toEqual([1, 1]);
  expect(await value()).toBe(1);
});

test("where reading failed, whoever asks next reads again", async () => {
  let reads = 0;
  const value = readOnce(async () => {
    if (++reads === 1) throw new Error("the disk is away");
    return reads;
  });
  const first = await Promise.allSettled([value(), value()]);
  expect(first.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await value()).toBe(2);
});
