// Tests of answers while another process works on the run: they are handed to it, judged by it, and count once.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { replaced } from "../../src/kernel/replaced.ts";
import { inspectStepText } from "../../src/cli/text/inspect-text.ts";
import { PLAIN } from "../../src/cli/terminal/style.ts";
import { inspectStep } from "../../src/operations/look/inspect-step.ts";
import { statusFrom } from "../../src/operations/look/status.ts";
import { abortRun } from "../../src/operations/change/stop-run.ts";
import { tickAll } from "../../src/operations/change/tick-all.ts";
import { triageRun } from "../../src/operations/look/triage-run.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { submitAnswer, type SubmitOptions, type SubmitResult } from "../../src/operations/change/submit-answer.ts";
import { slowAt } from "./slow-run.ts";
import { asks, GOOD_AGENT, refusal, TaskRun } from "./task-run.ts";

const PLAN = "perspectives:plan";
const OVERVIEW = "wave1:overview";
const DOUBTS = "wave1:doubts";

async function atResearch(): Promise<TaskRun> {
  const task = new TaskRun();
  await task.start();
  await task.goOn(GOOD_AGENT, asks("research"));
  return task;
}

/** The plan stands, and the next tick asks the researchers. */
async function atPlan(): Promise<TaskRun> {
  const task = new TaskRun();
  await task.start();
  const [{ key, prompt } = { key: "", prompt: "" }] = await task.waiting();
  await task.handIn(key, GOOD_AGENT(prompt));
  return task;
}

async function answerFor(task: TaskRun, step: string): Promise<string> {
  return GOOD_AGENT((await task.waiting()).find(({ key }) => key === step)?.prompt ?? "");
}

/** While `work` is done, another process holds the lease of the run. */
async function whileOwned<T>(task: TaskRun, work: () => Promise<T>): Promise<T> {
  const acquired = await task.ports.store.acquire(task.runRoot, { reason: "test", lease_seconds: 60 });
  if (acquired.kind === "held") throw new Error("held");
  try {
    return await work();
  } finally {
    await acquired.writer.release();
  }
}

async function handOver(
  task: TaskRun,
  step: string,
  answer: string,
  more: Partial<SubmitOptions> = {},
): Promise<SubmitResult> {
  return (await task.handIn(step, answer, { waitSeconds: 0, ...more })).result;
}

const requestsOf = ({ runRoot }: TaskRun): string[] =>
  existsSync(join(runRoot, "requests")) ? readdirSync(join(runRoot, "requests")) : [];

/** Gives the request that was written last another name, which its owner goes by. */
function renameRequest(task: TaskRun, id: string): void {
  const folder = join(task.runRoot, "requests");
  const old = requestsOf(task).find((name) => /^result-[0-9a-f]{12}\.json$/.test(name)) ?? "";
  const request = JSON.parse(readFileSync(join(folder, old), "utf8")) as object;
  writeFileSync(join(folder, `${id}.json`), JSON.stringify({ ...request, request_id: id }));
  renameSync(join(folder, old.replace(/json$/, "0")), join(folder, `${id}.0`));
  rmSync(join(folder, old));
}

/** What became of all that was submitted to the researchers, as the journal has it. */
async function became({ ports, runRoot }: TaskRun): Promise<string[]> {
  const records = await ports.store.records(runRoot);
  return records
    .flatMap((record) => (record.kind === "request.result" ? [record.data] : []))
    .flatMap(({ step, outcome }) => (step === PLAN ? [] : [`${step} ${outcome}`]))
    .toSorted();
}

async function answersTo({ ports, runRoot }: TaskRun, step: string): Promise<number> {
  const records = await ports.store.records(runRoot);
  return records.filter((record) => record.kind === "step.answered" && record.data.key === step).length;
}

