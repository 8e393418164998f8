// Tests of another version of a report, written anew as the asker wishes.
import { expect, setDefaultTimeout, test } from "bun:test";
import { generateReport } from "../../src/operations/report/generate-report.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { asksFor, type Answer, type SeenRequest } from "../models/answers.ts";
import { codeOf } from "../operations/made-run.ts";
import { LiveRun } from "./live-run.ts";
import { citationsOf, named, pageOf, submits, taskOf, wellBehaved } from "./well-behaved.ts";

setDefaultTimeout(600_000);

const WISH = "shorter, for the board";

/** Writes one sentence where it reads the wish. */
function heeds(request: SeenRequest): Answer {
  const task = taskOf(request);
  const isWished = task.messages.some(({ content }) => content.includes(`wishes for this version: "${WISH}"`));
  if (task.who !== "draft" || !isWished) return wellBehaved(request);
  return asksFor(named(task, [submits({ page: pageOf(citationsOf(task).slice(0, 1)) })]));
}

test.each(["quick", "standard"] as const)(
  "a %s report is written anew from the same evidence, and verifies",
  async (mode) => {
    await using live = await LiveRun.open({ mode, script: heeds });
    const first = await live.start();
    expect(first.error).toBeNull();
    const before = live.server.requests.length;
    const { result, error } = await generateReport(live.ports, live.runRoot, {}, { instruction: WISH });
    expect([error, result.version_index, result.partial, result.claims]).toEqual([null, 2, false, 1]);
    expect(result.instruction).toBe(WISH);
    expect(live.report(2)).toContain(`- Written anew as it was wished: “${WISH}”.`);
    const tasks = live.server.requests.slice(before).map((request) => taskOf(request).who);
    expect(new Set(tasks)).toEqual(new Set(["draft", "verify"]));
    expect(await codeOf(verifyRun(live.ports, live.runRoot))).toBe("no error");
  },
);

test("an instruction needs a writer, and a completed run", async () => {
  await using local = await LiveRun.open({ driver: "local" });
  await local.start();
  expect(await codeOf(generateReport(local.ports, local.runRoot, {}, { instruction: WISH }))).toBe("INVALID_STATE");
  await using halted = await LiveRun.open({ budgets: { max_calls: 13 } });
  expect((await halted.start()).error?.code).toBe("BUDGET_EXCEEDED");
  expect(await codeOf(generateReport(halted.ports, halted.runRoot, {}, { instruction: WISH }))).toBe("INVALID_STATE");
});

test("control: without an instruction a completed run gives the page that it has, and asks nobody", async () => {
  await using live = await LiveRun.open({ mode: "quick", script: heeds });
  await live.start();
  const before = live.server.requests.length;
  const { result } = await generateReport(live.ports, live.runRoot, {});
  expect([live.server.requests.length - before, result.instruction]).toEqual([0, undefined]);
});
