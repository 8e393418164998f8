// The console as people have it: `serve` as a real process over real runs, a scripted model, and pages in a real browser.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from "playwright-core";
import { z } from "zod";
import { taskOf, type SeenTask, wellBehaved } from "../../live/well-behaved.ts";
import type { Answer, SeenRequest } from "../../models/answers.ts";
import { type Printed, PrintedUrls } from "../printed-urls.ts";
import { ScriptedServer } from "../../models/scripted-server.ts";
import { PROGRAM } from "../../program.ts";
import { DOCUMENTS, QUESTION } from "../../simulation/run-world.ts";

export { QUESTION };

export const CHROMIUM = Bun.which("chromium");
if (CHROMIUM === null) console.log("skipped: Chromium is not installed; apt-get install chromium");

const ROOM = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
/** For whatever a test waits for: it waits for what is to be seen, never for a time. */
export const PATIENCE_MS = 45_000;

const runSchema = z.looseObject({
  execution_state: z.string().optional(),
  condition: z.string().optional(),
  current_report_version_index: z.number().nullable().optional(),
  counters: z.object({ sources: z.number() }).optional(),
  pending_requests: z.array(z.string()).optional(),
  lease: z.object({ held_by: z.object({ pid: z.number() }).nullable() }).optional(),
  report_versions: z
    .array(z.object({ version_index: z.number(), trigger_type: z.string(), digest: z.string() }))
    .optional(),
});
type Run = z.infer<typeof runSchema>;

/** What the scripted model is asked by a run with the driver `live`. */
export const LIVE = { driver: "live", model: "compatible:scripted", mode: "quick" };

/**
 * For what stands below parts of a page that still grow: a mouse may be pressed on it and released beside it, which nobody
 * notices, and the focus stays on it.
 */
export async function byKey(what: Locator): Promise<void> {
  await what.press("Enter");
}

export class ServedPages implements AsyncDisposable {
  readonly folder = mkdtempSync(join(ROOM, "deep-research-page-"));
  readonly runsRoot = join(this.folder, "runs");
  readonly corpus = join(this.folder, "corpus");
  readonly model: ScriptedServer;
  /** What the model says. */
  script: (request: SeenRequest) => Answer = wellBehaved;
  /** Requests that the model keeps waiting until `letModelGo`. */
  #held: SeenTask["who"] | null = null;
  /** One of them has come. */
  #waits = Promise.withResolvers<void>();
  #server: Subprocess | null = null;
  #browser: Browser | null = null;
  #contexts: BrowserContext[] = [];
  #printed: PrintedUrls | null = null;
  /** Not spent yet. */
  #next: Printed | null = null;
  origin = "";
  /** Where the page stands for browsers that were let in. */
  #page = "";
  #token = "";

  private constructor() {
    mkdirSync(this.corpus);
    for (const [path, text] of DOCUMENTS) writeFileSync(join(this.corpus, path), text);
    this.model = new ScriptedServer((request) => {
      const answer = this.script(request);
      if (this.#held === null || this.#held !== taskOf(request).who) return answer;
      this.#waits.resolve();
      return { ...answer, hold: true };
    });
  }

  static async open(): Promise<ServedPages> {
    const served = new ServedPages();
    await served.model.listen();
    served.#browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: ["--no-sandbox"] });
    await served.serve();
    return served;
  }

  get #environment(): Record<string, string | undefined> {
    return {
      ...process.env,
      // Programs that open a browser are found there first.
      PATH: `${this.folder}:${process.env["PATH"] ?? ""}`,
      XDG_CACHE_HOME: join(this.folder, "cache"),
      XDG_DATA_HOME: join(this.folder, "data"),
      XDG_CONFIG_HOME: join(this.folder, "config"),
      XDG_STATE_HOME: join(this.folder, "state"),
      DISPLAY: process.env["DISPLAY"] ?? ":0",
      DEEP_RESEARCH_API_KEY: "key-of-the-scripted-model",
      DEEP_RESEARCH_MODEL_BASE_URL: this.model.baseUrl,
      NO_COLOR: "1",
    };
  }

  // --- processes --------------------------------------------------------------------------------------------------

