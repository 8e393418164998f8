// Tests of whole runs through the real command line, with commands that are killed and repeated. They wait for what a command
// has changed, never for a time.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installedHost, OpenCodeProject, type Turn } from "../opencode/host.ts";
import { call, TaskAgent } from "../opencode/task-agent.ts";
import { DOCUMENTS } from "../simulation/run-world.ts";
import type { RecordData } from "../../src/run/log/record.ts";
import { answerWell, readPrompt } from "./outside-agent.ts";
import { given, givenThroughKill, onceChanged, type Ended, type Place } from "./killed-command.ts";
import { asks, GOOD_AGENT, TaskRun, type Agent } from "./task-run.ts";

const TIMEOUT_MS = 600_000;
const openCode = installedHost();
const MOST_ROUNDS = 60;

const placeOf = ({ folder, runRoot }: TaskRun): Place => ({ home: folder, runRoot });

function startWords({ folder, runsRoot }: TaskRun, ...more: string[]): string[] {
  const corpus = join(folder, "corpus");
  const words = [
    "start",
    "How are options parsed?",
    "--corpus",
    corpus,
    "--runs-root",
    runsRoot,
    "--run-id",
    "dr_task",
  ];
  return [...words, "--driver", "task", "--mode", "quick", ...more];
}

const handInWords = ({ runRoot }: TaskRun, step: string): string[] => [
  "agent-result",
  runRoot,
  "--step",
  step,
  "--input",
  "-",
  "--agent-run-id",
  "agent",
];

type Give = (place: Place, words: readonly string[], input?: string) => Promise<Ended>;

/** As an agent goes on that has nothing but the command line: answers all that waits, then has the run go on by `onward`. */
async function toTheEnd(task: TaskRun, onward: string[], give: Give, agent: Agent = GOOD_AGENT): Promise<Ended> {
  const place = placeOf(task);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    for (const { key, prompt } of await task.waiting()) {
      const { code, said } = await give(place, handInWords(task, key), agent(prompt));
      if (code !== 0) throw new Error(`${key}: ${said}`);
    }
    if ((await task.waiting()).length > 0) continue;
    const last = await give(place, onward);
    if (last.code !== 3 && (await task.ports.store.look(task.runRoot)).state === "completed") return last;
  }
  throw new Error("the run comes to no end");
}

async function reportOf(task: TaskRun): Promise<string> {
  expect((await given(placeOf(task), ["verify", task.runRoot])).code).toBe(0);
  return readFileSync(join(task.runRoot, "reports/1/report.json"), "utf8");
}

async function answersOf({ ports, runRoot }: TaskRun): Promise<RecordData<"step.answered">[]> {
  const records = await ports.store.records(runRoot);
  return records.flatMap((record) => (record.kind === "step.answered" ? [record.data] : []));
}

const answeredBy = async (task: TaskRun): Promise<string[]> => (await answersOf(task)).map(({ by }) => by.agent_run_id);

/** Every answer that was taken counts once. */
async function answeredTwice(task: TaskRun): Promise<string[]> {
  const asked = (await answersOf(task)).map(({ key, name }) => `${key} ${name}`);
  return asked.filter((one, at) => asked.indexOf(one) !== at);
}

