// A run of the task driver in the simulated world: a tick that prompts, and answers that are handed in, killed at any effect and
// given again, come to the report of an uninterrupted run.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { runRun } from "../../src/operations/change/run-run.ts";
import { submitAnswer } from "../../src/operations/change/submit-answer.ts";
import { verifyRun } from "../../src/operations/care/verify-run.ts";
import { answerWell, readPrompt, type ReadPrompt } from "../task/outside-agent.ts";
import { killedAnywhere, lookAt, unless, type KilledCommand } from "./killed-commands.ts";
import { SWEEP_TIMEOUT_MS } from "./sweep.ts";
import { goOn, handIn, prompted, waitingIn } from "./task-world.ts";
import { DOCUMENTS, RUN_ROOT, type RunProcess, type RunWorld } from "./run-world.ts";

setDefaultTimeout(SWEEP_TIMEOUT_MS);

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
      await submitAnswer(
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
    await submitAnswer(
      process.ports,
      RUN_ROOT,
      { step: key, answer, by, replace: false, sources: [], waitSeconds: 1 },
      {},
    );
    const [first] = await endsWell(world);
    expect(first).toBe("it ends in another report");
  });
});
