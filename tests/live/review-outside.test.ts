// Tests of a live run whose reviewer is outside: models do all else, and write again what the review names.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { submitAnswer } from "../../src/operations/change/submit-answer.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { readPrompt } from "../task/outside-agent.ts";
import { LiveRun } from "./live-run.ts";
import { taskOf, wellBehaved } from "./well-behaved.ts";

async function handIn({ ports, runRoot }: LiveRun, step: string, review: object): Promise<void> {
  const answer = new TextEncoder().encode(JSON.stringify(review));
  const by = { agent_run_id: "a person" };
  await submitAnswer(ports, runRoot, { step, answer, by, replace: false, sources: [], waitSeconds: 5 }, {});
}

/** The prompt that waits; nobody outside is asked anything but a review. */
async function waiting({ ports, runRoot }: LiveRun): Promise<{ key: string; prompt: string }> {
  const { steps } = (await ports.store.look(runRoot)).manifest;
  const all = Object.entries(steps).flatMap(([key, { waits_for }]) =>
    waits_for === undefined ? [] : [{ key, waits_for }],
  );
  const [{ key, waits_for } = { key: "", waits_for: { prompt: { path: "" } } }] = all;
  expect(all).toHaveLength(1);
  const prompt = readFileSync(join(runRoot, waits_for.prompt.path), "utf8");
  expect(readPrompt(prompt).who).toBe("review");
  return { key, prompt };
}

test("the reviewer alone is asked outside, and the model writes again what the review names", async () => {
  const asked = new Set<string>();
  const told: string[] = [];
  await using live = await LiveRun.open({
    roleDrivers: { reviewer: "task" },
    script: (request) => {
      const task = taskOf(request);
      asked.add(task.who);
      told.push(task.user);
      return wellBehaved(request);
    },
  });
  expect((await live.start()).error?.code).toBe("RUN_AGENT_REQUIRED");
  const detail = "Name the document in which it stands.";
  const first = await waiting(live);
  expect(first.key).toBe("review:draft-1");
  const revise = { decision: "revise", directives: [{ kind: "other", target: "s1", detail }] };
  await handIn(live, first.key, revise);
  expect((await live.resume()).error?.code).toBe("RUN_AGENT_REQUIRED");
  expect(told.filter((text) => text.includes(detail)).length).toBeGreaterThan(0);
  const second = await waiting(live);
  expect(second.key).toBe("review:draft-2");
  expect(second.prompt).toContain(detail);
  await handIn(live, second.key, { decision: "accept", directives: [] });
  expect((await live.resume()).error).toBeNull();
  expect((await verifyRun(live.ports, live.runRoot)).error).toBeNull();
  expect(live.report()).toContain("Said again");
  expect([...asked]).toContain("research");
  expect([...asked]).not.toContain("review");
  // Once more, after the end: nothing happens.
  await handIn(live, first.key, revise);
});