test(
  "a task run to completion: every command killed, and the report is that of a run that nobody disturbed",
  async () => {
    using quiet = new TaskRun();
    await given(placeOf(quiet), startWords(quiet));
    await toTheEnd(quiet, ["run", quiet.runRoot], given);
    using killed = new TaskRun();
    const { code } = await givenThroughKill(placeOf(killed), startWords(killed));
    expect(code).toBe(3);
    await toTheEnd(killed, ["run", killed.runRoot], givenThroughKill);
    expect(await reportOf(killed)).toBe(await reportOf(quiet));
    // Control: they died at work, and others took the run over from them.
    expect((await killed.manifest()).counters.takeovers).toBeGreaterThan(3);
    expect(await answeredTwice(killed)).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  "a bad result mended: refused with every fault, killed while the mended one is handed in, and taken once",
  async () => {
    using task = new TaskRun();
    await task.start();
    const place = placeOf(task);
    const words = handInWords(task, "perspectives:plan");
    const plan = GOOD_AGENT((await task.waiting())[0]?.prompt ?? "");
    const { perspectives, ...rest } = JSON.parse(plan) as { perspectives: object[] };
    const wrong = { ...rest, perspectives: perspectives.map((one) => ({ ...one, part_ids: ["none"] })) };
    const bad = await givenThroughKill(place, words, JSON.stringify(wrong));
    expect(bad.code).toBe(2);
    expect(bad.said).toContain("names the unknown part none");
    expect(await given(place, words, "{}")).toMatchObject({ code: 2 });
    expect((await givenThroughKill(place, words, plan)).code).toBe(0);
    expect(await answeredTwice(task)).toEqual([]);
    await task.goOn();
    await reportOf(task);
  },
  TIMEOUT_MS,
);

test(
  "a review that asks for a change: killed while it is handed in and while the page is written again, the text has changed",
  async () => {
    using task = new TaskRun({ mode: "standard" });
    await task.start();
    await task.goOn(GOOD_AGENT, asks("review"));
    let reviews = 0;
    const critical: Agent = (prompt) => {
      if (readPrompt(prompt).who !== "review") return answerWell(prompt, DOCUMENTS);
      const directive = { kind: "other", target: "s1", detail: "Say it in other words." };
      return JSON.stringify(
        ++reviews === 1 ? { decision: "revise", directives: [directive] } : { decision: "accept", directives: [] },
      );
    };
    await toTheEnd(task, ["run", task.runRoot], givenThroughKill, critical);
    expect(reviews).toBe(2);
    expect((await reportOf(task)).match(/Said again/g)).toHaveLength(1);
    expect(await answeredTwice(task)).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  "a plan that a person approves: killed while it is started and approved, it goes on once, with what the person left in it",
  async () => {
    using task = new TaskRun();
    const place = placeOf(task);
    await givenThroughKill(place, startWords(task, "--approve-plan"));
    const [{ key, prompt } = { key: "", prompt: "" }] = await task.waiting();
    expect((await given(place, handInWords(task, key), GOOD_AGENT(prompt))).code).toBe(0);
    expect((await given(place, ["run", task.runRoot])).said).toContain("HUMAN_REVIEW_REQUIRED");
    const draft = readFileSync(join(task.runRoot, "operator/drafts/plan.1.json"), "utf8");
    const edited = draft.replace("How it works", "How it really works");
    expect(edited).not.toBe(draft);
    const file = join(task.folder, "plan.json");
    writeFileSync(file, edited);
    const { code, said } = await givenThroughKill(place, ["approve", task.runRoot, "--input", file]);
    // One that was killed behind its last record has done it.
    if (code !== 0) expect(said).toContain("no plan waits for approval");
    await toTheEnd(task, ["run", task.runRoot], given);
    expect(readFileSync(join(task.runRoot, "perspectives.json"), "utf8")).toContain("How it really works");
    const approved = (await task.ports.store.records(task.runRoot)).filter(({ kind }) => kind === "plan.approved");
    expect(approved).toHaveLength(1);
    await reportOf(task);
  },
  TIMEOUT_MS,
);

test(
  "a run begun in a terminal that is killed, taken on by cron and answered by an agent, each killed too",
  async () => {
    using task = new TaskRun();
    const place = placeOf(task);
    await givenThroughKill(place, startWords(task));
    const cron = ["tick", "--all", "--runs-root", task.runsRoot];
    await toTheEnd(task, cron, givenThroughKill);
    expect(await answeredTwice(task)).toEqual([]);
    await reportOf(task);
    // Cron has nothing more to do.
    expect(await given(place, cron)).toMatchObject({ code: 0 });
  },
  TIMEOUT_MS,
);

const LAST_HAND_IN = 4;

test.skipIf(openCode === null)(
  "a run handed from a terminal to OpenCode to cron: the host dies while its agent hands in, and the shell ends what it began",
  async () => {
    using task = new TaskRun();
    expect((await given(placeOf(task), startWords(task))).code).toBe(3);
    await using host = new OpenCodeProject(String(openCode), new Map());
    await host.listen();
    host.configure({});
    expect(host.cli("opencode", "install").code).toBe(0);
    const agent = new TaskAgent(call("deep_research_status", { run: task.runRoot }), DOCUMENTS);
    let handsIn = 0;
    let killed = Promise.resolve();
    const session = await host.session(
      (turn: Turn) => {
        const answer = agent.turn(turn);
        const isHandIn = answer.kind === "message" && answer.tool_calls?.[0]?.name === "deep_research_agent_result";
        if (isHandIn && ++handsIn === LAST_HAND_IN) killed = onceChanged(placeOf(task)).then(() => host.kill());
        return answer;
      },
      "--agent",
      "researcher",
      `go on with ${task.runRoot}`,
    );
    await killed;
    expect(session.code).toBe(137);
    // The first one was refused, and the last one may have been cut off.
    expect((await answeredBy(task)).length).toBeGreaterThanOrEqual(LAST_HAND_IN - 2);
    const cron = ["tick", "--all", "--runs-root", task.runsRoot];
    await toTheEnd(task, cron, given);
    expect(await answeredTwice(task)).toEqual([]);
    await reportOf(task);
    // Control: both have answered.
    const names = await answeredBy(task);
    expect(new Set(names).size).toBe(2);
    expect(names.at(-1)).toBe("agent");
  },
  TIMEOUT_MS,
);
