// A folder to work in, a scripted model over HTTP, and the command line that asks it.
import fs from "node:fs";
import { temporaryFolder } from "../operations/made-run.ts";
import type { Script } from "../models/answers.ts";
import { ScriptedServer } from "../models/scripted-server.ts";
import { wellBehaved } from "../live/well-behaved.ts";
import { DOCUMENTS, QUESTION } from "../simulation/run-world.ts";
import { envelopeIn } from "./envelope.ts";
import { cli, type FakeHostOptions, type Told } from "./fake-host.ts";

/** What a key looks like, and is nowhere but in the environment and in requests. */
export const CANARY = "canary-5f1d0c77e2b94a6f8d3e";
export const FEW = ["--run-id", "dr_live", "--mode", "quick"];

export class LivePlace implements AsyncDisposable {
  readonly server: ScriptedServer;
  readonly #folder = temporaryFolder();

  private constructor(script: Script) {
    this.server = new ScriptedServer(script);
    fs.mkdirSync(`${this.path}/docs`);
    fs.mkdirSync(`${this.path}/.config/deep-research`, { recursive: true });
    for (const [name, text] of DOCUMENTS) fs.writeFileSync(`${this.path}/docs/${name}`, text);
  }

  static async open(script: Script = wellBehaved): Promise<LivePlace> {
    const place = new LivePlace(script);
    await place.server.listen();
    return place;
  }

  get path(): string {
    return this.#folder.path;
  }

  get runRoot(): string {
    return `${this.path}/runs/dr_live`;
  }

  /** The options that name the scripted model. */
  get model(): string[] {
    return ["--model", "compatible:scripted", "--model-base-url", this.server.baseUrl];
  }

  user(settings: object): void {
    fs.writeFileSync(`${this.path}/.config/deep-research/config.json`, JSON.stringify(settings));
  }

  workspace(settings: object): void {
    fs.writeFileSync(`${this.path}/deep-research.json`, JSON.stringify(settings));
  }

  async run(argv: readonly string[], options: FakeHostOptions = {}): Promise<Told> {
    return await this.runHere([...argv, "--runs-root", `${this.path}/runs`], options);
  }

  /** Adds no word to what is there. */
  async runHere(argv: readonly string[], options: FakeHostOptions = {}): Promise<Told> {
    return await cli(argv, {
      ...options,
      workingFolder: this.path,
      environment: { HOME: this.path, DEEP_RESEARCH_API_KEY: CANARY, ...options.environment },
    });
  }

  async start(argv: readonly string[] = [], options: FakeHostOptions = {}): Promise<Told> {
    return await this.run(["start", QUESTION, "--corpus", "docs", ...FEW, ...this.model, ...argv], options);
  }

  /** Runs a command as it was printed. */
  async runPrinted(command: string, options: FakeHostOptions = {}): Promise<Told> {
    const [, ...words] = command.match(/'[^']*'|\S+/g) ?? [];
    return await this.run(
      words.map((word) => word.replace(/^'(.*)'$/, "$1")),
      options,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}

/** The object of --json, or the last line of --jsonl. */
export function answerIn({ stdout }: Pick<Told, "stdout">): ReturnType<typeof envelopeIn> {
  return envelopeIn(`${stdout.trimEnd().split("\n").at(-1)}\n`);
}
