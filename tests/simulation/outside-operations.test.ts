// Agents and people at a run, killed at any effect and given again: an answer handed to its owner, a document brought along, a
// plan approved, one role of a run that works by itself.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { taskDriver } from "../../src/drivers/task.ts";
import { replaced } from "../../src/kernel/replaced.ts";
import { approvePlan } from "../../src/operations/change/approve-plan.ts";
import { instructPlanner } from "../../src/operations/change/instruct-planner.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import { submitAnswer } from "../../src/operations/change/submit-answer.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import type { Driver } from "../../src/ports/driver.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { ReadAttached } from "../../src/ports/provider.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import type { DriverId } from "../../src/run/settings/settings.ts";
import { answerWell } from "../task/outside-agent.ts";
import { killedAnywhere, lookAt, unless, type KilledCommand } from "./killed-commands.ts";
import { DOCUMENTS, RUN_ROOT, type RunProcess, type RunWorld } from "./run-world.ts";
import { SWEEP_TIMEOUT_MS } from "./sweep.ts";
import { goOn, prompted, TaskOutside, waitingIn } from "./task-world.ts";
import { thoroughDriver } from "./thorough-driver.ts";
import type { Actor } from "./world.ts";

setDefaultTimeout(SWEEP_TIMEOUT_MS);

const ROW = "answers submitted, sources attached, `approve`, roles outside: killed or disk full";

async function recordsOf(world: RunWorld): Promise<AnyRecord[]> {
  return await world.process("reader").ports.store.records(RUN_ROOT);
}

/** The run comes to its report, and nothing of it was done twice. */
async function endsWell(world: RunWorld): Promise<string[]> {
  await goOn(world.process("end"));
  await verifyRun(world.process("verifier").ports, RUN_ROOT);
  const { state, requests } = await lookAt(world);
  const keys = world.outside.announced.flatMap(({ completed = [] }) => completed);
  return [
    ...unless(state === "completed", `the run is ${state}`),
    ...unless(requests.length === 0, "a request still stands"),
    ...unless(new Set(keys).size === keys.length, "a finished step was finished again"),
  ];
}

// --- handed over ----------------------------------------------------------------------------------------------------

/** The run as a process meets it whose owner works on and on. */
function owned(ports: Ports): Ports {
  const times = { expires_at_ms: 0, claimed_at_ms: 0, refreshed_at_ms: 0 };
  const by = { owner_id: "owner", epoch: 99, purpose: "work" as const, ...times };
  const acquire: Ports["store"]["acquire"] = async () => ({ kind: "held", by });
  return { ...ports, store: replaced(ports.store, { acquire }) };
}

/** Hands the answers to the first prompts of research over. */
async function handsOver({ ports, observer }: RunProcess, steps: readonly string[]): Promise<void> {
  for (const { key, prompt } of await waitingIn({ ports } as RunProcess)) {
    if (!steps.includes(key)) continue;
    const answer = new TextEncoder().encode(answerWell(prompt, DOCUMENTS));
    const given = { step: key, answer, by: { agent_run_id: "agent" }, replace: false, sources: [], waitSeconds: 0 };
    const { result } = await submitAnswer(owned(ports), RUN_ROOT, given, observer);
    if (!result.handed_over) throw new Error("it was not handed over");
  }
}

const BOTH = ["wave1:doubts", "wave1:overview"];

/** What was said to be handed over counts, and once. */
async function countsOnce(world: RunWorld, steps: readonly string[]): Promise<string[]> {
  await runRun(world.process("next").ports, RUN_ROOT, {}, world.outside.listen());
  const records = await recordsOf(world);
  const timesAnswered = (step: string): number =>
    records.filter(({ kind, data }) => kind === "step.answered" && (data as { key: string }).key === step).length;
  const { requests } = await lookAt(world);
  return [
    ...steps.flatMap((step) => unless(timesAnswered(step) === 1, `${step} was answered ${timesAnswered(step)} times`)),
    ...unless(requests.length === 0, "a request still stands"),
    ...(await endsWell(world)),
  ];
}

