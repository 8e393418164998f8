// Tests of a server that does not say what calls used: they are counted, sums are upper bounds, and the metadata says so.
import { expect, setDefaultTimeout, test } from "bun:test";
import { inspectRun } from "../../src/operations/look/inspect-run.ts";
import type { MessageAnswer, SeenRequest } from "../models/answers.ts";
import { LiveRun } from "./live-run.ts";
import { wellBehaved } from "./well-behaved.ts";

setDefaultTimeout(600_000);

async function runOf(isSilent: (request: SeenRequest) => boolean) {
  await using live = await LiveRun.open({
    script: (request) => ({
      ...(wellBehaved(request) as MessageAnswer),
      ...(isSilent(request) ? { usage: null } : {}),
    }),
  });
  const { run, error } = await live.start();
  expect(error).toBeNull();
  const { spending } = (await inspectRun(live.ports, live.runRoot)).result;
  const reserved = (await live.dataOf("usage.reserved")).reduce((sum, { tokens }) => sum + tokens, 0);
  return { usage: run?.manifest.usage, version: run?.manifest.report_versions.at(-1)?.usage, spending, reserved };
}

test("calls without figures are told everywhere, and cost far less than was reserved", async () => {
  const { usage, version, spending, reserved } = await runOf(() => true);
  const calls = usage?.calls ?? 0;
  expect(calls).toBeGreaterThan(5);
  expect([usage?.estimated_calls, version?.estimated_calls, spending.run.estimated_calls]).toEqual([
    calls,
    calls,
    calls,
  ]);
  expect(
    Object.values(spending.stages).map(({ estimated_calls, calls: all }) => estimated_calls === all),
  ).not.toContain(false);
  // A reply may have 1,000 tokens, and these have some hundred at the most.
  expect(usage?.tokens).toBeLessThan(reserved - calls * 500);
});

test("control: nothing is said when all calls have figures", async () => {
  const { usage, version, spending } = await runOf(() => false);
  for (const said of [usage, version, spending.run]) expect(said?.estimated_calls).toBeUndefined();
});
