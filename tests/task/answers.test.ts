// Tests of answers in every state of a run: no answer is lost, and none is mistaken for an earlier one.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseStrictJsonText } from "../../src/kernel/strict-json.ts";
import { approvePlan } from "../../src/operations/change/approve-plan.ts";
import { forkRun } from "../../src/operations/make/fork-run.ts";
import { resumeRun } from "../../src/operations/change/resume-run.ts";
import { retryChecks } from "../../src/operations/change/retry-checks.ts";
import { abortRun, pauseRun } from "../../src/operations/change/stop-run.ts";
import { submitAnswer } from "../../src/operations/change/submit-answer.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { replaced } from "../../src/kernel/replaced.ts";
import type { Plan } from "../../src/run/report/research.ts";
import { DOCUMENTS } from "../simulation/run-world.ts";
import { answerWell, readPrompt } from "./outside-agent.ts";
import { asks, GOOD_AGENT, refusal, TaskRun, type Agent } from "./task-run.ts";
import { workedMs } from "../cpu-time.ts";

async function firstOf(task: TaskRun): Promise<{ key: string; prompt: string }> {
  const [first] = await task.waiting();
  return first ?? { key: "", prompt: "" };
}

async function atResearch(): Promise<TaskRun> {
  const task = new TaskRun();
  await task.start();
  await task.goOn(GOOD_AGENT, asks("research"));
  return task;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a run that found nothing", () => {
  const NOTHING = JSON.stringify({ quotes: [], notes: ["Nothing was found."] });
  const blind: Agent = (prompt) => (readPrompt(prompt).who === "research" ? NOTHING : GOOD_AGENT(prompt));

  async function withoutEvidence(): Promise<TaskRun> {
    const task = new TaskRun();
    await task.start();
    await task.goOn(blind);
    expect((await task.manifest()).halt).toMatchObject({ kind: "no_evidence" });
    return task;
  }

  test("asks anew, and takes an earlier answer again", async () => {
    using task = await withoutEvidence();
    await resumeRun(task.ports, task.runRoot, {}, {});
    const { key } = await firstOf(task);
    expect((await task.handIn(key, NOTHING)).result).toMatchObject({ already: false, state: "completed" });
    expect((await task.handIn(key, NOTHING)).result.already).toBe(true);
  });

  test("goes on with an answer that replaces one of them, and the others stand", async () => {
    using task = await withoutEvidence();
    const key = "wave1:overview";
    const prompt = readFileSync(join(task.runRoot, `operator/prompts/wave1/${key}.md`), "utf8");
    await task.handIn(key, GOOD_AGENT(prompt), { replace: true });
    expect((await task.waiting()).map((one) => one.key)).toEqual([key]);
    await task.goOn();
    expect((await task.ports.store.look(task.runRoot)).state).toBe("completed");
    expect((await verifyRun(task.ports, task.runRoot)).error).toBeNull();
  });
});

