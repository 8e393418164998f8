// A run whose owner is frozen at any effect, past its lease, while a rival finishes the run; then the owner goes on.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { frozenAt } from "./frozen-owner.ts";
import { newRunWorld, uninterrupted, WAYS, type Reference } from "./run-checks.ts";
import type { ProcessOptions } from "./run-world.ts";
import { withoutExclusiveLink } from "./run-sweeps.ts";
import { control, numbersTo, sweep, SWEEP_TIMEOUT_MS } from "./sweep.ts";

setDefaultTimeout(SWEEP_TIMEOUT_MS);

let reference: Reference;
beforeAll(async () => {
  reference = await uninterrupted();
});

const frozen = (at: number, drawn: number, options?: ProcessOptions): Promise<string[]> =>
  frozenAt(newRunWorld(), reference, { at, way: WAYS[drawn % WAYS.length] ?? "run" }, options);

describe("frozen at any effect past its lease, while a rival finishes the run", () => {
  test("the owner overwrites nothing and ends with a lost lease (L1)", async () =>
    expect(
      await sweep("frozen at every effect while a rival finishes", numbersTo(reference.trace.length), 20, frozen),
    ).toEqual([]));

  test("what it then appends, one record or several at once, counts for nothing and harms nothing (L1)", async () => {
    const { trace } = reference;
    const commits = numbersTo(trace.length).filter(
      (at) => trace[at - 1]?.effect === "write" && trace[at - 1]?.path.endsWith("/journal.jsonl"),
    );
    expect(await sweep("frozen before every commit", commits, 14, frozen)).toEqual([]);
  });

  test("also right behind its first record, before it has looked at what it owns (L1)", async () => {
    const first = reference.trace.findIndex(
      ({ effect, path }) => effect === "write" && path.endsWith("/journal.jsonl"),
    );
    expect(first).toBeGreaterThan(0);
    for (let at = first; at < first + 45; at += 3) expect([at, await frozen(at, at)]).toEqual([at, []]);
  });

  test("control: with links that take a name from its holder, the late owner overwrites what the rival stored", async () => {
    const { trace } = reference;
    const links = numbersTo(trace.length).filter(
      (at) => trace[at - 1]?.effect === "link" && trace[at - 1]?.path.includes("/sources/"),
    );
    const guardless = (at: number, index: number) => frozen(at, index, { wrapFiles: withoutExclusiveLink });
    expect(await control(links, guardless)).toContain("the late owner changed");
  });
});
