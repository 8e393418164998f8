// Tests of `verify --retry`: what a throttled verifier could not judge is judged again, and nothing else is.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { forkRun } from "../../src/operations/make/fork-run.ts";
import { generateReport } from "../../src/operations/report/generate-report.ts";
import { initRun } from "../../src/operations/make/init-run.ts";
import { pauseRun } from "../../src/operations/change/stop-run.ts";
import { retryChecks } from "../../src/operations/change/retry-checks.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import type { RunLog } from "../../src/ports/run-log.ts";
import { stateChange } from "../../src/run/log/lifecycle.ts";
import { reportSchema } from "../../src/run/report/stored-report.ts";
import type { Report } from "../../src/run/report/report.ts";
import { claimsOf } from "../../src/run/report/statements.ts";
import type { Request } from "../../src/run/log/request.ts";
import { citationsSchema, type Citation } from "../../src/run/report/research.ts";
import { asksFor, OUT_OF_QUOTA, rateLimited, SERVER_ERROR } from "../models/answers.ts";
import type { Answer, Script, SeenRequest } from "../models/answers.ts";
import { LiveRun } from "./live-run.ts";
import { judges, named, researchCalls, taskOf, wellBehaved } from "./well-behaved.ts";

setDefaultTimeout(600_000);

const LIMITS = { max_perspectives: 2, results_per_query: 4, max_quotes_per_subject: 4 };

/** A run whose verifier is throttled for as long as `isThrottled` says so. */
async function withVerifier(isThrottled: () => boolean, limits = {}): Promise<LiveRun> {
  const script: Script = (request) =>
    taskOf(request).who === "verify" && isThrottled() ? rateLimited("0.01") : wellBehaved(request);
  return await LiveRun.open({ script, limits: { ...LIMITS, ...limits } });
}

const PAUSE: Request = {
  schema_version: "request.v1",
  request_id: "pause-abcdef123456",
  kind: "pause",
  reason: "the laptop is needed",
  requested_at: "2026-01-01T00:00:00.000Z",
};

function statementsOf(request: Pick<SeenRequest, "body">): string[] {
  const task = taskOf(request);
  if (task.who !== "verify") return [];
  return (JSON.parse(task.user) as { statements: { id: string }[] }).statements.map(({ id }) => id);
}

/** More sentences than a verifier is asked of at once. */
const SENTENCES = Array.from(
  { length: 62 },
  (_, index) => `Options of kind K${index} are parsed from the command line, and errors in them are reported at once.`,
);
const MANY = {
  documents: new Map([["options.md", `# Options\n\n${SENTENCES.join("\n\n")}\n`]]),
  limits: { ...LIMITS, max_quotes_per_subject: SENTENCES.length },
};

/** Quotes every sentence. */
function quotesAll(request: Pick<SeenRequest, "body">): Answer {
  const task = taskOf(request);
  const calls = researchCalls(task).flatMap((call) =>
    call.name !== "quote"
      ? [call]
      : SENTENCES.map((text) => ({
          ...call,
          arguments: { ...(call.arguments as object), text, statement: `It is said: ${text}` },
        })),
  );
  return asksFor(named(task, calls));
}

/** Contradicts the first of two batches; of the second one, it is away. */
function isDivided(request: Pick<SeenRequest, "body">): Answer {
  return statementsOf(request).some((id) => id.endsWith("-q1")) ? judges(request, "contradicted") : rateLimited("0.01");
}

async function citationsOf({ ports: { store }, ...live }: LiveRun, runRoot = live.runRoot): Promise<Citation[]> {
  const steps = await store.readSteps(await store.look(runRoot), "citations");
  const results = Object.values(steps).flatMap(({ result }) => (result === undefined ? [] : [result]));
  const checked = await Promise.all(
    results.map(async (ref) => citationsSchema.parse(await store.readResult(runRoot, ref))),
  );
  return checked.flatMap(({ citations }) => citations);
}

/** As an owner leaves it that is killed in a tick. */
async function leaveOpen({ ports, runRoot }: LiveRun): Promise<void> {
  const acquired = await ports.store.acquire(runRoot);
  if (acquired.kind === "held") throw new Error("somebody holds the run");
  const { writer } = acquired;
  const tick = writer.manifest.tick.number + 1;
  const { state } = await ports.store.look(runRoot);
  if (state === "paused") await writer.commit([stateChange("paused", "running", "resume")]);
  const started = { tick, tool_version: ports.toolVersion, uptime_ms: 0, boot_id: "" };
  await writer.commit([{ kind: "tick.started", data: started }]);
  await writer.release();
}