describe("while another process works on the run, an answer", () => {
  test("that is not fit is refused by its owner with every fault, and whoever waits is told", async () => {
    using task = await atResearch();
    const wrong = JSON.stringify({
      quotes: [{ document: "nowhere.md", text: "Nobody wrote this anywhere.", statement: "x", part_ids: ["none"] }],
    });
    const { told } = await whileOwned(task, async () => {
      const answering = refusal(task.handIn(OVERVIEW, wrong, { waitSeconds: 30 }));
      while (requestsOf(task).length < 2) await Bun.sleep(2);
      return { told: answering };
    });
    await task.run();
    const { code, facts } = await told;
    expect(code).toBe("AGENT_RESULT_INVALID");
    expect(String(facts["problems"])).toContain("there is no part none");
    expect(String(facts["problems"])).toContain("cannot be read");
    expect(requestsOf(task)).toEqual([]);
    expect(await answersTo(task, OVERVIEW)).toBe(0);
    // Control: for a step that waits for nothing, nothing is handed over.
    const none = await whileOwned(task, () => refusal(handOver(task, "wave1:none", wrong)));
    expect([none.code, requestsOf(task)]).toEqual(["NOT_FOUND", []]);
  });

  test("with words of which a byte was lost is refused", async () => {
    using task = new TaskRun();
    const lines = [
      "A lease of the harbour ends af",
      0xff,
      "er two minutes.\n\nThe harbour keeps every lease in a book.\n",
    ];
    const bytes = lines.map((one) => (typeof one === "number" ? Uint8Array.of(one) : Buffer.from(one)));
    writeFileSync(join(task.folder, "corpus", "harbour.txt"), Buffer.concat(bytes));
    await task.start();
    await task.goOn(GOOD_AGENT, asks("research"));
    const quoting = (text: string): string =>
      JSON.stringify({ quotes: [{ document: "harbour.txt", text, statement: "A lease.", part_ids: ["none"] }] });
    const problemsOf = async (text: string): Promise<string> =>
      String((await refusal(task.handIn(OVERVIEW, quoting(text)))).facts["problems"]);
    expect(await problemsOf("A lease of the harbour ends af\uFFFDer two minutes.")).toContain("could not be read");
    const whole = await problemsOf("The harbour keeps every lease in a book.");
    expect(whole).not.toContain("could not be read");
    expect(whole).not.toContain("stand");
  });

  test("that is fit is on disk when it says so, and the next tick takes all of them up, each once", async () => {
    using task = await atResearch();
    const given = await whileOwned(task, async () => {
      const all = [];
      for (const step of [OVERVIEW, DOUBTS, OVERVIEW])
        all.push(await handOver(task, step, await answerFor(task, step)));
      return all;
    });
    expect(given.map(({ handed_over, already }) => [handed_over, already])).toEqual(given.map(() => [true, false]));
    expect(requestsOf(task)).toHaveLength(6);
    expect((await task.ports.store.look(task.runRoot)).state).toBe("running");
    await task.run();
    expect(requestsOf(task)).toEqual([]);
    expect(await became(task)).toEqual([`${DOUBTS} taken`, `${OVERVIEW} already`, `${OVERVIEW} taken`]);
    expect([await answersTo(task, OVERVIEW), await answersTo(task, DOUBTS)]).toEqual([1, 1]);
    await task.goOn();
    expect((await task.ports.store.look(task.runRoot)).state).toBe("completed");
    expect((await verifyRun(task.ports, task.runRoot)).error).toBeNull();
  });

  test("may bring a document along, and cron takes it up", async () => {
    using task = await atResearch();
    const text = "Options may also be read from a file of their own, one on each line.";
    const answer = JSON.stringify({
      quotes: [{ document: "notes.md", text, statement: text, part_ids: ["parsing"] }],
    });
    const sources = [{ name: "notes.md", bytes: new TextEncoder().encode(`# Notes\n\n${text}\n`) }];
    await whileOwned(task, () => handOver(task, OVERVIEW, answer, { sources }));
    expect((await triageRun(task.ports, task.runRoot)).result.findings.map(({ condition }) => condition)).toContain(
      "request_waits",
    );
    const { result } = await tickAll(task.ports, task.runsRoot, { jobs: 1 }, {});
    expect(result.runs.map(({ run_id }) => run_id)).toEqual(["dr_task"]);
    expect(await became(task)).toEqual([`${OVERVIEW} taken`]);
    // What is left waits as before, and cron lets the run alone.
    expect((await tickAll(task.ports, task.runsRoot, { jobs: 1 }, {})).result.runs).toEqual([]);
  });

  test("is taken by whoever hands it in where the process ends meanwhile", async () => {
    using task = await atResearch();
    const answer = await answerFor(task, OVERVIEW);
    const handedIn = await whileOwned(task, async () => {
      const waits = task.handIn(OVERVIEW, answer, { waitSeconds: 30 });
      while (requestsOf(task).length < 2) await Bun.sleep(2);
      return { waits };
    });
    expect((await handedIn.waits).result).toMatchObject({ handed_over: false, already: false, state: "waiting" });
    expect(requestsOf(task)).toEqual([]);
    expect(await became(task)).toEqual([`${OVERVIEW} taken`]);
  });

  test("that does not fit any more when it is taken up is refused, and the journal says why", async () => {
    using task = await atResearch();
    const [one, other] = [await answerFor(task, OVERVIEW), await answerFor(task, OVERVIEW)];
    await whileOwned(task, () => handOver(task, OVERVIEW, one));
    // The older of two is taken up first.
    expect((await refusal(task.handIn(OVERVIEW, other.replace("costs", "is paid")))).code).toBe("AGENT_RESULT_INVALID");
    const { error } = await task.run();
    expect(error?.code).toBe("RUN_AGENT_REQUIRED");
    expect(await became(task)).toEqual([`${OVERVIEW} refused`, `${OVERVIEW} taken`]);
    expect(await answersTo(task, OVERVIEW)).toBe(1);
    expect(requestsOf(task)).toEqual([]);
  });

  test("is shown with its step: unread at first, then with the reason why it was refused", async () => {
    using task = await atResearch();
    const shown = async () => (await inspectStep(task.ports, task.runRoot, OVERVIEW)).result;
    const [one, other] = [await answerFor(task, OVERVIEW), await answerFor(task, OVERVIEW)];
    await whileOwned(task, () => handOver(task, OVERVIEW, one));
    expect((await shown()).handed_over).toMatchObject([{ outcome: "unread", problems: [] }]);
    expect((await inspectStep(task.ports, task.runRoot, DOUBTS)).result.handed_over).toEqual([]);
    await refusal(task.handIn(OVERVIEW, other.replace("costs", "is paid")));
    await task.run();
    const view = await shown();
    expect(view.handed_over).toMatchObject([{ outcome: "taken" }, { outcome: "refused" }]);
    const [, { problems } = { problems: [] }] = view.handed_over;
    expect(problems.length).toBeGreaterThan(0);
    expect(inspectStepText(view, PLAIN)).toContain(`refused  ${problems[0]}`.slice(0, 60));
  });

  test("whose bytes are not what was handed in is refused", async () => {
    using task = await atResearch();
    await whileOwned(task, async () => await handOver(task, OVERVIEW, await answerFor(task, OVERVIEW)));
    const part = requestsOf(task).find((name) => name.endsWith(".0")) ?? "";
    writeFileSync(join(task.runRoot, "requests", part), "{}");
    await task.run();
    expect(await became(task)).toEqual([`${OVERVIEW} refused`]);
  });

  test("is judged by its owner with what the server of a page said of it", async () => {
    using task = await atResearch();
    const url = "https://example.org/notes";
    const text = "<options> begin with a dash & nothing else does.";
    const answer = JSON.stringify({ quotes: [{ document: url, text, statement: text, part_ids: ["parsing"] }] });
    const bytes = new TextEncoder().encode(text);
    const sources = [{ name: url, bytes, media_type: "text/plain", title: "Notes" }];
    await whileOwned(task, () => handOver(task, OVERVIEW, answer, { sources }));
    await task.run();
    expect(await became(task)).toEqual([`${OVERVIEW} taken`]);
    const [source] = (await task.ports.store.records(task.runRoot)).flatMap((record) =>
      record.kind === "source.stored" && record.data.source.origin === url ? [record.data.source] : [],
    );
    expect(source).toMatchObject({ media_type: "text/plain", title: "Notes" });
  });

  test("whose request somebody else wrote, with bytes that are no text, is refused, and the run goes on", async () => {
    using task = await atResearch();
    await whileOwned(task, async () => await handOver(task, OVERVIEW, await answerFor(task, OVERVIEW)));
    const name = requestsOf(task).find((file) => file.endsWith(".json")) ?? "";
    const file = join(task.runRoot, "requests", name);
    const bytes = new Uint8Array([0x7b, 0xff, 0x7d]);
    const request = JSON.parse(readFileSync(file, "utf8")) as object;
    writeFileSync(file, JSON.stringify({ ...request, answer: { sha256: digestOfBytes(bytes), bytes: 3 } }));
    writeFileSync(file.replace(/json$/, "0"), bytes);
    expect((await task.run()).error?.code).toBe("RUN_AGENT_REQUIRED");
    expect(await became(task)).toEqual([`${OVERVIEW} refused`]);
    expect(requestsOf(task)).toEqual([]);
  });

  test("that was handed over last is the one that stands, of several that replace another", async () => {
    for (const names of [
      ["result-1", "result-2"],
      ["result-2", "result-1"],
    ]) {
      using task = await atResearch();
      const answer = await answerFor(task, OVERVIEW);
      const later = answer.replace("costs", "is paid");
      await whileOwned(task, async () => {
        for (const [at, text] of [answer, later].entries()) {
          await handOver(task, OVERVIEW, text, { replace: true });
          renameRequest(task, names[at] ?? "");
          await Bun.sleep(2);
        }
      });
      await task.run();
      expect(await became(task)).toEqual([`${OVERVIEW} taken`, `${OVERVIEW} taken`]);
      const last = (await task.ports.store.records(task.runRoot)).findLast(({ kind }) => kind === "step.answered");
      expect(last?.data).toMatchObject({ answer: { sha256: digestOfBytes(later) } });
    }
  });

  test("costs no reading of the journal while it waits for its owner", async () => {
    using task = await atResearch();
    const counted = { look: 0, records: 0 };
    const store = replaced(task.ports.store, {
      look: async (...asked) => (counted.look++, await task.ports.store.look(...asked)),
      records: async (...asked) => (counted.records++, await task.ports.store.records(...asked)),
    });
    const given = { step: OVERVIEW, answer: new TextEncoder().encode(await answerFor(task, OVERVIEW)) };
    const waits = await whileOwned(task, async () => {
      const options = { ...given, by: { agent_run_id: "a" }, replace: false, sources: [], waitSeconds: 30 };
      const taken = submitAnswer({ ...task.ports, store }, task.runRoot, options, {});
      while (requestsOf(task).length < 2) await Bun.sleep(2);
      const { look, records } = counted;
      while (counted.look < look + 5) await Bun.sleep(2);
      expect(counted.records - records).toBeLessThan(3);
      return { taken };
    });
    expect((await waits.taken).result).toMatchObject({ handed_over: false, already: false });
  });

  test("counts for nothing once the run has ended", async () => {
    using task = await atResearch();
    await whileOwned(task, async () => await handOver(task, OVERVIEW, await answerFor(task, OVERVIEW)));
    await abortRun(task.ports, task.runRoot, { waitSeconds: 5 });
    expect((await triageRun(task.ports, task.runRoot)).result.findings.map(({ condition }) => condition)).not.toContain(
      "request_waits",
    );
    expect(await answersTo(task, OVERVIEW)).toBe(0);
  });

  test("is too late when the run has ended before its owner looked, as a stop is", async () => {
    using task = await atResearch();
    await whileOwned(task, async () => await handOver(task, OVERVIEW, await answerFor(task, OVERVIEW)));
    const seen = async () => {
      const { result } = await inspectStep(task.ports, task.runRoot, OVERVIEW);
      const run = await task.ports.store.look(task.runRoot);
      return {
        ...result.handed_over[0],
        pending: statusFrom(run).pending_requests,
        text: inspectStepText(result, PLAIN),
      };
    };
    expect(await seen()).toMatchObject({ outcome: "unread", pending: ["result"] });
    await abortRun(task.ports, task.runRoot, { waitSeconds: 5 });
    await task.ports.store.request(task.runRoot, {
      schema_version: "request.v1",
      request_id: "pause-1",
      kind: "pause",
      reason: "sleep",
      requested_at: "2026-01-01T00:00:00.000Z",
    });
    const after = await seen();
    expect(after).toMatchObject({
      outcome: "too_late",
      problems: ["the run ended (aborted) before it was read"],
      pending: [],
    });
    expect(after.text).toContain("too late  the run ended (aborted) before it was read");
  });
});

test("the process that works on the run takes an answer up between two steps, in the same tick", async () => {
  using task = await atPlan();
  // One researcher is slow to ask; the other one waits already.
  const slow = await slowAt(task, DOUBTS, 1);
  const handedIn = await handOver(task, OVERVIEW, await answerFor(task, OVERVIEW));
  expect(handedIn.handed_over).toBe(true);
  expect((await slow.end()).error?.code).toBe("RUN_AGENT_REQUIRED");
  expect(await became(task)).toEqual([`${OVERVIEW} taken`]);
  const { steps, halt } = await task.manifest();
  expect(halt).toMatchObject({ kind: "agent_required", details: { reason: "2 steps wait for an agent's answer" } });
  expect(steps[OVERVIEW]?.waits_for?.name).not.toBe("research");
});
