// A run of the task driver in the simulated world, and an agent that answers its prompts.
import { taskDriver } from "../../src/drivers/task.ts";
import { digestOfBytes } from "../../src/kernel/digest.ts";
import type { InitOptions } from "../../src/operations/options.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import { submitAnswer } from "../../src/operations/change/submit-answer.ts";
import type { Driver } from "../../src/ports/driver.ts";
import type { Provider } from "../../src/ports/provider.ts";
import { answerWell, readPrompt, type ReadPrompt } from "../task/outside-agent.ts";
import { Outside } from "./run-outside.ts";
import { DOCUMENTS, RUN_ROOT, RunWorld, startOptions, type RunProcess } from "./run-world.ts";
import type { Actor } from "./world.ts";

export class TaskOutside extends Outside {
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

export async function waitingIn({ ports }: RunProcess): Promise<{ key: string; prompt: string }[]> {
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

export async function handIn(
  { ports, observer }: RunProcess,
  key: string,
  prompt: string,
  replace = false,
): Promise<unknown> {
  const answer = new TextEncoder().encode(answerWell(prompt, DOCUMENTS));
  const by = { agent_run_id: "agent" };
  return await submitAnswer(
    ports,
    RUN_ROOT,
    { step: key, answer, by, replace, sources: [], waitSeconds: 10 },
    observer,
  );
}

/** Answers and goes on, until prompts of that kind wait, or to the end. */
export async function goOn(process: RunProcess, until?: ReadPrompt["who"]): Promise<void> {
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

export async function prompted(until?: ReadPrompt["who"], outside = new TaskOutside(DOCUMENTS)): Promise<RunWorld> {
  const world = new RunWorld(undefined, outside);
  const process = world.process("first");
  await startRun(process.ports, startOptions(process.asked), process.observer);
  await goOn(process, until);
  return world;
}
