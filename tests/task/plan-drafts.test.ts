// Tests of plans from the drafts of three agents, which are merged by rules or shown to a person.
import { describe, expect, test } from "bun:test";
import { mergedPlan } from "../../src/drivers/planning/merged-plan.ts";
import { approvePlan } from "../../src/operations/change/approve-plan.ts";
import { writePerspectives } from "../../src/operations/change/write-perspectives.ts";
import { planFaults } from "../../src/run/report/plan-faults.ts";
import type { Plan } from "../../src/run/report/research.ts";
import { LIMITS_BY_MODE } from "../../src/run/settings/settings.ts";
import { PLAN } from "../live/well-behaved.ts";
import { TaskRun } from "./task-run.ts";

const LIMITS = LIMITS_BY_MODE.standard;

/** A draft with one perspective for each part. */
function draft(parts: Record<string, string>, titles: string[] = Object.values(parts)): Plan {
  const ids = Object.keys(parts);
  return {
    parts: ids.map((id) => ({ id, text: parts[id] ?? "", terms: [id] })),
    perspectives: titles.map((title, index) => ({
      id: `view-${index + 1}`,
      title,
      kind: index === 0 ? "contrarian" : "facet",
      questions: [`${title}?`],
      queries: [title],
      part_ids: [ids[index % ids.length] ?? ""],
    })),
  };
}

describe("drafts of a plan are merged", () => {
  const first = draft({ speed: "speed of the parser", memory: "memory of the parser" });

  test("the first stays whole, and the others add parts and perspectives with their own ids", () => {
    const other = draft({ speed: "how errors are reported", quick: "parser speed" }, [
      "reported errors",
      "speed of a parser",
    ]);
    const merged = mergedPlan([first, other, first], LIMITS);
    expect(merged.parts.map(({ text }) => text)).toEqual([
      "speed of the parser",
      "memory of the parser",
      "how errors are reported",
    ]);
    expect(merged.perspectives.map(({ id, title, part_ids }) => [id, title, part_ids])).toEqual([
      ["view-1", "speed of the parser", ["speed"]],
      ["view-2", "memory of the parser", ["memory"]],
      ["view-1-2", "reported errors", ["speed-2"]],
    ]);
    expect(merged.agreement).toBe(0.5);
    expect(planFaults(merged, LIMITS)).toEqual([]);
  });

  test("what does not fit into the limits is counted, and no part is left that nobody looks for", () => {
    const other = draft({ cost: "licence cost", age: "release dates" });
    const merged = mergedPlan([first, other, other], { ...LIMITS, max_perspectives: 3 });
    expect(merged.perspectives).toHaveLength(3);
    expect(merged.parts.map(({ id }) => id)).toEqual(["speed", "memory", "cost"]);
    expect(merged.notes).toEqual(["2 of the perspectives that others planned did not fit into the limits."]);
    expect(merged.agreement).toBe(0);
    expect(planFaults(merged, { ...LIMITS, max_perspectives: 3 })).toEqual([]);
  });
});

const other = (text: string): string =>
  JSON.stringify({ ...PLAN, parts: PLAN.parts.map((part) => ({ ...part, text: `${text} ${part.id}` })) });

describe("three agents that plan", () => {
  test("are asked at once; drafts that agree go on by themselves", async () => {
    using task = new TaskRun({ mode: "standard" });
    await task.start();
    const waiting = await task.waiting();
    expect(waiting.map(({ key }) => key)).toEqual([
      "perspectives:draft-contrarian",
      "perspectives:draft-independent",
      "perspectives:draft-primary",
    ]);
    for (const { key } of waiting) await task.handIn(key, JSON.stringify(PLAN));
    expect((await task.run()).error?.code).toBe("RUN_AGENT_REQUIRED");
    expect((await task.manifest()).stage.current).toBe("wave1");
  });

  test("and agree on too little halt the run for a person, who goes on with an edited plan", async () => {
    using task = new TaskRun({ mode: "standard" });
    await task.start();
    await task.handIn("perspectives:draft-primary", JSON.stringify(PLAN));
    await task.handIn("perspectives:draft-independent", other("wholly unlike anything"));
    await task.handIn("perspectives:draft-contrarian", JSON.stringify(PLAN));
    const { error } = await task.run();
    expect([error?.code, String(error?.facts["reason"])]).toEqual([
      "HUMAN_REVIEW_REQUIRED",
      expect.stringContaining("agree on 0 %"),
    ]);
    const terms = { parts: PLAN.parts.map((part) => ({ ...part, terms: [part.id] })) };
    await approvePlan(task.ports, task.runRoot, new TextEncoder().encode(JSON.stringify({ ...PLAN, ...terms })), {});
    await task.goOn();
    expect((await task.ports.store.look(task.runRoot)).state).toBe("completed");
  });

  test("are not needed where the plan is handed in whole, while they are asked", async () => {
    using task = new TaskRun({ mode: "standard" });
    await task.start();
    const value = { parts: PLAN.parts.map((part) => ({ ...part, terms: [part.id] })), perspectives: PLAN.perspectives };
    await writePerspectives(task.ports, task.runRoot, { value, reason: "test" });
    await task.run();
    expect((await task.manifest()).stage.current).toBe("wave1");
  });
});
