// Commands on a live run, killed at any effect and given again: a person settles a call, retries checks, raises a budget.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { forkRun } from "../../src/operations/make/fork-run.ts";
import { resumeRun } from "../../src/operations/change/resume-run.ts";
import { retryChecks } from "../../src/operations/change/retry-checks.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import { settleCall, type SettleOptions } from "../../src/operations/change/settle-call.ts";
import { ModelFailure } from "../../src/ports/model.ts";
import { askRun } from "../../src/operations/change/ask-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { asksFor } from "../models/answers.ts";
import { named, submits, taskOf } from "../live/well-behaved.ts";
import { isKilled, killedAnywhere, lookAt, unless, worked, type KilledCommand } from "./killed-commands.ts";
import { searchesAgain } from "./live-outside.ts";
import { liveViolations, newLiveWorld, outsideOf, recordsOf } from "./live-world.ts";
import { afterRecovery, goOn, start, uninterrupted, type Reference } from "./run-checks.ts";
import { SWEEP_TIMEOUT_MS } from "./sweep.ts";
import { RUN_ROOT, RUNS_ROOT, type RunProcess, type RunWorld } from "./run-world.ts";

setDefaultTimeout(SWEEP_TIMEOUT_MS);

let reference: Reference;
beforeAll(async () => {
  reference = await uninterrupted({}, newLiveWorld());
});

/** Goes on to the end of the run: it is the report of an uninterrupted one. */
async function endsWell(world: RunWorld): Promise<string[]> {
  return [...(await afterRecovery(world, reference, await goOn(world, "run"))), ...(await liveViolations(world))];
}

// --- settle -------------------------------------------------------------------------------------------------------

/** A run whose owner died inside a risky tool, so that it halted and asks. */
async function asking(): Promise<RunWorld> {
  const world = newLiveWorld();
  outsideOf(world).afterPost = (actor) => actor.kill();
  await start(world.process("dying"));
  outsideOf(world).afterPost = () => undefined;
  const { ports, observer } = world.process("asking");
  const { error } = await runRun(ports, RUN_ROOT, {}, observer);
  expect(error?.code).toBe("TOOL_OUTCOME_UNKNOWN");
  return world;
}

const settled =
  (as: SettleOptions["as"]) =>
  async ({ ports, observer }: RunProcess): Promise<unknown> => {
    const { halt } = (await ports.store.look(RUN_ROOT)).manifest;
    const call = halt?.schema_version === "halt.v1" ? String(halt.details["call"]) : "none";
    return await settleCall(ports, RUN_ROOT, { call, as }, observer);
  };

// --- verify --retry -----------------------------------------------------------------------------------------------

/** A run that is stopped at its citations, because its verifier could not be asked of quotes; now it can. */
async function unverified(): Promise<RunWorld> {
  const world = newLiveWorld();
  const outside = outsideOf(world);
  outside.script = (request) => {
    const { who, user } = taskOf(request);
    if (who === "verify" && user.includes('"document_text"'))
      throw new ModelFailure("bad_request", { reason: "not today" });
    return searchesAgain(request);
  };
  await worked({}, undefined, world);
  outside.script = searchesAgain;
  expect((await lookAt(world)).manifest).toMatchObject({ stage: { current: "citations" } });
  return world;
}

// --- budgets ------------------------------------------------------------------------------------------------------

/** Enough for the research and not for what follows. */
const SPENT_EARLY = { max_calls: 21 };

async function withBudget(untilSpent: boolean): Promise<RunWorld> {
  const world = newLiveWorld();
  outsideOf(world).asked = { ...outsideOf(world).asked, budgets: SPENT_EARLY };
  return await worked(untilSpent ? {} : { untilStage: "citations" }, undefined, world);
}

const raised = ({ ports, observer }: RunProcess): Promise<unknown> =>
  resumeRun(ports, RUN_ROOT, { budgets: { max_calls: 1_000 } }, observer);

async function violationsOfVersions(world: RunWorld): Promise<string[]> {
  await goOn(world, "run");
  const { state, manifest } = await lookAt(world);
  const versions = manifest.report_versions;
  const last = versions.at(-1);
  return [
    ...unless(state === "completed", `the run is ${state}`),
    ...unless(versions.filter(({ trigger_type }) => trigger_type === "budget").length === 1, "not one partial report"),
    ...unless(last?.trigger_type === "auto_natural_stop", "the last version is no natural end"),
    ...unless(last?.evidence_digest === reference.digests.evidence, "it rests on other evidence"),
    ...(await liveViolations(world)),
  ];
}

