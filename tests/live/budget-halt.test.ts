// What a halt for a spent budget says: whether there is a report, why not, and figures without noise.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { shownError } from "../../src/cli/failure.ts";
import type { Budgets } from "../../src/run/settings.ts";
import { LiveRun } from "./live-run.ts";

setDefaultTimeout(60_000);

/** Starts a run that halts: its facts, its printed hint, how many versions and sources it has. */
async function haltedBy(budgets: Budgets) {
  await using live = await LiveRun.open({ budgets });
  const { error, run } = await live.start();
  if (error === null || run === null) throw new Error("it did not halt");
  const { hint } = shownError(error, "deep-research", live.runRoot);
  const { report_versions, counters } = run.manifest;
  return { code: error.code, facts: error.facts, hint, versions: report_versions.length, sources: counters.sources };
}

describe("without a report the halt says why, and names none to look at", () => {
  test("when nothing was found", async () => {
    const { code, facts, hint, versions } = await haltedBy({ max_calls: 1 });
    expect([code, versions]).toEqual(["BUDGET_EXCEEDED", 0]);
    expect(facts["no_report"]).toBe("no step has finished with a quote yet, and a report is made of quotes");
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

  test("control: where something was found it is there, and named", async () => {
    const { facts, hint, versions } = await haltedBy({ max_calls: 13 });
    expect([versions, facts["no_report"]]).toEqual([1, undefined]);
    expect(hint).toContain("report show");
  });
});

describe("figures", () => {
  test("of money have no noise", async () => {
    const { facts } = await haltedBy({ max_cost_usd: 0.07 });
    expect(facts["held_back"]).toBe(0.0105);
    expect(facts["would_be"]).toBe(Number(Number(facts["would_be"]).toFixed(8)));
  });

  test("of what is spent are those at the halt, not those when a call was refused", async () => {
    await using live = await LiveRun.open({ budgets: { max_calls: 6 } });
    const { error, run } = await live.start();
    expect(error?.facts["usage"]).toMatchObject({ calls: 5, tokens: run?.manifest.usage.tokens, reserved_usd: 0 });
  });

  test("of calls are whole", async () => {
    expect((await haltedBy({ max_calls: 13 })).facts).toMatchObject({ held_back: 2, limit: 13, would_be: 12 });
  });
});
