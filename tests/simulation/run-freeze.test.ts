// A run whose owner is frozen at any effect, past its lease, while a rival finishes the run; then the owner goes on.
import { beforeAll, describe, expect, test } from "bun:test";
import { codeOf, isSuccess, RUN_ROOT, type ProcessOptions } from "./run-world.ts";
import {
  afterRecovery,
  goOn,
  LEASE,
  newRunWorld,
  overwritten,
  start,
  uninterrupted,
  WAYS,
  type Reference,
} from "./run-checks.ts";
import { numbersTo, sample, sweep, SWEEP_TIMEOUT_MS, withoutExclusiveLink } from "./run-sweeps.ts";

let reference: Reference;
beforeAll(async () => {
  reference = await uninterrupted();
});

/** Exit 13. */
const LOST: ReadonlySet<string> = new Set(["LOCK_LOST", "LOCK_NOT_HELD", "LOCK_NOT_OWNED"]);

async function frozen(at: number, index: number, options?: ProcessOptions): Promise<string[]> {
  const world = newRunWorld();
  const owner = world.process("owner", options);
  const { files } = owner.actor;
  files.plan({ kind: "freeze", at });
  const ending = start(owner);
  await Promise.race([files.whenFrozen(), ending]);
  const kinds = world.outside.announced.map(({ kind }) => kind);
  // From idle to running, and from running to completed.
  const [hadBegun, hadEnded] = [
    kinds.includes("lease.taken"),
    kinds.filter((kind) => kind === "state.changed").length > 1,
  ];
  await world.world.clock.advance((LEASE.lease_seconds + 1) * 1000);
  const rival = await goOn(world, WAYS[index % WAYS.length] ?? "run");
  // A frozen process cannot know that a step was finished meanwhile: what it begins when it goes on counts for nothing.
  const performed = world.outside.performances.length;
  const violations = isSuccess(rival) ? [] : [`the rival ends with ${codeOf(rival)}`];
  const before = world.world.disk.snapshot();
  // Where the last record of the owner was already written, the rival finds the run ended and takes nothing over.
  const journal = world.world.disk.text(`${RUN_ROOT}/journal.jsonl`) ?? "";
  const owners = journal.split('"kind":"lease.taken"').length - 1;
  files.thaw();
  const late = await ending;
  world.outside.performances.length = performed;
  const code = codeOf(late);
  if (hadBegun && !hadEnded && owners > 1 && !LOST.has(code)) violations.push(`the late owner ends with ${code}`);
  if (late.kind === "bug") violations.push(code);
  return [...violations, ...overwritten(world, before), ...(await afterRecovery(world, reference, rival))];
}

describe("frozen at any effect past its lease, while a rival finishes the run", () => {
  test(
    "the owner overwrites nothing and ends with a lost lease (L1)",
    async () => expect(await sweep("freeze", sample(numbersTo(reference.trace.length), 20, 5), frozen)).toEqual([]),
    SWEEP_TIMEOUT_MS,
  );

  test(
    "what it then appends, one record or several at once, counts for nothing and harms nothing (L1)",
    async () => {
      const { trace } = reference;
      const commits = numbersTo(trace.length).filter(
        (at) => trace[at - 1]?.effect === "write" && trace[at - 1]?.path.endsWith("/journal.jsonl"),
      );
      expect(await sweep("freeze before a commit", sample(commits, 14), frozen)).toEqual([]);
    },
    SWEEP_TIMEOUT_MS,
  );

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
    expect((await sweep("control", links, guardless)).join()).toContain("the late owner changed");
  });
});