describe("an answer", () => {
  test("behind a stop is not called taken", async () => {
    using task = await atResearch();
    const { key, prompt } = await firstOf(task);
    const request = { schema_version: "request.v1", request_id: "pause-0123456789ab", kind: "pause" } as const;
    await task.ports.store.request(task.runRoot, { ...request, reason: "x", requested_at: "2026-01-31T12:00:00.000Z" });
    const clock = replaced(task.ports.clock, { turn: async () => await Bun.sleep(500) });
    const options = { step: key, answer: bytesOf(GOOD_AGENT(prompt)), by: { agent_run_id: "a" }, replace: false };
    const handedIn = submitAnswer(
      { ...task.ports, clock },
      task.runRoot,
      { ...options, sources: [], waitSeconds: 1 },
      {},
    );
    expect((await refusal(handedIn)).code).toBe("PAUSED");
    expect((await task.manifest()).execution_state).toBe("paused");
  });

  test("may replace one whose step was cut off behind it, and one that failed", async () => {
    using task = await atResearch();
    const { key, prompt } = await firstOf(task);
    await task.handIn(key, GOOD_AGENT(prompt));
    const { inputs_digest = "sha256:", attempts } = (await task.manifest()).steps[key] ?? {};
    const acquired = await task.ports.store.acquire(task.runRoot, { reason: "test", lease_seconds: 60 });
    if (acquired.kind === "held") throw new Error("held");
    const { writer } = acquired;
    const error = { code: "MODEL_FAILED", message: "it broke", retryable: false };
    const of = { key, stage: "wave1", attempt: attempts ?? 1 } as const;
    await writer.commit([{ kind: "step.started", data: { ...of, inputs_digest } }]);
    await writer.commit([{ kind: "step.failed", data: { ...of, error } }]);
    await writer.release();
    expect((await refusal(task.handIn(key, GOOD_AGENT(prompt).replace("costs", "is paid")))).code).toBe(
      "INVALID_STATE",
    );
    const { result } = await task.handIn(key, GOOD_AGENT(prompt).replace("costs", "is paid"), { replace: true });
    expect(result.state).toBe("waiting");
    await task.goOn();
    expect((await task.ports.store.look(task.runRoot)).state).toBe("completed");
  });

  test("to another version of the driver than the run was made with is for after the drift", async () => {
    using task = await atResearch();
    const { key, prompt } = await firstOf(task);
    const { revision } = await task.manifest();
    const newer = async (...asked: Parameters<typeof task.ports.loadDriver>) => ({
      ...(await task.ports.loadDriver(...asked)),
      version: "task-2",
    });
    const options = { step: key, answer: bytesOf(GOOD_AGENT(prompt)), by: { agent_run_id: "a" }, replace: false };
    const handedIn = submitAnswer(
      { ...task.ports, loadDriver: newer },
      task.runRoot,
      { ...options, sources: [], waitSeconds: 1 },
      {},
    );
    expect((await refusal(handedIn)).code).toBe("SETTINGS_DRIFT");
    const { steps } = await task.manifest();
    expect(steps[key]?.state).toBe("waiting");
    expect((await task.manifest()).revision - revision).toBeLessThanOrEqual(1);
  });

  test("that was taken may be handed in again in any state, and another one is refused", async () => {
    using task = new TaskRun();
    await task.start();
    const given: { key: string; answer: string }[] = [];
    const noting: Agent = (prompt) => {
      const answer = GOOD_AGENT(prompt);
      const key = / --step (\S+) /.exec(prompt)?.[1] ?? "";
      given.push({ key, answer });
      return answer;
    };
    const allOnceMore = async (code: string, state: (key: string) => string): Promise<void> => {
      const { revision } = await task.manifest();
      for (const { key, answer } of given) {
        const { result } = await task.handIn(key, answer);
        expect([key, result.already, result.handed_over, result.state]).toEqual([key, true, false, state(key)]);
        expect((await refusal(task.handIn(key, `${answer} `))).code).toBe(code);
      }
      expect((await task.manifest()).revision).toBe(revision);
    };
    await task.goOn(noting, asks("draft"));
    expect((await task.manifest()).stage.current).toBe("synthesis");
    await allOnceMore("NOT_FOUND", () => "completed");
    await pauseRun(task.ports, task.runRoot, { waitSeconds: 5 });
    await allOnceMore("PAUSED", () => "completed");
    await resumeRun(task.ports, task.runRoot, {}, {});
    await task.goOn(noting);
    expect((await task.ports.store.look(task.runRoot)).state).toBe("completed");
    await allOnceMore("RUN_TERMINAL", () => "completed");
  });

  test("that was taken before the run was aborted is harmless, too", async () => {
    using task = await atResearch();
    const { key, prompt } = await firstOf(task);
    await task.handIn(key, GOOD_AGENT(prompt));
    await abortRun(task.ports, task.runRoot, { waitSeconds: 5 });
    expect((await task.handIn(key, GOOD_AGENT(prompt))).result).toMatchObject({ already: true, state: "waiting" });
    // Control: one that was never taken.
    const { key: other, prompt: asked } = (await task.waiting()).find((one) => one.key !== key) ?? { key, prompt };
    expect((await refusal(task.handIn(other, GOOD_AGENT(asked)))).code).toBe("RUN_TERMINAL");
  });

  test("with twenty thousand verdicts is judged about as fast as it is read, and few of its faults are named", async () => {
    using task = await atResearch();
    const { key, prompt } = await firstOf(task);
    await task.handIn(key, GOOD_AGENT(prompt));
    const one = (id: string, parts: string): string =>
      `{"id":"${id}","why":"","verdict":"unclear","part_ids":[${parts}]}`;
    const half = 10_000;
    const strange = Array.from({ length: half }, (_, index) => one("s1", `"p${index}"`));
    const verdicts = [...Array<string>(half).fill(one("zz", "")), ...strange];
    const text = `{"verdicts":[${verdicts.join(",")}]}`;
    const before = process.cpuUsage();
    parseStrictJsonText(text);
    const readMs = workedMs(before);
    const then = process.cpuUsage();
    const { code, facts } = await refusal(task.handIn(key, text));
    // A rule that compares each verdict with the others would take thousands of times as long as reading them.
    expect(workedMs(then) / readMs).toBeLessThan(40);
    expect(code).toBe("AGENT_RESULT_INVALID");
    expect(facts["problems"]).toHaveLength(101);
    const [, more] = /^and (\d+) more$/.exec((facts["problems"] as string[]).at(-1) ?? "") ?? [];
    expect(Number(more)).toBeGreaterThan(half - 200);
  });
});

