// Tests of the documents that answers quote: stored ones open no corpus, and changed ones count once the change is accepted.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { replaced } from "../../src/kernel/replaced.ts";
import { resumeRun } from "../../src/operations/change/resume-run.ts";
import { submitAnswer } from "../../src/operations/change/submit-answer.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { DOCUMENTS } from "../simulation/run-world.ts";
import { asks, GOOD_AGENT, refusal, TaskRun } from "./task-run.ts";

const OVERVIEW = "wave1:overview";
const DOUBTS = "wave1:doubts";
const [[NAME, TEXT] = ["", ""]] = DOCUMENTS;
const CHANGED = "Since the last version every option is read from a file of its own, one on each line.";

async function atResearch(): Promise<TaskRun> {
  const task = new TaskRun();
  await task.start();
  await task.goOn(GOOD_AGENT, asks("research"));
  return task;
}

async function answer(task: TaskRun, step: string): Promise<string> {
  return GOOD_AGENT((await task.waiting()).find(({ key }) => key === step)?.prompt ?? "");
}

const quoting = (text: string): string =>
  JSON.stringify({ quotes: [{ document: `corpus/${NAME}`, text, statement: text, part_ids: ["parsing"] }] });

/** How many corpora were opened while the answer was taken. */
async function openedFor(task: TaskRun, step: string, text: string): Promise<number> {
  let opened = 0;
  const ports = replaced(task.ports, {
    openCorpora: async (...asked) => {
      opened++;
      return await task.ports.openCorpora(...asked);
    },
  });
  const by = { agent_run_id: "a" };
  const options = { step, answer: new TextEncoder().encode(text), by, replace: false, sources: [], waitSeconds: 5 };
  await submitAnswer(ports, task.runRoot, options, {});
  return opened;
}

describe("a quote", () => {
  test("of a document that is stored opens no corpus", async () => {
    using task = await atResearch();
    expect(await openedFor(task, DOUBTS, await answer(task, DOUBTS))).toBe(1);
    expect(await openedFor(task, OVERVIEW, await answer(task, OVERVIEW))).toBe(0);
  });

  test("of a document that has changed since stands in what it is now, once the change is accepted", async () => {
    using task = await atResearch();
    await task.handIn(DOUBTS, await answer(task, DOUBTS));
    writeFileSync(join(task.folder, "corpus", NAME), `# Options\n\n${CHANGED}\n`);
    // Control: until then the name stands for what was stored.
    expect((await refusal(task.handIn(OVERVIEW, quoting(CHANGED)))).facts["problems"]).toEqual([
      expect.stringContaining("is not in the document"),
    ]);
    await resumeRun(task.ports, task.runRoot, { onDrift: "continue" }, {});
    const old = (TEXT.split("\n\n")[1] ?? "").split(". ")[0] ?? "";
    expect((await refusal(task.handIn(OVERVIEW, quoting(old)))).code).toBe("AGENT_RESULT_INVALID");
    expect((await task.handIn(OVERVIEW, quoting(CHANGED))).result.state).toBe("waiting");
    expect((await verifyRun(task.ports, task.runRoot)).error).toBeNull();
  });

  test("of a document that was brought before the change stands in it as before", async () => {
    using task = await atResearch();
    const brought = "Options may also be read from a file of their own, one on each line.";
    const text = JSON.stringify({
      quotes: [{ document: "notes.md", text: brought, statement: brought, part_ids: ["parsing"] }],
    });
    const sources = [{ name: "notes.md", bytes: new TextEncoder().encode(`# Notes\n\n${brought}\n`) }];
    await task.handIn(DOUBTS, text, { sources });
    writeFileSync(join(task.folder, "corpus", NAME), `# Options\n\n${CHANGED}\n`);
    await resumeRun(task.ports, task.runRoot, { onDrift: "continue" }, {});
    expect((await task.handIn(OVERVIEW, text)).result.state).toBe("waiting");
  });
});
