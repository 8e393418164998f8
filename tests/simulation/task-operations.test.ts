// A run of the task driver in the simulated world: a tick that prompts, and answers that are handed in, killed at any effect and
// given again, come to the report of an uninterrupted run.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { taskDriver } from "../../src/drivers/task.ts";
import { runRun } from "../../src/operations/run-run.ts";
import { startRun } from "../../src/operations/start-run.ts";
import { takeResult } from "../../src/operations/take-result.ts";
import { verifyRun } from "../../src/operations/verify-run.ts";
import type { InitOptions } from "../../src/operations/options.ts";
import type { Driver } from "../../src/ports/driver.ts";
import type { Provider } from "../../src/ports/provider.ts";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import { answerWell, readPrompt, type ReadPrompt } from "../task/outside-agent.ts";
import { killedAnywhere, lookAt, unless, type KilledCommand } from "./killed-commands.ts";
import { Outside } from "./run-outside.ts";
import { SWEEP_TIMEOUT_MS } from "./sweep.ts";
import { DOCUMENTS, RUN_ROOT, RunWorld, startOptions, type RunProcess } from "./run-world.ts";
import type { Actor } from "./world.ts";

setDefaultTimeout(SWEEP_TIMEOUT_MS);

class TaskOutside extends Outside {
  override asked: Partial<InitOptions> = { driver: "task", mode: "quick" };

  override clone(copy = new TaskOutside(this.documents)): TaskOutside {
    super.clone(copy);
    return copy;
  }

  override driverFor(actor: Actor): Driver {
    return this.watched(actor, taskDriver);
  }

  protected override providerFor(actor: Actor, corpus: string): Provider {
    const provider = super.providerFor(actor, corpus);
    return {
      ...provider,
      open: async (origin, signal) => {
        const text = this.documents.get(origin.slice(corpus.length + 1)) ?? "";
        return await provider.fetch({ origin, document_digest: digestOfBytes(text) }, signal);
      },
    };
  }
}

async function waitingIn({ ports }: RunProcess): Promise<{ key: string; prompt: string }[]> {
  const { manifest } = await ports.store.look(RUN_ROOT);
  const waits = Object.entries(manifest.steps).flatMap(([key, { waits_for }]) =>
    waits_for === undefined ? [] : [{ key, ref: waits_for.prompt }],
  );
  return await Promise.all(
    waits.map(async ({ key, ref }) => ({
      key,
      prompt: new TextDecoder().decode(await ports.store.readContent(RUN_ROOT, ref)),
    })),
  );
}

async function handIn({ ports, observer }: RunProcess, key: string, prompt: string, replace = false): Promise<unknown> {
  const answer = new TextEncoder().encode(answerWell(prompt, DOCUMENTS));
  const by = { agent_run_id: "agent" };
  return await takeResult(ports, RUN_ROOT, { step: key, answer, by, replace, sources: [], waitSeconds: 10 }, observer);
}

/** Answers and goes on, until prompts of that kind wait, or to the end. */
async function goOn(process: RunProcess, until?: ReadPrompt["who"]): Promise<void> {
  for (let round = 0; round < 60; round++) {
    const waiting = await waitingIn(process);
    if (waiting.some(({ prompt }) => readPrompt(prompt).who === until)) return;
    for (const { key, prompt } of waiting) await handIn(process, key, prompt);
    if ((await waitingIn(process)).length > 0) continue;
    const { error } = await runRun(process.ports, RUN_ROOT, {}, process.observer);
    if (error?.code !== "RUN_AGENT_REQUIRED") return;
  }
  throw new Error("the run comes to no end");
}

async function prompted(until?: ReadPrompt["who"]): Promise<RunWorld> {
  const world = new RunWorld(undefined, new TaskOutside(DOCUMENTS));
  const process = world.process("first");
  await startRun(process.ports, startOptions(process.asked), process.observer);
  await goOn(process, until);
  return world;
}

