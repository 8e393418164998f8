// Tests of a plan that a person approves, and of roles that are played outside beside another driver.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { approvePlan } from "../../src/operations/change/approve-plan.ts";
import { instructPlanner } from "../../src/operations/change/instruct-planner.ts";
import { forkRun } from "../../src/operations/make/fork-run.ts";
import { submitAnswer } from "../../src/operations/change/submit-answer.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { DriverId } from "../../src/run/settings/settings.ts";
import type { Plan } from "../../src/run/report/research.ts";
import { answerWell, readPrompt } from "./outside-agent.ts";
import { TaskRun } from "./task-run.ts";
import { DOCUMENTS } from "../simulation/run-world.ts";

const APPROVED = { policies: { approve_plan: true as const }, driver: "local" as const };

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return (error as { code: string }).code;
  }
  return "none";
}

function draftOf({ runRoot }: TaskRun): Plan {
  return JSON.parse(readFileSync(join(runRoot, "operator/drafts/plan.1.json"), "utf8")) as Plan;
}

describe("a plan that is to be approved", () => {
  test("halts the run with files that people read, and goes on as it stands", async () => {
    using task = new TaskRun(APPROVED);
    const { error } = await task.start();
    expect(error?.code).toBe("HUMAN_REVIEW_REQUIRED");
    expect((await task.run()).error?.code).toBe("HUMAN_REVIEW_REQUIRED");
    const page = readFileSync(join(task.runRoot, "operator/drafts/plan.1.md"), "utf8");
    for (const { title } of draftOf(task).perspectives) expect(page).toContain(title);
    const { result } = await approvePlan(task.ports, task.runRoot, null, {});
    expect(result.edited).toBe(false);
    const { revision } = await task.manifest();
    expect((await approvePlan(task.ports, task.runRoot, null, {})).result).toEqual(result);
    expect((await task.manifest()).revision).toBe(revision);
    expect((await task.run()).error).toBeNull();
    const { run } = await verifyRun(task.ports, task.runRoot);
    expect(run?.state).toBe("completed");
  });

  test("as a person edited it is the plan of the run; one that gate A refuses changes nothing", async () => {
    using task = new TaskRun(APPROVED);
    await task.start();
    const plan = draftOf(task);
    const [first] = plan.perspectives;
    const edited = { ...plan, perspectives: [{ ...first, title: "What I really want to know" }] };
    const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
    const { revision } = await task.manifest();
    const none = bytes({ ...plan, perspectives: [] });
    expect(await codeOf(approvePlan(task.ports, task.runRoot, none, {}))).toBe("GATE_BLOCKED");
    expect(await codeOf(approvePlan(task.ports, task.runRoot, bytes({ parts: 1 }), {}))).toBe(
      "SCHEMA_VALIDATION_FAILED",
    );
    expect((await task.manifest()).revision).toBe(revision);
    await approvePlan(task.ports, task.runRoot, bytes(edited), {});
    expect(await codeOf(approvePlan(task.ports, task.runRoot, null, {}))).toBe("INVALID_STATE");
    expect((await task.run()).error).toBeNull();
    expect(readFileSync(join(task.runRoot, "perspectives.json"), "utf8")).toContain("What I really want to know");
    const { run } = await verifyRun(task.ports, task.runRoot);
    expect(run?.state).toBe("completed");
  });

  test("of agents outside is approved, too, and a fork takes over what was done", async () => {
    using task = new TaskRun({ policies: { approve_plan: true } });
    await task.start();
    await task.goOn();
    expect((await task.manifest()).halt).toMatchObject({ kind: "human_review" });
    await approvePlan(task.ports, task.runRoot, null, {});
    await task.goOn();
    const look = await task.ports.store.look(task.runRoot);
    expect(look.state).toBe("completed");
    const { result } = await forkRun(task.ports, task.runRoot, { runsRoot: task.runsRoot, runId: "dr_fork" }, {});
    expect(result.offered_steps).toBeGreaterThan(0);
  });
});

