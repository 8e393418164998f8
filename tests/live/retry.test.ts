// `verify --retry`: what a verifier that was throttled could not judge is judged once more, and nothing else is.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { retryChecks } from "../../src/operations/retry-checks.ts";
import { claimsOf, reportSchema, type Report } from "../../src/run/report.ts";
import { rateLimited, SERVER_ERROR, type Script } from "../models/answers.ts";
import { LiveRun } from "./live-run.ts";
import { taskOf, wellBehaved } from "./well-behaved.ts";

setDefaultTimeout(60_000);

const LIMITS = { max_perspectives: 2, results_per_query: 4, max_quotes_per_subject: 4 };

/** A run whose verifier is throttled for as long as `isThrottled` says so. */
async function withVerifier(isThrottled: () => boolean, limits = {}): Promise<LiveRun> {
  const script: Script = (request) =>
    taskOf(request).who === "verify" && isThrottled() ? rateLimited("0.01") : wellBehaved(request);
  return await LiveRun.open({ script, limits: { ...LIMITS, ...limits } });
}

function reportOf(live: LiveRun, version: number): Report {
  return reportSchema.parse(JSON.parse(live.report(version).split("\n").at(-2) ?? ""));
}

describe("a run that is stopped at its citations", () => {
  test("has those checked again that could not be, goes on, and ends as it would have", async () => {
    let isThrottled = true;
    await using live = await withVerifier(() => isThrottled);
    const { error: blocked, run: halted } = await live.start();
    expect(blocked?.code).toBe("GATE_BLOCKED");
    expect(halted?.manifest.halt?.next_commands[0]).toContain(`verify ${live.runRoot} --retry`);
    // Judging the gate again changes nothing: the verdicts are what they are.
    expect((await live.resume()).error?.code).toBe("GATE_BLOCKED");
    isThrottled = false;
    const { result, error, run } = await retryChecks(live.ports, live.runRoot, {});
    expect(error).toBeNull();
    expect(result).toMatchObject({ still_not_checked: 0, report: null });
    expect(result.retried).toBeGreaterThan(0);
    expect(run?.manifest.stage.current).toBe("summaries");
    expect((await live.resume()).error).toBeNull();
    expect(await live.isStrict()).toBe(true);
    await using other = await withVerifier(() => false);
    await other.start();
    expect(live.report()).toBe(other.report());
  });

  test("halts again while nothing has changed", async () => {
    await using live = await withVerifier(() => true);
    await live.start();
    const { result, error } = await retryChecks(live.ports, live.runRoot, {});
    expect(error?.code).toBe("GATE_BLOCKED");
    expect(result.still_not_checked).toBe(result.retried);
  });
});

test("a verifier that fails for a moment is asked again, and nothing halts", async () => {
  let failures = 0;
  await using live = await LiveRun.open({
    script: (request) => (taskOf(request).who === "verify" && failures++ === 0 ? SERVER_ERROR : wellBehaved(request)),
    limits: LIMITS,
  });
  expect((await live.start()).error).toBeNull();
  expect(failures).toBeGreaterThan(1);
});

describe("a report with claims that were not checked", () => {
  test("gets a further version with the verdicts; the one before stays as it was", async () => {
    let isThrottled = true;
    await using live = await withVerifier(() => isThrottled, { max_unsupported_share: 1 });
    expect((await live.start()).error).toBeNull();
    const first = live.report(1);
    const unchecked = claimsOf(reportOf(live, 1)).filter(({ verdict }) => verdict === "not_checked");
    expect(unchecked.length).toBeGreaterThan(0);
    isThrottled = false;
    const { result } = await retryChecks(live.ports, live.runRoot, {});
    expect(result).toMatchObject({
      retried: unchecked.length,
      still_not_checked: 0,
      report: { version_index: 2, trigger_type: "manual", partial: false },
    });
    expect(live.report(1)).toBe(first);
    const judged = claimsOf(reportOf(live, 2));
    expect(reportOf(live, 2).notes?.at(-1)).toContain("strength and gaps were counted before that");
    expect(judged.filter(({ verdict }) => verdict !== "supported")).toEqual([]);
    expect(judged.map(({ text, quotes }) => [text, quotes])).toEqual(
      claimsOf(reportOf(live, 1)).map(({ text, quotes }) => [text, quotes]),
    );
    expect((await retryChecks(live.ports, live.runRoot, {})).result).toMatchObject({ retried: 0, report: null });
  });

  test("gets none while nothing has changed", async () => {
    await using live = await withVerifier(() => true, { max_unsupported_share: 1 });
    await live.start();
    const { result, run } = await retryChecks(live.ports, live.runRoot, {});
    expect(result.retried).toBeGreaterThan(0);
    expect(result).toMatchObject({ still_not_checked: result.retried, report: null });
    expect(run?.manifest.report_versions).toHaveLength(1);
  });
});
