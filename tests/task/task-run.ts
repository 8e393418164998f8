// A run of the task driver on a real disk, whose prompts an agent in the same process answers.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runRun } from "../../src/operations/change/run-run.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import { submitAnswer, type SubmitOptions, type SubmitResult } from "../../src/operations/change/submit-answer.ts";
import type { InitOptions } from "../../src/operations/options.ts";
import type { Outcome, RunResult } from "../../src/operations/outcome.ts";
import type { Manifest } from "../../src/run/log/manifest.ts";
import { makePorts } from "../../src/wiring.ts";
import { DOCUMENTS, QUESTION, startOptions } from "../simulation/run-world.ts";
import { answerWell, readPrompt, type ReadPrompt } from "./outside-agent.ts";

const ROOM = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
export const RUN_ID = "dr_task";

/** What an agent makes of a prompt. */
export type Agent = (prompt: string) => string;
export const GOOD_AGENT: Agent = (prompt) => answerWell(prompt, DOCUMENTS);

/** Whether a prompt is of that kind. */
export const asks =
  (who: ReadPrompt["who"]) =>
  (prompt: string): boolean =>
    readPrompt(prompt).who === who;

/** The error of an answer that is refused. */
export async function refusal(work: Promise<unknown>): Promise<{ code: string; facts: Record<string, unknown> }> {
  try {
    await work;
  } catch (error) {
    return error as { code: string; facts: Record<string, unknown> };
  }
  throw new Error("it was taken");
}

export class TaskRun implements Disposable {
  readonly folder = mkdtempSync(join(ROOM, "deep-research-task-"));
  readonly runsRoot = join(this.folder, "runs");
  readonly runRoot = join(this.runsRoot, RUN_ID);
  readonly ports = makePorts({ indexFolder: null, environment: {}, cliInvocation: "deep-research" });
  readonly options: InitOptions;

  constructor(given: Partial<InitOptions> = {}) {
    const corpus = join(this.folder, "corpus");
    mkdirSync(corpus);
    for (const [path, text] of DOCUMENTS) writeFileSync(join(corpus, path), text);
    this.options = {
      ...startOptions(),
      question: QUESTION,
      runsRoot: this.runsRoot,
      runId: RUN_ID,
      driver: "task",
      mode: "quick",
      corpora: [corpus],
      ...given,
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  start(): Promise<Outcome<RunResult>> {
    return startRun(this.ports, this.options, {});
  }

  run(): Promise<Outcome<RunResult>> {
    return runRun(this.ports, this.runRoot, {}, {});
  }

  async manifest(): Promise<Manifest> {
    return (await this.ports.store.look(this.runRoot)).manifest;
  }

  handIn(step: string, answer: string | Uint8Array, more: Partial<SubmitOptions> = {}): Promise<Outcome<SubmitResult>> {
    const bytes = typeof answer === "string" ? new TextEncoder().encode(answer) : answer;
    const by = { agent_run_id: "agent-1" };
    return submitAnswer(
      this.ports,
      this.runRoot,
      { step, answer: bytes, by, replace: false, sources: [], waitSeconds: 5, ...more },
      {},
    );
  }

  /** The steps that wait, each with its prompt. */
  async waiting(): Promise<{ key: string; prompt: string }[]> {
    const { steps } = await this.manifest();
    return Object.entries(steps).flatMap(([key, { waits_for }]) =>
      waits_for === undefined ? [] : [{ key, prompt: readFileSync(join(this.runRoot, waits_for.prompt.path), "utf8") }],
    );
  }

  /** Answers and goes on, until a prompt of that kind waits or the run has ended. */
  async goOn(agent: Agent = GOOD_AGENT, isLast: (prompt: string) => boolean = () => false): Promise<void> {
    for (let round = 0; round < 60; round++) {
      const waiting = await this.waiting();
      if (waiting.some(({ prompt }) => isLast(prompt))) return;
      for (const { key, prompt } of waiting) await this.handIn(key, agent(prompt));
      if ((await this.waiting()).length > 0) continue;
      const { error } = await this.run();
      if (error?.code !== "RUN_AGENT_REQUIRED") return;
    }
    throw new Error("the run comes to no end");
  }
}
