// Tests of reserved money: it is shown beside what is spent, and nothing stays reserved in a run that has ended.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { abortRun } from "../../src/operations/change/stop-run.ts";
import { listRuns } from "../../src/operations/look/list-runs.ts";
import { spendingOf } from "../../src/operations/look/spending.ts";
import { watchRun } from "../../src/operations/change/watchdog.ts";
import type { Manifest } from "../../src/run/log/manifest.ts";
import type { Crash } from "./crashes.ts";
import { LiveRun } from "./live-run.ts";
import { riskyModel } from "./risky-model.ts";
import { wellBehaved } from "./well-behaved.ts";
import type { WorkerOptions } from "./worker.ts";

setDefaultTimeout(600_000);

const CALLING: Crash = { at: "after", kind: "usage.reserved", nth: 3 };

/** A process works on the run and is killed when its third call is reserved. */
async function killedInACall(): Promise<LiveRun> {
  const live = await LiveRun.open({ script: riskyModel });
  const { runsRoot, corpus, server } = live;
  const given: WorkerOptions = { crash: CALLING, riskyUrl: server.baseUrl, runsRoot, corpus, baseUrl: server.baseUrl };
  const worker = join(import.meta.dir, "worker.ts");
  const child = Bun.spawn([process.execPath, worker, JSON.stringify(given)], { stdout: "ignore", stderr: "inherit" });
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  return live;
}

async function manifestOf(live: LiveRun): Promise<Manifest> {
  return (await live.ports.store.look(live.runRoot)).manifest;
}

async function expectSettled(live: LiveRun, state: Manifest["execution_state"]): Promise<void> {
  const { usage, execution_state } = await manifestOf(live);
  expect([execution_state, usage.reserved_usd, usage.reserved_tokens]).toEqual([state, 0, 0]);
  const lost = (await live.dataOf("usage.settled")).filter(({ outcome }) => outcome === "lost");
  expect(lost).toHaveLength(1);
  // Never less than what may have been spent.
  expect(lost[0]).toMatchObject({ tokens: lost[0]?.reserved.tokens, cost_usd: lost[0]?.reserved.cost_usd });
  const spending = await spendingOf(live.ports, await live.ports.store.look(live.runRoot));
  expect(spending.lost).toMatchObject({ calls: 1, tokens: lost[0]?.tokens ?? 0, reserved_usd: 0 });
}

describe("a call that a crash cut off", () => {
  test("stays reserved, beside what is spent, until somebody settles it", async () => {
    await using live = await killedInACall();
    const { usage } = await manifestOf(live);
    const [settled, [reserved]] = [await live.dataOf("usage.settled"), (await live.dataOf("usage.reserved")).slice(-1)];
    expect(usage.reserved_tokens).toBe(reserved?.tokens);
    expect(usage.tokens).toBe(settled.reduce((sum, { tokens }) => sum + tokens, 0));
    const { runs } = (await listRuns(live.ports, live.runsRoot)).result;
    expect(runs).toMatchObject([{ usage: { tokens: usage.tokens, reserved_tokens: usage.reserved_tokens } }]);
  });

  test("is settled as lost by an abort", async () => {
    await using live = await killedInACall();
    await abortRun(live.ports, live.runRoot, { waitSeconds: 10 });
    await expectSettled(live, "aborted");
  });

  test("is settled as lost by a watchdog that ends the run", async () => {
    await using live = await killedInACall();
    await watchRun(live.ports, live.runRoot, { strict: true, nowMs: Date.now() + 30 * 86_400_000 });
    await expectSettled(live, "failed");
  });
});

test("a call that an abort cut off is settled by its owner", async () => {
  const silent = Promise.withResolvers<void>();
  await using live = await LiveRun.open({
    script: async (request) => {
      if (request.number === 2) await silent.promise;
      return wellBehaved(request);
    },
    limits: { max_perspectives: 1 },
  });
  const work = live.start();
  await live.server.arrived(2);
  await abortRun(live.ports, live.runRoot, { waitSeconds: 30 });
  silent.resolve();
  expect((await work).error?.code).toBe("RUN_TERMINAL");
  const { usage } = await manifestOf(live);
  expect([usage.reserved_usd, usage.reserved_tokens]).toEqual([0, 0]);
  expect((await live.dataOf("usage.settled")).some(({ outcome }) => outcome === "lost")).toBe(true);
});