describe("a document that is brought", () => {
  test("does not displace one that another agent quotes by the same name", async () => {
    using task = await atResearch();
    const [one, two] = await task.waiting();
    const short = GOOD_AGENT(one?.prompt ?? "").replaceAll('"corpus/', '"');
    await task.handIn(one?.key ?? "", short);
    const { quotes } = JSON.parse(short) as { quotes: { document: string }[] };
    const sources = [
      { name: quotes[0]?.document ?? "", bytes: bytesOf("# Notes\n\nNothing of that is true at all.\n") },
    ];
    const other = task.handIn(two?.key ?? "", GOOD_AGENT(two?.prompt ?? ""), { sources });
    expect(String((await refusal(other)).facts["reason"])).toContain("another document has this name");
    await task.goOn();
    expect((await task.ports.store.look(task.runRoot)).state).toBe("completed");
  });

  test("is told apart from an earlier one of its name, and from one that the run has under another name", async () => {
    using task = await atResearch();
    const { key } = await firstOf(task);
    const text = "Options may also be read from a file of their own, one on each line.";
    const quoting = (document: string): string =>
      JSON.stringify({ quotes: [{ document, text, statement: text, part_ids: ["parsing"] }] });
    const bringing = (name: string, bytes: Uint8Array) =>
      task.handIn(key, quoting(name), { sources: [{ name, bytes }] });
    const mended = bytesOf(`# Notes\n\n${text}\n`);
    await refusal(bringing("notes.md", bytesOf("# Notes\n\nSomething else stands here for now.\n")));
    expect(String((await refusal(bringing("notes.md", mended))).facts["reason"])).toContain("give it another one");
    await refusal(task.handIn(key, quoting("nowhere.md"), { sources: [{ name: "mended.md", bytes: mended }] }));
    expect(String((await refusal(bringing("again.md", mended))).facts["reason"])).toContain("as mended.md");
    const named = `sha256:${"0".repeat(64)}`;
    expect(String((await refusal(bringing(named, mended))).facts["reason"])).toContain("another name");
    expect((await bringing("mended.md", mended)).result.state).toBe("waiting");
  });
});

describe("a plan that is to be approved", () => {
  test("may be edited in a fork, whose files of the plan that it took over stay", async () => {
    using task = new TaskRun({ policies: { approve_plan: true }, driver: "local" });
    await task.start();
    const { result } = await forkRun(task.ports, task.runRoot, { runsRoot: task.runsRoot, runId: "dr_fork" }, {});
    const { run_root } = result;
    const fork = Object.assign(Object.create(task) as TaskRun, { runRoot: run_root });
    await fork.run();
    const plan = JSON.parse(readFileSync(join(run_root, "operator/drafts/plan.1.json"), "utf8")) as Plan;
    const edited = {
      ...plan,
      perspectives: plan.perspectives.map((one) => ({ ...one, title: `${one.title}, really` })),
    };
    await approvePlan(fork.ports, run_root, bytesOf(JSON.stringify(edited)), {});
    expect((await fork.run()).error).toBeNull();
    expect((await verifyRun(fork.ports, run_root)).error).toBeNull();
    expect(readFileSync(join(run_root, "operator/drafts/plan.2.md"), "utf8")).toContain(", really");
  });

  test("and is replaced by another answer is shown as that", async () => {
    using task = new TaskRun({ policies: { approve_plan: true } });
    await task.start();
    const { prompt } = await firstOf(task);
    await task.goOn();
    const other = answerWell(prompt, DOCUMENTS).replace("How it works", "How it really works");
    await task.handIn("perspectives:plan", other, { replace: true });
    expect((await task.run()).error).toMatchObject({
      code: "HUMAN_REVIEW_REQUIRED",
      facts: { draft: "operator/drafts/plan.2.json" },
    });
  });
});

describe("claims of a report", () => {
  test("that nobody could check are not judged again where whoever verifies is outside, and it is said why", async () => {
    using task = new TaskRun({ limits: { max_unsupported_share: 1 } });
    const doubtful: Agent = (prompt) => {
      const answer = GOOD_AGENT(prompt);
      return readPrompt(prompt).who === "verify" ? answer.replaceAll('"supported"', '"unclear"') : answer;
    };
    await task.start();
    await task.goOn(doubtful);
    expect((await task.ports.store.look(task.runRoot)).state).toBe("completed");
    const { code, facts } = await refusal(retryChecks(task.ports, task.runRoot, {}));
    expect(code).toBe("INVALID_STATE");
    expect(String(facts["reason"])).toContain("outside");
  });
});