test("a plan of an agent outside is made again as a person wishes, also in the same words", async () => {
  using task = new TaskRun({ mode: "standard", policies: { approve_plan: true } });
  await task.start();
  await task.goOn();
  expect((await task.manifest()).halt).toMatchObject({ kind: "human_review" });
  const { error } = await instructPlanner(task.ports, task.runRoot, "Also look at costs.", {});
  expect(error?.code).toBe("RUN_AGENT_REQUIRED");
  const [waiting, ...others] = await task.waiting();
  expect([waiting?.key, others]).toEqual(["perspectives:plan", []]);
  expect(waiting?.prompt).toContain('"wishes":["Also look at costs."]');
  await task.goOn();
  expect((await task.manifest()).halt).toMatchObject({ kind: "human_review" });
  await approvePlan(task.ports, task.runRoot, null, {});
  await task.goOn();
  expect((await task.ports.store.look(task.runRoot)).state).toBe("completed");
  expect(readFileSync(join(task.runRoot, "reports/1/report.md"), "utf8")).toContain("Also look at costs.");
});

describe("a role that is played outside", () => {
  test("beside the local driver: the reviewer alone is prompted, and what it says counts", async () => {
    using task = new TaskRun({ driver: "local", mode: "standard", roleDrivers: { reviewer: "task" } });
    const { error } = await task.start();
    expect(error?.code).toBe("RUN_AGENT_REQUIRED");
    const waiting = await task.waiting();
    expect(waiting.map(({ key, prompt }) => [key, readPrompt(prompt).who])).toEqual([["review:draft-1", "review"]]);
    const { page } = JSON.parse(readPrompt(waiting[0]?.prompt ?? "").task) as { page: string };
    const [, target] = /^#+ (?:\w+ )??(.+)$/m.exec(page) ?? [];
    const remark = { kind: "other", target, detail: "Ask whoever wrote it." };
    await task.handIn("review:draft-1", JSON.stringify({ decision: "accept", directives: [remark] }));
    expect((await task.run()).error).toBeNull();
    const { run } = await verifyRun(task.ports, task.runRoot);
    expect(run?.state).toBe("completed");
    expect(readFileSync(join(task.runRoot, "reports/1/report.md"), "utf8")).toContain("Ask whoever wrote it.");
  });

  test("is played by the version that the run was made with: another one is drift, also where the other driver is the same", async () => {
    using task = new TaskRun({ driver: "local", mode: "standard", roleDrivers: { reviewer: "task" } });
    await task.start();
    const others = (id: DriverId): Ports => ({
      ...task.ports,
      loadDriver: async (...asked) => {
        const driver = await task.ports.loadDriver(...asked);
        return asked[0] === id ? { ...driver, version: `${id}-another` } : driver;
      },
    });
    const handIn = (ports: Ports): Promise<unknown> => {
      const answer = new TextEncoder().encode(JSON.stringify({ decision: "accept", directives: [] }));
      const given = { step: "review:draft-1", answer, by: { agent_run_id: "a" }, replace: false, sources: [] };
      return submitAnswer(ports, task.runRoot, { ...given, waitSeconds: 5 }, {});
    };
    for (const id of ["task", "local"] as const) expect(await codeOf(handIn(others(id)))).toBe("SETTINGS_DRIFT");
    // Control: a driver that plays nothing here may be any.
    expect(await codeOf(handIn(others("live")))).toBe("none");
  });

  test("that needs a judge is refused without one", async () => {
    using task = new TaskRun({ driver: "local", roleDrivers: { researcher: "task" } });
    expect(await codeOf(task.start())).toBe("INVALID_ARGS");
    using judged = new TaskRun({ driver: "local", roleDrivers: { researcher: "task", verifier: "task" } });
    await judged.start();
    await judged.goOn((prompt) => answerWell(prompt, DOCUMENTS));
    expect((await judged.ports.store.look(judged.runRoot)).state).toBe("completed");
  });
});