/** A store whose owner begins to work once requests were looked for. */
function lookingFirst(store: RunLog): RunLog {
  const acquire: RunLog["acquire"] = async (...asked) => {
    const acquired = await store.acquire(...asked);
    if (acquired.kind === "held") return acquired;
    const { writer } = acquired;
    const looked = Promise.withResolvers<void>();
    const [requests, repairFolds] = [writer.requests.bind(writer), writer.repairFolds.bind(writer)];
    writer.requests = async () => {
      const found = await requests();
      setTimeout(looked.resolve);
      return found;
    };
    writer.repairFolds = async () => {
      await looked.promise;
      return await repairFolds();
    };
    return acquired;
  };
  return new Proxy(store, { get: (target, name) => (name === "acquire" ? acquire : boundTo(target, name)) });
}

function boundTo(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === "function" ? value.bind(target) : value;
}

function reportOf(live: LiveRun, version: number): Report {
  return reportSchema.parse(JSON.parse(live.report(version).split("\n").at(-2) ?? ""));
}

describe("a run that is stopped at its citations", () => {
  test("checks again those that could not be checked, goes on, and ends with the same report", async () => {
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

  test("keeps every verdict that was given, even when judging is cut off", async () => {
    let verifier: "divided" | "away" | "kind" = "divided";
    const script: Script = (request) => {
      const { who } = taskOf(request);
      if (who !== "verify") return who === "research" ? quotesAll(request) : wellBehaved(request);
      if (verifier === "away") return OUT_OF_QUOTA;
      return verifier === "divided" ? isDivided(request) : judges(request, "supported");
    };
    await using live = await LiveRun.open({ script, ...MANY });
    expect((await live.start()).error?.code).toBe("GATE_BLOCKED");
    const before = await citationsOf(live);
    const open = before.filter(({ verdict }) => verdict === "not_checked").map(({ citation_id }) => citation_id);
    expect(open.length).toBeGreaterThan(0);
    expect(before.filter(({ verdict }) => verdict === "contradicted").length).toBeGreaterThan(0);
    verifier = "away";
    const cutOff = await retryChecks(live.ports, live.runRoot, {});
    expect(cutOff.error?.code).toBe("QUOTA_EXCEEDED");
    expect(cutOff.result).toMatchObject({ retried: open.length, still_not_checked: open.length });
    expect(await citationsOf(live)).toEqual(before);
    verifier = "kind";
    const wanted = before.map(({ verdict }) => (verdict === "not_checked" ? "supported" : verdict));
    const fork = await forkRun(live.ports, live.runRoot, { runsRoot: live.runsRoot, runId: "dr_fork" }, {});
    const checkRest = async (runRoot: string, work: () => Promise<unknown>): Promise<void> => {
      const asked = live.server.requests.length;
      await work();
      expect(live.server.requests.slice(asked).flatMap(statementsOf).toSorted()).toEqual(open.toSorted());
      expect((await citationsOf(live, runRoot)).map(({ verdict }) => verdict)).toEqual(wanted);
    };
    const forked = fork.result.run_root;
    await checkRest(forked, () => runRun(live.ports, forked, {}, {}));
    await checkRest(live.runRoot, async () => {
      const { result } = await retryChecks(live.ports, live.runRoot, {});
      expect(result).toMatchObject({ retried: open.length, still_not_checked: 0 });
    });
  });

  test("is left paused when it is paused, and nothing is asked", async () => {
    await using live = await withVerifier(() => true);
    await live.start();
    await pauseRun(live.ports, live.runRoot, { waitSeconds: 5 });
    const { manifest } = await live.ports.store.look(live.runRoot);
    const asked = live.server.requests.length;
    const refused = retryChecks(live.ports, live.runRoot, {});
    expect(await refused.catch((error: unknown) => error)).toMatchObject({ code: "PAUSED" });
    const after = await live.ports.store.look(live.runRoot);
    expect([after.state, after.manifest.revision]).toEqual(["paused", manifest.revision]);
    expect(live.server.requests).toHaveLength(asked);
    expect((await live.tick()).error?.code).toBe("PAUSED");
  });

  test("heeds a pause that was requested, and says how much is left", async () => {
    await using live = await withVerifier(() => true);
    await live.start();
    await live.ports.store.request(live.runRoot, PAUSE);
    const { error, result, run } = await retryChecks(live.ports, live.runRoot, {});
    expect([error?.code, run?.state]).toEqual(["PAUSED", "paused"]);
    expect(result.retried).toBeGreaterThan(0);
    expect(result.still_not_checked).toBe(result.retried);
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
  test("gets a further version with the verdicts, and the version before stays as it was", async () => {
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
    expect(reportOf(live, 2).made.notes.at(-1)).toContain("judged once more for this version");
    expect(judged.filter(({ verdict }) => verdict !== "supported")).toEqual([]);
    expect(judged.map(({ text, quotes }) => [text, quotes])).toEqual(
      claimsOf(reportOf(live, 1)).map(({ text, quotes }) => [text, quotes]),
    );
    expect((await retryChecks(live.ports, live.runRoot, {})).result).toMatchObject({ retried: 0, report: null });
  });

  test("gets no version with contradicted claims alone, and is told why", async () => {
    let isThrottled = true;
    const script: Script = (request) => {
      if (taskOf(request).who !== "verify") return wellBehaved(request);
      return isThrottled ? rateLimited("0.01") : judges(request, "contradicted");
    };
    await using live = await LiveRun.open({ script, limits: { ...LIMITS, max_unsupported_share: 1 } });
    expect((await live.start()).error).toBeNull();
    isThrottled = false;
    const { result, run } = await retryChecks(live.ports, live.runRoot, {});
    expect(result).toMatchObject({ still_not_checked: 0, report: null });
    expect(result.retried).toBe(claimsOf(reportOf(live, 1)).length);
    expect(result.why_no_report).toContain("every claim of the report is contradicted by its quotes");
    expect(run?.manifest.report_versions).toHaveLength(1);
  });

  test("is judged although its owner was killed while a pause was requested, and the pause still waits", async () => {
    let throttled: "always" | "once" | "never" = "always";
    const script: Script = (request) => {
      if (taskOf(request).who !== "verify" || throttled === "never") return wellBehaved(request);
      if (throttled === "always") return rateLimited("0.01");
      throttled = "never";
      return rateLimited("0.6");
    };
    await using live = await LiveRun.open({ script, limits: { ...LIMITS, max_unsupported_share: 1 } });
    await initRun(live.ports, live.initOptions(), {});
    await runRun(live.ports, live.runRoot, { untilStage: "summaries" }, {});
    await pauseRun(live.ports, live.runRoot, { waitSeconds: 5 });
    const generated = await generateReport(live.ports, live.runRoot, {});
    const unchecked = generated.result.not_checked ?? 0;
    expect(unchecked).toBeGreaterThan(0);
    await leaveOpen(live);
    await live.ports.store.request(live.runRoot, PAUSE);
    throttled = "once";
    const { result, run } = await retryChecks(live.ports, live.runRoot, {});
    expect(result).toMatchObject({ retried: unchecked, still_not_checked: 0, report: { version_index: 2 } });
    expect([run?.state, run?.requests.map(({ kind }) => kind)]).toEqual(["interrupted", ["pause"]]);
  });

  test("stays paused when the pause came before it was known that the owner is gone", async () => {
    let isThrottled = true;
    await using live = await withVerifier(() => isThrottled, { max_unsupported_share: 1 });
    await initRun(live.ports, live.initOptions(), {});
    await runRun(live.ports, live.runRoot, { untilStage: "summaries" }, {});
    await pauseRun(live.ports, live.runRoot, { waitSeconds: 5 });
    await generateReport(live.ports, live.runRoot, {});
    await leaveOpen(live);
    await live.ports.store.request(live.runRoot, PAUSE);
    isThrottled = false;
    const ports = { ...live.ports, store: lookingFirst(live.ports.store) };
    const refused = await retryChecks(ports, live.runRoot, {}).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "PAUSED" });
    const { state, requests, manifest } = await live.ports.store.look(live.runRoot);
    expect([state, requests, manifest.report_versions.length]).toEqual(["paused", [], 1]);
  });

  test("gets no version while nothing has changed", async () => {
    await using live = await withVerifier(() => true, { max_unsupported_share: 1 });
    await live.start();
    const { result, run } = await retryChecks(live.ports, live.runRoot, {});
    expect(result.retried).toBeGreaterThan(0);
    expect(result).toMatchObject({ still_not_checked: result.retried, report: null });
    expect(result.why_no_report).toContain("the same");
    expect(run?.manifest.report_versions).toHaveLength(1);
  });
});