const CASES: Record<string, KilledCommand & { writes: string }> = {
  "settle --assume-done": {
    writes: "tool.completed",
    begin: asking,
    command: settled("assume_done"),
    doneAlready: "INVALID_STATE",
    violationsOf: endsWell,
  },
  "settle --replay": {
    writes: "tool.replay_allowed",
    begin: asking,
    command: settled("replay"),
    doneAlready: "INVALID_STATE",
    async violationsOf(world) {
      const violations = await endsWell(world);
      // The one call that a person let run once more.
      return violations.filter((violation) => !violation.startsWith("a risky tool was called twice"));
    },
  },
  "verify --retry": {
    writes: "step.reopened",
    begin: unverified,
    command: ({ ports, observer }) => retryChecks(ports, RUN_ROOT, observer),
    doneAlready: "INVALID_STATE",
    violationsOf: endsWell,
  },
  "run into a spent budget": {
    writes: "report.published",
    begin: () => withBudget(false),
    command: ({ ports, observer }) => runRun(ports, RUN_ROOT, {}, observer),
    async violationsOf(world) {
      // A kill inside a risky tool leaves a question to a person, which is answered here.
      await goOn(world, "run");
      await raised(world.process("raised"));
      return await violationsOfVersions(world);
    },
  },
  "resume --max-calls": {
    writes: "settings.changed",
    begin: () => withBudget(true),
    command: raised,
    doneAlready: "RUN_TERMINAL",
    violationsOf: violationsOfVersions,
  },
  ask: {
    writes: "state.changed",
    async begin() {
      const world = await worked({}, undefined, newLiveWorld());
      outsideOf(world).script = holdsAll;
      return world;
    },
    command: askedOn,
    async violationsOf(world) {
      await askedOn(world.process("once more"));
      const { state, manifest } = await lookAt(world, ASK_ROOT);
      await verifyRun(world.process("verifier of the answer").ports, ASK_ROOT);
      return unless(
        state === "completed" && manifest.report_versions[0]?.digest === (await pageOfUnharmedAsk()),
        `the answer is ${state}, or another page`,
      );
    },
  },
};

const ASK_ROOT = `${RUNS_ROOT}/dr_ask`;

function askedOn({ ports, observer }: RunProcess): Promise<unknown> {
  return askRun(ports, RUN_ROOT, { question: "And on two machines?", runsRoot: RUNS_ROOT, runId: "dr_ask" }, observer);
}

/** The evidence that is there holds for what is asked on. */
const holdsAll: typeof searchesAgain = (request) => {
  const task = taskOf(request);
  const at = task.user.indexOf("What was found before: ");
  if (task.who !== "plan" || at === -1) return searchesAgain(request);
  const { evidence } = JSON.parse(task.user.slice(task.user.indexOf("{", at))) as { evidence: { id: string }[] };
  const parts = [{ id: "machines", text: "How are options parsed on two machines?" }];
  const held = [{ part_id: "machines", evidence_ids: evidence.map(({ id }) => id) }];
  return asksFor(named(task, [submits({ parts, held, perspectives: [] })]));
};

let unharmed: Promise<string | undefined> | undefined;
function pageOfUnharmedAsk(): Promise<string | undefined> {
  unharmed ??= (async () => {
    const world = await (CASES["ask"] as KilledCommand).begin();
    await askedOn(world.process("unharmed"));
    return (await lookAt(world, ASK_ROOT)).manifest.report_versions[0]?.digest;
  })();
  return unharmed;
}

/** Of the thousands of cases; no divisor of the three kinds of faults. */
const EVERY_NTH = 7;
const ROW = "`settle`, `verify --retry`, budget: killed or disk full";

describe("on a live run, killed at any effect or on a full disk, and given again", () => {
  for (const [name, one] of Object.entries(CASES)) {
    test(`${name} comes to its end (S1, S4, C1, C2)`, async () => {
      const world = await one.begin();
      await one.command(world.process("unharmed"));
      expect((await recordsOf(world)).map(({ kind }) => kind)).toContain(one.writes as "halt.raised");
      expect(await killedAnywhere(ROW, one, 7, EVERY_NTH)).toEqual([]);
    });
  }
});

test("control: a person's answer that is killed and not given again is seen unfinished", async () => {
  const world = await asking();
  const process = world.process("command");
  process.actor.files.plan({ kind: "crash-before", at: 20 });
  expect(await isKilled(settled("assume_done")(process))).toBe(true);
  const { error } = await runRun(world.process("next").ports, RUN_ROOT, {}, {});
  expect(error?.code).toBe("TOOL_OUTCOME_UNKNOWN");
});

describe("a fork of a run whose citations could not be judged", () => {
  const FORK = { runsRoot: RUNS_ROOT, runId: "dr_fork" };
  const FORK_ROOT = `${RUNS_ROOT}/dr_fork`;

  /** `verify --retry`, killed when it asks the model for the first time. */
  async function killedRetry(world: RunWorld, runRoot: string): Promise<void> {
    const dying = world.process("dying");
    const outside = outsideOf(world);
    const { script } = outside;
    outside.script = (request, signal) => {
      dying.actor.kill();
      return script(request, signal);
    };
    expect(await isKilled(retryChecks(dying.ports, runRoot, dying.observer))).toBe(true);
    outside.script = script;
  }

  test("takes them over, and judges them again when it is asked to, also when that is cut off", async () => {
    const world = await unverified();
    const { ports, observer } = world.process("fork");
    await forkRun(ports, RUN_ROOT, FORK, observer);
    expect((await runRun(ports, FORK_ROOT, {}, observer)).error?.code).toBe("GATE_BLOCKED");
    await killedRetry(world, FORK_ROOT);
    const { error, run } = await runRun(ports, FORK_ROOT, {}, observer);
    expect([error, run?.state]).toEqual([null, "completed"]);
  });

  test("goes on with one that was opened again", async () => {
    const world = await unverified();
    await killedRetry(world, RUN_ROOT);
    const { ports, observer } = world.process("fork");
    await forkRun(ports, RUN_ROOT, FORK, observer);
    const { error, run } = await runRun(ports, FORK_ROOT, {}, observer);
    expect([error, run?.state]).toEqual([null, "completed"]);
  });
});