// --- brought, approved, one role ------------------------------------------------------------------------------------

const NOTE = "Options may also be read from a file of their own, one on each line.";

const readsNotes: ReadAttached = async ({ name, bytes }) => ({
  kind: "document",
  document: {
    origin: name,
    title: "Notes",
    media_type: "text/markdown",
    bytes,
    text: bytes,
    textFrom: { text_from: "bytes" },
  },
});

class BringingOutside extends TaskOutside {
  override readAttached = readsNotes;

  override clone(copy = new BringingOutside(this.documents)): BringingOutside {
    super.clone(copy);
    return copy;
  }
}

async function bringsNotes({ ports, observer }: RunProcess): Promise<void> {
  const quote = { document: "notes.md", text: NOTE, statement: NOTE, part_ids: ["parsing"] };
  const answer = new TextEncoder().encode(JSON.stringify({ quotes: [quote] }));
  const sources = [{ name: "notes.md", bytes: new TextEncoder().encode(`# Notes\n\n${NOTE}\n`) }];
  const given = { step: "wave1:overview", answer, by: { agent_run_id: "agent" }, replace: false, waitSeconds: 10 };
  await submitAnswer(ports, RUN_ROOT, { ...given, sources }, observer);
}

async function quotesNotesOnce(world: RunWorld): Promise<string[]> {
  const stored = (await recordsOf(world)).filter(
    (record) => record.kind === "source.stored" && record.data.source.origin === "notes.md",
  );
  return [...unless(stored.length === 1, `the document was stored ${stored.length} times`), ...(await endsWell(world))];
}

function approving(): TaskOutside {
  const outside = new TaskOutside(DOCUMENTS);
  outside.asked = { driver: "task", mode: "quick", policies: { approve_plan: true } };
  return outside;
}

const WISH = "Also look at costs.";

/** The planner was asked once more, and its new plan waited for a person before the run came to its report. */
async function plansTwice(world: RunWorld): Promise<string[]> {
  await goOn(world.process("planner"));
  const { manifest } = await lookAt(world);
  await approvePlan(world.process("person").ports, RUN_ROOT, null, {});
  await goOn(world.process("end"));
  await verifyRun(world.process("verifier").ports, RUN_ROOT);
  const records = await recordsOf(world);
  const times = (isMeant: (record: AnyRecord) => boolean): number => records.filter(isMeant).length;
  const wished = times(({ kind, data }) => kind === "step.reopened" && data.instruction === WISH);
  const made = times(({ kind, data }) => kind === "step.completed" && data.key === "perspectives:plan");
  return [
    ...unless(manifest.halt?.kind === "human_review", "the new plan waits for no person"),
    ...unless(wished === 1, `it was wished ${wished} times`),
    ...unless(made === 2, `the plan was made ${made} times`),
    ...unless((await lookAt(world)).state === "completed", "the run is not completed"),
  ];
}

/** Works by itself, but for its reviewer. */
class ReviewedOutside extends TaskOutside {
  override clone(copy = new ReviewedOutside(this.documents)): ReviewedOutside {
    super.clone(copy);
    return copy;
  }

  override driverFor(actor: Actor, id: DriverId = "local"): Driver {
    return this.watched(actor, id === "task" ? taskDriver : thoroughDriver);
  }
}

function reviewed(): ReviewedOutside {
  const outside = new ReviewedOutside(DOCUMENTS);
  outside.asked = { driver: "local", mode: "standard", roleDrivers: { reviewer: "task" } };
  return outside;
}

