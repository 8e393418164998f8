// Tests of a halt for a spent budget: it says if there is a report, or why not, and gives plain figures.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { asCommands } from "../../src/surface/advice.ts";
import { errorReport } from "../../src/surface/error-report.ts";
import type { Budgets } from "../../src/run/settings/settings.ts";
import type { Answer, MessageAnswer, SeenRequest } from "../models/answers.ts";
import { LiveRun } from "./live-run.ts";
import { wellBehaved } from "./well-behaved.ts";

setDefaultTimeout(600_000);

const TOKENS = [13_400, 13_800];

/** Starts a run that halts: its facts, its printed hint, how many versions and sources it has. */
async function haltedBy(budgets: Budgets) {
  await using live = await LiveRun.open({ budgets });
  const { error, run } = await live.start();
  if (error === null || run === null) throw new Error("it did not halt");
  const { hint } = errorReport(error, asCommands({ cliInvocation: "deep-research" }), live.runRoot, run).error;
  const { report_versions, counters } = run.manifest;
  return { code: error.code, facts: error.facts, hint, versions: report_versions.length, sources: counters.sources };
}

describe("a halt without a report says why there is none", () => {
  test("when nothing was found", async () => {
    const { code, facts, hint, versions } = await haltedBy({ max_calls: 1 });
    expect([code, versions]).toEqual(["BUDGET_EXCEEDED", 0]);
    expect(facts["no_report"]).toBe("no step has finished with a quote yet, and a report needs quotes");
    expect(hint).not.toContain("report show");
  });

  test("when sources were stored and no quote is recorded yet", async () => {
    // A plan, and for each of two perspectives a search and what it opens.
    const { facts, hint, versions, sources } = await haltedBy({ max_calls: 6 });
    expect(versions).toBe(0);
    expect(sources).toBeGreaterThan(1);
    expect(facts["no_report"]).toEndWith(`; stored so far: ${sources} sources`);
    expect(hint).not.toContain("report show");
  });

  test("control: a halt names its report when something was found", async () => {
    const { facts, hint, versions } = await haltedBy({ max_calls: 13 });
    expect([versions, facts["no_report"]]).toEqual([1, undefined]);
    expect(hint).toContain("report show");
  });
});

describe("a bare resume at a spent budget", () => {
  /** A halted run with a report of the models: what each resume asked them, and how many versions there were. */
  async function resumed(tokens: number, more: Budgets[]) {
    const spends = (request: SeenRequest): Answer => ({
      ...(wellBehaved(request) as MessageAnswer),
      usage: { input: 500, output: 100 },
    });
    await using live = await LiveRun.open({ script: spends, budgets: { max_tokens: tokens } });
    expect((await live.start()).error?.code).toBe("BUDGET_EXCEEDED");
    const asked: number[] = [];
    const versions: number[] = [];
    for (const budgets of more) {
      const before = live.server.requests.length;
      const { error, run } = await live.resume(Object.keys(budgets).length === 0 ? {} : { budgets });
      expect(error?.code).toBe("BUDGET_EXCEEDED");
      expect(error?.facts["no_report"]).toBeUndefined();
      asked.push(live.server.requests.length - before);
      versions.push(run?.manifest.report_versions.length ?? 0);
    }
    return { asked, versions };
  }

  test("asks no model when there is a report of all that was found", async () => {
    for (const tokens of TOKENS) {
      const { asked, versions } = await resumed(tokens, [{}, {}, {}]);
      expect([asked, versions]).toEqual([
        [0, 0, 0],
        [1, 1, 1],
      ]);
    }
  });

  test("control: makes another report when more was found since", async () => {
    const { asked, versions } = await resumed(13_400, [{}, { max_tokens: 100_000, max_calls: 16 }, {}]);
    expect(asked[1]).toBeGreaterThan(0);
    expect([asked[2], versions]).toEqual([0, [1, 2, 2]]);
  });
});

describe("figures", () => {
  test("of money have no noise", async () => {
    const { facts } = await haltedBy({ max_cost_usd: 0.07 });
    expect(facts["held_back"]).toBe(0.0105);
    expect(facts["would_be"]).toBe(Number(Number(facts["would_be"]).toFixed(8)));
  });

  test("of what is spent are those at the halt", async () => {
    await using live = await LiveRun.open({ budgets: { max_calls: 6 } });
    const { error, run } = await live.start();
    expect(error?.facts["usage"]).toMatchObject({ calls: 5, tokens: run?.manifest.usage.tokens, reserved_usd: 0 });
  });

  test("of calls are whole", async () => {
    expect((await haltedBy({ max_calls: 12 })).facts).toMatchObject({ held_back: 2, limit: 12, would_be: 11 });
  });
});
