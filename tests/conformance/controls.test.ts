// Controls of the conformance suites: a log in memory with one guard taken out fails the cases that hold to it.
import { describe, expect, test } from "bun:test";
import { SimulatedWorld, type Actor } from "../simulation/world.ts";
import { testHandedOver } from "./handed-over.ts";
import { claimantOf } from "./memory-lease.ts";
import { memoryLog, type Memory } from "./memory-log.ts";
import type { MemoryGuard } from "./memory-writer.ts";
import { testOwners } from "./owners.ts";
import { testRunLog, type LogWorld } from "./run-log.ts";

/** Every case over a log without this guard, by its title. */
function casesWithout(without: MemoryGuard): Map<string, () => Promise<void>> {
  const makeWorld = async (): Promise<LogWorld> => {
    const world = new SimulatedWorld({ autoAdvance: true });
    const memory: Memory = new Map();
    let spawned = 0;
    const spawn = (): Actor => world.spawn(`process ${++spawned}`);
    const open = (actor: Actor) => memoryLog({ ...claimantOf(actor), without }, memory);
    return {
      store: open(spawn()),
      runsRoot: "/runs",
      otherProcess: () => open(spawn()),
      async dyingProcess(work) {
        const actor = spawn();
        await work(open(actor));
        actor.kill();
      },
      clock: world.clock,
      advance: (ms) => world.clock.advance(ms),
      setNow: (ms) => world.clock.setNow(ms),
    };
  };
  const cases = new Map<string, () => Promise<void>>();
  for (const suite of [testRunLog, testOwners, testHandedOver])
    suite("", makeWorld, (title, work) => void cases.set(title, work));
  return cases;
}

const HELD_TO: Record<MemoryGuard, readonly string[]> = {
  fence: [
    "an expired lease is taken over; the old owner is LOCK_LOST and nothing of it counts",
    "a forced acquisition ends a live owner",
    "one after which another came and went is lost for good, whatever it tries",
    "commits that wait in line when the owner is superseded are refused, every one",
    "after LOCK_LOST an owner reads on, but stores nothing",
    "what a successor stored and named stays, also where a late owner stores under the same name",
  ],
  held: [
    "a held lease is held: by whom, and until when",
    "of many that acquire at once, one does",
    "of many that claim one lease that ran out, one gets it, at the next epoch",
    "the release of one that was ended by force frees nothing of its successor",
  ],
  "one clock": ["times of a run do not go back, also where the clock does and another owner comes"],
  "own bytes": ["bytes are the store's own: neither who gave them nor who read them can change them afterwards"],
  purpose: ["the purpose of a lease is seen by others, also after it was claimed again"],
  "request names": ["one whose name another one has is not acknowledged, and the first stays"],
  sizes: ["one that names a hundred documents by long names is read; one that nobody would read is refused"],
};

describe("control: a log in memory", () => {
  for (const [guard, titles] of Object.entries(HELD_TO)) {
    const cases = casesWithout(guard as MemoryGuard);
    for (const title of titles)
      test(`without its guard "${guard}" fails: ${title}`, async () => {
        const work = cases.get(title);
        if (work === undefined) throw new Error("there is no such case");
        expect(
          await work().then(
            () => "it passed",
            () => "it failed",
          ),
        ).toBe("it failed");
      });
  }
});