  /** Starts the server, again on the port that it had before. */
  async serve(...words: string[]): Promise<void> {
    const port = this.origin === "" ? "0" : new URL(this.origin).port;
    this.#server = this.#spawn(["serve", "--json", "--runs-root", this.runsRoot, "--port", port, ...words]);
    this.#printed = new PrintedUrls(this.#server.stdout as ReadableStream<Uint8Array<ArrayBuffer>>);
    this.#next = await this.#printed.next();
    this.origin = new URL(this.#next.url).origin;
    this.#token = this.#next.token;
  }

  /** A URL that lets one browser in. */
  async url(): Promise<string> {
    const printed = this.#next ?? (await this.#printed?.next());
    this.#next = null;
    return printed?.url ?? "";
  }

  /** As an operating system does that has no more memory. */
  async killServer(): Promise<void> {
    this.#server?.kill("SIGKILL");
    await this.#server?.exited;
  }

  /** The process that works on the run is gone; what it had in hand is cut off. */
  async killWorker(runId: string): Promise<void> {
    const { lease } = await this.run(runId);
    const pid = lease?.held_by?.pid;
    if (pid === undefined) throw new Error("nobody works on the run");
    process.kill(pid, "SIGKILL");
  }

  /** The command line next to the server; its exit status. */
  async command(argv: readonly string[], more: Record<string, string> = {}): Promise<number> {
    return await this.#spawn([...argv, "--runs-root", this.runsRoot], more).exited;
  }

  #spawn(argv: string[], more: Record<string, string> = {}): Subprocess {
    return Bun.spawn([...PROGRAM, ...argv], {
      cwd: this.folder,
      env: { ...this.#environment, ...more },
      stdout: "pipe",
      stderr: "ignore",
    });
  }

  // --- the model --------------------------------------------------------------------------------------------------

  holdModel(who: SeenTask["who"]): void {
    this.#held = who;
    this.#waits = Promise.withResolvers();
  }

  /** Until a request waits, the run has other work: then a pause may be over before a page shows that it was requested. */
  async untilModelWaits(): Promise<void> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error("the model was not asked")), PATIENCE_MS);
    await Promise.race([this.#waits.promise, late.promise]).finally(() => clearTimeout(timer));
  }

  letModelGo(): void {
    this.#held = null;
    this.model.release();
  }

  // --- the server without a page ----------------------------------------------------------------------------------

  async ask(path: string, body?: object): Promise<Response> {
    return await fetch(new URL(path, this.origin), {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async run(runId: string): Promise<Run> {
    return runSchema.parse(await (await this.ask(`/api/runs/${runId}`)).json());
  }

  async start(runId: string, options: object = {}): Promise<void> {
    const body = { question: QUESTION, corpus: [this.corpus], run_id: runId, ...options };
    const answer = await this.ask("/api/runs", body);
    if (answer.status !== 201) throw new Error(`the run was not started: ${await answer.text()}`);
  }

  /** Waits until the run is so. */
  async until(runId: string, isSo: (run: Run) => boolean): Promise<Run> {
    const last = Date.now() + PATIENCE_MS;
    for (;;) {
      const run = await this.run(runId);
      if (isSo(run)) return run;
      if (Date.now() > last) throw new Error(`the run stays ${run.condition}`);
      await Bun.sleep(50);
    }
  }

  /** A run that the model keeps waiting for the verdicts on its first findings. */
  async startHeld(runId: string, options: object = {}): Promise<void> {
    this.holdModel("verify");
    await this.start(runId, { ...LIVE, ...options });
    await this.untilModelWaits();
  }

  /** Stops a run whose model was kept waiting: asked for first, and done once the model continues. */
  async stopHeld(runId: string, kind: "pause" | "abort"): Promise<void> {
    const stopped = this.ask(`/api/runs/${runId}/${kind}`, kind === "abort" ? { confirm: true } : {});
    const isStopped = ({ execution_state }: Run): boolean =>
      execution_state === (kind === "pause" ? "paused" : "aborted");
    await this.until(runId, (run) => run.pending_requests?.includes(kind) === true || isStopped(run));
    this.letModelGo();
    await stopped;
    await this.until(runId, isStopped);
  }

  // --- the page ---------------------------------------------------------------------------------------------------

  /** A window of its own; what the browser complains of is in `complaints`. */
  async open(runId = "", options: Parameters<Browser["newContext"]>[0] = {}): Promise<Page & { complaints: string[] }> {
    const context = await this.#browser?.newContext({ viewport: { width: 1_400, height: 900 }, ...options });
    if (context === undefined) throw new Error("there is no browser");
    this.#contexts.push(context);
    context.setDefaultTimeout(PATIENCE_MS);
    const complaints: string[] = [];
    const page = Object.assign(await context.newPage(), { complaints });
    // An answer that is a refusal is no fault of the page, which says it.
    const isRefusal = (words: string): boolean => words.startsWith("Failed to load resource");
    page.on("console", (message) => {
      if (message.type() === "error" && !isRefusal(message.text())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`${await this.url()}#${runId}`);
    [this.#page = ""] = page.url().split("#");
    return page;
  }

  /** The address of a run, for a window that was let in. */
  at(runId: string): string {
    return `${this.#page}#${runId}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const context of this.#contexts) await context.close();
    await this.#browser?.close();
    this.letModelGo();
    for (const { run_id } of await this.#listed()) {
      const { lease } = await this.run(run_id);
      if (lease?.held_by != null) process.kill(lease.held_by.pid, "SIGKILL");
    }
    await this.killServer();
    await this.model[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #listed(): Promise<{ run_id: string }[]> {
    const answer: unknown = await (await this.ask("/api/runs")).json();
    return z.object({ runs: z.array(z.object({ run_id: z.string() })) }).parse(answer).runs;
  }
}
