// Tests of agents as real processes, which read prompts from the folder of a run and hand answers in through a pipe.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { DOCUMENTS } from "../simulation/run-world.ts";
import { PROGRAM } from "../program.ts";
import { answerWell, readPrompt } from "./outside-agent.ts";
import { slowAt } from "./slow-run.ts";
import { GOOD_AGENT, TaskRun, type Agent } from "./task-run.ts";

async function handedIn(task: TaskRun, step: string, answer: string, agent: string, ...flags: string[]) {
  const child = Bun.spawn(
    [
      ...PROGRAM,
      "agent-result",
      task.runRoot,
      "--step",
      step,
      "--input",
      "-",
      "--agent-run-id",
      agent,
      "--json",
      ...flags,
    ],
    {
      stdin: new TextEncoder().encode(answer),
      stdout: "pipe",
      stderr: "pipe",
      env: { ...process.env, HOME: task.folder },
    },
  );
  const [stdout, code] = [await new Response(child.stdout).text(), await child.exited];
  return {
    code,
    ...(JSON.parse(stdout) as {
      ok: boolean;
      error: { code: string } | null;
      result: { state: string; handed_over: boolean };
    }),
  };
}

/** A plan of so many perspectives. */
const planOf = (count: number) =>
  JSON.stringify({
    parts: [{ id: "parsing", text: "how options are parsed" }],
    perspectives: Array.from({ length: count }, (_, index) => ({
      id: `angle-${index + 1}`,
      title: `Angle ${index + 1}`,
      kind: index === 0 ? "contrarian" : "facet",
      questions: ["How are options parsed?"],
      queries: ["options parsed"],
      part_ids: ["parsing"],
    })),
  });

describe("agents as processes", () => {
  test("20 of them hand in at once for different steps, and every answer counts", async () => {
    const COUNT = 20;
    using task = new TaskRun({ limits: { max_perspectives: COUNT, max_quotes_per_subject: 2 } });
    await task.start();
    await task.handIn("perspectives:plan", planOf(COUNT));
    await task.run();
    const waiting = await task.waiting();
    expect(waiting).toHaveLength(COUNT);
    const all = await Promise.all(
      waiting.map(({ key, prompt }, index) =>
        handedIn(task, key, answerWell(prompt, DOCUMENTS), `worker-${index}`, "--wait", "300"),
      ),
    );
    expect(all.map(({ code, error }) => [code, error])).toEqual(all.map(() => [0, null]));
    const records = await task.ports.store.records(task.runRoot);
    const agents = records.flatMap((record) => (record.kind === "step.answered" ? [record.data.by.agent_run_id] : []));
    expect(new Set(agents).size).toBe(COUNT + 1);
    expect((await task.waiting()).every(({ prompt }) => readPrompt(prompt).who === "verify")).toBe(true);
  }, 600_000);

  test("20 of them hand in while another process works on the run, which takes up each answer once", async () => {
    const COUNT = 20;
    using task = new TaskRun({ limits: { max_perspectives: COUNT, max_quotes_per_subject: 2 } });
    await task.start();
    await task.handIn("perspectives:plan", planOf(COUNT));
    const slow = await slowAt(task, `wave1:angle-${COUNT}`, COUNT - 1);
    const waiting = await task.waiting();
    const asked = [...waiting, ...waiting.slice(0, 1)];
    expect(asked).toHaveLength(COUNT);
    const all = await Promise.all(
      asked.map(({ key, prompt }, index) =>
        handedIn(task, key, answerWell(prompt, DOCUMENTS), `worker-${index}`, "--wait", "0"),
      ),
    );
    expect(all.map(({ code, result }) => [code, result.handed_over])).toEqual(all.map(() => [0, true]));
    expect((await slow.end()).error?.code).toBe("RUN_AGENT_REQUIRED");
    const records = await task.ports.store.records(task.runRoot);
    const ofSteps = records.flatMap((record) => (record.kind === "request.result" ? [record] : []));
    const done = ofSteps.filter(({ data }) => data.step !== "perspectives:plan");
    const outcomes = done.map(({ data }) => data.outcome).toSorted();
    expect(outcomes).toEqual(["already", ...waiting.map(() => "taken" as const)]);
    const answered = records.flatMap((record) => (record.kind === "step.answered" ? [record.data.key] : []));
    expect(answered.toSorted()).toEqual(["perspectives:plan", ...waiting.map(({ key }) => key)].toSorted());
    // Nobody else has taken the lease since.
    const owner = records.findLast(({ kind }) => kind === "lease.taken");
    expect(done.filter(({ epoch }) => epoch !== owner?.epoch)).toEqual([]);
    expect(readdirSync(join(task.runRoot, "requests"))).toEqual([]);
  }, 600_000);

  test("one that is killed while it hands in may hand in again, and the run reaches its report", async () => {
    using task = new TaskRun();
    await task.start();
    await task.goOn(GOOD_AGENT, (prompt) => readPrompt(prompt).who === "research");
    const [first] = await task.waiting();
    const { key = "", prompt = "" } = first ?? {};
    const answer = answerWell(prompt, DOCUMENTS);
    for (const ms of [40, 80, 160]) {
      const child = Bun.spawn(
        [...PROGRAM, "agent-result", task.runRoot, "--step", key, "--input", "-", "--agent-run-id", "a"],
        { stdin: new TextEncoder().encode(answer), stdout: "ignore", stderr: "ignore" },
      );
      await Bun.sleep(ms);
      child.kill("SIGKILL");
      await child.exited;
    }
    const { code } = await handedIn(task, key, answer, "a");
    expect(code).toBe(0);
    await task.goOn();
    expect((await task.ports.store.look(task.runRoot)).state).toBe("completed");
  }, 600_000);

  test("a file, its model, times and usage are taken; without the step or the agent it is bad usage", async () => {
    using task = new TaskRun();
    await task.start();
    const [{ prompt } = { prompt: "" }] = await task.waiting();
    const file = join(task.folder, "plan.json");
    writeFileSync(file, (GOOD_AGENT satisfies Agent)(prompt));
    const run = (...words: string[]) =>
      Bun.spawnSync([...PROGRAM, "agent-result", task.runRoot, ...words, "--json"], { stdin: "ignore" });
    const codeOf = (...words: string[]): string =>
      (JSON.parse(run(...words).stdout.toString()) as { error: { code: string } }).error.code;
    expect(codeOf("--input", file, "--agent-run-id", "a")).toBe("INVALID_ARGS");
    expect(codeOf("--input", file, "--step", "perspectives:plan")).toBe("INVALID_ARGS");
    const all = ["--input", file, "--step", "perspectives:plan", "--agent-run-id", "a"];
    expect(codeOf(...all, "--started-at", "yesterday")).toBe("SCHEMA_VALIDATION_FAILED");
    expect(codeOf(...all, "--usage", "much")).toBe("INVALID_ARGS");
    const times = ["--started-at", "2026-01-31T12:00:00.000Z", "--finished-at", "2026-01-31T12:03:00.000Z"];
    expect(run(...all, "--model", "openai:x", ...times, "--usage", '{"tokens": 12}').exitCode).toBe(0);
    const answered = (await task.ports.store.records(task.runRoot)).find(({ kind }) => kind === "step.answered");
    expect(answered?.data).toMatchObject({ by: { agent_run_id: "a", model: "openai:x", usage: { tokens: 12 } } });
    expect(readFileSync(join(task.runRoot, "operator/answers/perspectives/perspectives:plan.txt"), "utf8")).toBe(
      readFileSync(file, "utf8"),
    );
  });
});
