// The server as a real process, asked over real sockets.
import { join } from "node:path";
import type { Host } from "../crash/real-processes.ts";
import { PROGRAM } from "../program.ts";
import { QUESTION } from "../simulation/run-world.ts";
import { envelopeSchema } from "../../src/surface/schemas.ts";

/** One event of a stream; `id` is empty for what is not durable. */
export interface Told {
  id: string;
  event: string;
  data: { seq?: number; digest?: string; data?: Record<string, never> };
}

export class Served implements AsyncDisposable {
  readonly url: string;
  /** Lets one browser in. */
  readonly ticketUrl: string;
  readonly token: string;
  readonly #child: Bun.Subprocess;

  private constructor(child: Bun.Subprocess, { url, token }: { url: string; token: string }) {
    this.#child = child;
    this.url = url.slice(0, url.indexOf("/?"));
    this.ticketUrl = url;
    this.token = token;
  }

  static async open(host: Host, ...words: string[]): Promise<Served> {
    const child = Bun.spawn([...PROGRAM, "serve", "--json", "--runs-root", host.runsRoot, ...words], {
      env: {
        ...process.env,
        XDG_CACHE_HOME: join(host.folder, "cache"),
        XDG_DATA_HOME: join(host.folder, "data"),
        XDG_CONFIG_HOME: join(host.folder, "config"),
        XDG_STATE_HOME: join(host.folder, "state"),
      },
      cwd: host.folder,
      stdout: "pipe",
      stderr: "pipe",
    });
    let text = "";
    for await (const chunk of child.stdout) {
      text += new TextDecoder().decode(chunk);
      if (text.includes("\n")) break;
    }
    const { result, error } = envelopeSchema.parse(JSON.parse(text));
    if (error !== null) throw new Error(JSON.stringify(error));
    return new Served(child, result as { url: string; token: string });
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get pid(): number {
    return this.#child.pid;
  }

  async ask(method: "GET" | "POST", path: string, body?: object) {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      ...(method === "GET" ? {} : { body: JSON.stringify(body ?? {}) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, never> };
  }

  async start(host: Host, runId: string): Promise<void> {
    await this.ask("POST", "/api/runs", { question: QUESTION, corpus: [host.corpus], run_id: runId });
  }

  /** The events behind one, until the server or the reader ends the stream. */
  async *events(run: string, lastEventId = "0", signal?: AbortSignal): AsyncGenerator<Told> {
    const headers = { authorization: `Bearer ${this.token}`, "last-event-id": lastEventId };
    const path = `${this.url}/api/runs/${run}/events`;
    const response = await fetch(path, { headers, ...(signal === undefined ? {} : { signal }) });
    if (!response.ok || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
    let rest = "";
    try {
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        const blocks = (rest + chunk).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) {
          const [, data] = /^data: (.*)$/m.exec(block) ?? [];
          if (data === undefined) continue;
          const [, id = ""] = /^id: (.*)$/m.exec(block) ?? [];
          const [, event = ""] = /^event: (.*)$/m.exec(block) ?? [];
          yield { id, event, data: JSON.parse(data) as Told["data"] };
        }
      }
    } catch {
      // The server was killed, or the reader has left.
    }
  }

  kill(): Promise<number> {
    this.#child.kill("SIGKILL");
    return this.#child.exited;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number> {
    this.#child.kill(signal);
    return await this.#child.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
