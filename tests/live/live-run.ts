// A live run on a real disk: the real store, driver and model client, a small corpus, and a scripted model over HTTP.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openModels } from "../../src/models/models.ts";
import { resumeRun } from "../../src/operations/change/resume-run.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import type { InitOptions, ResumeOptions } from "../../src/operations/options.ts";
import type { Outcome, RunResult } from "../../src/operations/outcome.ts";
import { tickRun } from "../../src/operations/change/tick-run.ts";
import type { Observer } from "../../src/ports/observer.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { Message } from "../../src/run/model/conversation.ts";
import { isStrict } from "../run/strict.ts";
import type { Prices } from "../../src/run/money/prices.ts";
import type { AnyRecord, RecordData, RecordKind } from "../../src/run/log/record.ts";
import { conversationsOf } from "../../src/operations/look/conversations.ts";
import { makePorts } from "../../src/wiring.ts";
import { ScriptedServer } from "../models/scripted-server.ts";
import type { Script } from "../models/answers.ts";
import { DOCUMENTS, QUESTION } from "../simulation/run-world.ts";
import { wellBehaved } from "./well-behaved.ts";

/** These tests are about what is written, not about the disk: the quickest one will do. */
const ROOM = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export const RUN_ID = "dr_live";
/** Ten dollars for a million tokens. */
export const PRICES: Prices = {
  schema_version: "prices.v1",
  as_of: "2026-01-01",
  models: [{ provider: "compatible", name: "scripted", input: 10, output: 10 }],
};

export interface LiveOptions extends Partial<InitOptions> {
  script?: Script;
  documents?: ReadonlyMap<string, string>;
  /** Where its folder is made. */
  room?: string;
}

export class LiveRun implements AsyncDisposable {
  readonly folder: string;
  readonly runsRoot: string;
  readonly runRoot: string;
  readonly server: ScriptedServer;
  readonly options: Partial<InitOptions>;
  /** Stand between the run and its adapters; a test may replace what it wants. */
  ports: Ports;

  private constructor({ script = wellBehaved, documents = DOCUMENTS, room = ROOM, ...options }: LiveOptions) {
    this.folder = mkdtempSync(join(room, "deep-research-live-"));
    this.runsRoot = join(this.folder, "runs");
    this.runRoot = join(this.runsRoot, RUN_ID);
    this.server = new ScriptedServer(script);
    this.options = options;
    const corpus = join(this.folder, "corpus");
    mkdirSync(corpus);
    for (const [path, text] of documents) writeFileSync(join(corpus, path), text);
    this.ports = livePorts();
  }

  static async open(options: LiveOptions = {}): Promise<LiveRun> {
    const run = new LiveRun(options);
    await run.server.listen();
    return run;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get corpus(): string {
    return join(this.folder, "corpus");
  }

  initOptions(): InitOptions {
    return liveOptions({ runsRoot: this.runsRoot, corpora: [this.corpus], baseUrl: this.server.baseUrl }, this.options);
  }

  async start(observer: Observer = {}): Promise<Outcome<RunResult>> {
    return await startRun(this.ports, this.initOptions(), observer);
  }

  async resume(options: ResumeOptions = {}, observer: Observer = {}): Promise<Outcome<RunResult>> {
    return await resumeRun(this.ports, this.runRoot, options, observer);
  }

  async tick(): Promise<Outcome<RunResult>> {
    return await tickRun(this.ports, this.runRoot, {});
  }

  async records(): Promise<AnyRecord[]> {
    return await this.ports.store.records(this.runRoot);
  }

  async dataOf<K extends RecordKind>(kind: K): Promise<RecordData<K>[]> {
    const records = await this.records();
    return records.flatMap((record) => (record.kind === kind ? [record.data as RecordData<K>] : []));
  }

  /** Every conversation of the run, as it is sent to a model. */
  async histories(): Promise<Message[][]> {
    const look = await this.ports.store.look(this.runRoot);
    return (await conversationsOf(this.ports, look)).map(({ messages }) => messages);
  }

  async isStrict(): Promise<boolean> {
    return (await this.histories()).every(isStrict);
  }

  /** report.md and report.json of a version, as bytes. */
  report(version = 1): string {
    const read = (name: string): string => readFileSync(join(this.runRoot, `reports/${version}/${name}`), "utf8");
    return `${read("report.md")}\n${read("report.json")}`;
  }
}

export function livePorts(): Ports {
  const ports = makePorts({ indexFolder: null, cliInvocation: "deep-research" });
  return {
    ...ports,
    prices: [PRICES],
    loadModels: async () => openModels({ environment: {}, clock: ports.clock }),
  };
}

export function liveOptions(
  { runsRoot, corpora, baseUrl }: { runsRoot: string; corpora: string[]; baseUrl: string },
  given: Partial<InitOptions> = {},
): InitOptions {
  return {
    runsRoot,
    question: QUESTION,
    runId: RUN_ID,
    driver: "live",
    mode: "standard",
    sensitivity: "normal",
    corpora,
    providers: [],
    limits: { max_perspectives: 2, results_per_query: 4, max_quotes_per_subject: 4 },
    policies: {},
    ...(given.driver === "local" ? {} : { models: modelsAt(baseUrl) }),
    ...given,
  };
}

function modelsAt(baseUrl: string): NonNullable<InitOptions["models"]> {
  return { default: { provider: "compatible", name: "scripted", base_url: baseUrl }, max_output_tokens: 1_000 };
}