let reference: string | undefined;
beforeAll(async () => {
  reference = (await lookAt(await prompted())).manifest.report_versions[0]?.digest;
});

async function endsWell(world: RunWorld): Promise<string[]> {
  const process = world.process("end");
  await goOn(process);
  await verifyRun(process.ports, RUN_ROOT);
  const { state, manifest } = await lookAt(world);
  const again = world.outside.announced.filter(({ completed }) => completed !== undefined);
  const keys = again.map(({ completed }) => completed);
  return [
    ...unless(state === "completed", `the run is ${state}`),
    ...unless(manifest.report_versions[0]?.digest === reference, "it ends in another report"),
    ...unless(new Set(keys).size === keys.length, "a finished step was finished again"),
  ];
}

/** The answer to the first prompt of that kind. */
const answers =
  (who: ReadPrompt["who"]) =>
  async (process: RunProcess): Promise<unknown> => {
    const wanted = (await waitingIn(process)).find(({ prompt }) => readPrompt(prompt).who === who);
    return wanted === undefined ? undefined : await handIn(process, wanted.key, wanted.prompt);
  };

/** Another answer for a step that was answered before. */
async function replaces(process: RunProcess): Promise<unknown> {
  const { ports } = process;
  const asked = (await ports.store.records(RUN_ROOT)).find(
    (record) => record.kind === "step.waiting" && record.data.key === REPLACED,
  );
  if (asked?.kind !== "step.waiting") throw new Error("nobody was asked");
  const prompt = new TextDecoder().decode(await ports.store.readContent(RUN_ROOT, asked.data.prompt));
  return await handIn(process, REPLACED, prompt, true);
}

const REPLACED = "wave1:overview";

const CASES: Record<string, KilledCommand> = {
  "the answer that ends a step and the halt": {
    begin: () => prompted("plan"),
    command: answers("plan"),
    violationsOf: endsWell,
  },
  "one of two answers, behind which the step asks further": {
    begin: () => prompted("research"),
    command: answers("research"),
    violationsOf: endsWell,
  },
  "an answer that replaces that of a finished step": {
    async begin() {
      const world = await prompted("research");
      const { ports } = world.process("doubter");
      const answer = new TextEncoder().encode(JSON.stringify({ quotes: [], gaps: [], notes: ["Nothing is there."] }));
      const by = { agent_run_id: "doubter" };
      await takeResult(
        ports,
        RUN_ROOT,
        { step: REPLACED, answer, by, replace: false, sources: [], waitSeconds: 1 },
        {},
      );
      return world;
    },
    command: replaces,
    violationsOf: endsWell,
  },
  "a page": { begin: () => prompted("draft"), command: answers("draft"), violationsOf: endsWell },
  "a tick that writes the prompts of a stage": {
    async begin() {
      const world = await prompted("plan");
      await answers("plan")(world.process("planner"));
      return world;
    },
    command: ({ ports, observer }) => runRun(ports, RUN_ROOT, {}, observer),
    violationsOf: endsWell,
  },
};

const ROW = "prompts and `agent-result`: killed or disk full";

describe("killed at any effect or on a full disk, and given again", () => {
  for (const [name, one] of Object.entries(CASES))
    test(`${name} (S1, S4)`, async () => expect(await killedAnywhere(ROW, one, 8)).toEqual([]));

  test("control: an agent that answers otherwise ends in another report", async () => {
    const world = await prompted("draft");
    const process = world.process("other");
    const [{ key, prompt } = { key: "", prompt: "" }] = await waitingIn(process);
    const answer = new TextEncoder().encode(
      answerWell(prompt, DOCUMENTS).replaceAll("As the documents say", "It is written"),
    );
    const by = { agent_run_id: "agent" };
    await takeResult(
      process.ports,
      RUN_ROOT,
      { step: key, answer, by, replace: false, sources: [], waitSeconds: 1 },
      {},
    );
    const [first] = await endsWell(world);
    expect(first).toBe("it ends in another report");
  });
});