/** The answers to all prompts that wait. */
async function answersAll({ ports, observer }: RunProcess): Promise<void> {
  for (const { key, prompt } of await waitingIn({ ports } as RunProcess)) {
    const answer = new TextEncoder().encode(answerWell(prompt, DOCUMENTS));
    const given = { step: key, answer, by: { agent_run_id: "agent" }, replace: false, sources: [], waitSeconds: 10 };
    await submitAnswer(ports, RUN_ROOT, given, observer);
  }
}

const CASES: Record<string, KilledCommand> = {
  "answers that are handed to the owner": {
    begin: () => prompted("research"),
    command: (process) => handsOver(process, BOTH),
    violationsOf: (world) => countsOnce(world, BOTH),
  },
  "a tick that takes up what was handed over": {
    async begin() {
      const world = await prompted("research");
      await handsOver(world.process("agent"), BOTH);
      return world;
    },
    command: ({ ports, observer }) => runRun(ports, RUN_ROOT, {}, observer),
    violationsOf: (world) => countsOnce(world, BOTH),
  },
  "an answer that brings its document along": {
    begin: () => prompted("research", new BringingOutside(DOCUMENTS)),
    command: bringsNotes,
    violationsOf: quotesNotesOnce,
  },
  "`approve` of a plan as it stands": {
    begin: () => prompted(undefined, approving()),
    command: ({ ports, observer }) => approvePlan(ports, RUN_ROOT, null, observer),
    doneAlready: "INVALID_STATE",
    violationsOf: endsWell,
  },
  "`approve` with a sentence": {
    begin: () => prompted(undefined, approving()),
    command: ({ ports, observer }) => instructPlanner(ports, RUN_ROOT, WISH, observer),
    violationsOf: plansTwice,
  },
  "the review of a run that works by itself": {
    begin: () => prompted("review", reviewed()),
    command: answersAll,
    violationsOf: endsWell,
  },
};

describe("killed at any effect or on a full disk, and given again", () => {
  for (const [name, one] of Object.entries(CASES))
    test(`${name} (S1, S4)`, async () => expect(await killedAnywhere(ROW, one, 8)).toEqual([]));
});

describe("control", () => {
  test("an answer that nobody took up is missed", async () => {
    const world = await prompted("research");
    const { ports, observer } = world.process("agent");
    await handsOver({ ports, observer } as RunProcess, BOTH);
    for (const { request_id } of (await lookAt(world)).requests) await ports.store.withdraw(RUN_ROOT, request_id);
    expect((await countsOnce(world, BOTH)).slice(0, 2)).toEqual(BOTH.map((step) => `${step} was answered 0 times`));
  });

  test("an answer that counts twice is seen", async () => {
    const world = await prompted("research");
    await handsOver(world.process("agent"), BOTH);
    await runRun(world.process("owner").ports, RUN_ROOT, {}, {});
    await goOn(world.process("agent 2"), "verify");
    const [one = ""] = BOTH;
    const another = { quotes: [], gaps: [], notes: ["Nothing is there."] };
    const answer = new TextEncoder().encode(JSON.stringify(another));
    const given = { step: one, answer, by: { agent_run_id: "b" }, replace: true, sources: [], waitSeconds: 1 };
    await submitAnswer(world.process("b").ports, RUN_ROOT, given, {});
    expect(await countsOnce(world, BOTH)).toContain(`${one} was answered 2 times`);
  });

  test("a sentence that nobody said is missed", async () => {
    expect(await plansTwice(await prompted(undefined, approving()))).toEqual([
      "it was wished 0 times",
      "the plan was made 1 times",
    ]);
  });

  test("a document that nobody brought, and a plan that nobody approved, are missed", async () => {
    expect(await quotesNotesOnce(await prompted("research"))).toContain("the document was stored 0 times");
    expect(await endsWell(await prompted(undefined, approving()))).toContain("the run is running");
  });

  test("a review that nobody gave is missed", async () => {
    const world = await prompted("review", reviewed());
    await runRun(world.process("cron").ports, RUN_ROOT, {}, {});
    expect((await lookAt(world)).state).toBe("running");
  });
});
