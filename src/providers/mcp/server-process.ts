// Runs a server as a child process: exchanges lines of JSON, counts its bytes, and ends it with all that it started.
import { spawn, type ChildProcess } from "node:child_process";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { errnoOf } from "../../kernel/errors.ts";
import { parseStrictJsonText } from "../../kernel/strict-json.ts";
import type { UnreachedReason } from "../../run/report/blocked-urls.ts";
import type { StdioServerSettings } from "../../run/settings/provider-settings.ts";

/** The variables that every program needs. The rest of our environment, which holds keys, is not passed on. */
const INHERITED = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LC_ALL", "TMPDIR", "TZ"];
/** Many servers print a few lines besides the protocol. One that prints more does not speak it. */
const MAX_GARBAGE_LINES = 100;
/** The time in which a server has to end once its input ended. */
const GRACE_MS = 500;

/** The reason why a server ended. */
export interface Ending {
  reason: UnreachedReason;
  detail: string;
}

/** Messages are only known to be JSON objects, so `onmessage` has to check them. */
export class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  garbageLines = 0;
  /** Null while the server runs, and after `close`. */
  ending: Ending | null = null;
  readonly #settings: StdioServerSettings;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  #child: ChildProcess | null = null;
  #isOver = false;
  #received = 0;
  #allowed = 0;

  constructor(settings: StdioServerSettings, environment: Readonly<Record<string, string | undefined>>) {
    this.#settings = settings;
    this.#environment = environment;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  start(): Promise<void> {
    const { command, args = [], cwd } = this.#settings;
    // The child gets a process group of its own: starters like npx leave children that only a signal to the group reaches.
    const child = spawn(command, args, {
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
      env: this.#childEnvironment(),
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#child = child;
    process.once("exit", this.#killAll);
    let begun = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      if (this.#isOver) return;
      this.#received += Buffer.byteLength(chunk);
      if (this.#received > this.#allowed) return this.kill("too_large", "it sent more than a request may return");
      const [first = "", ...others] = chunk.split("\n");
      const lines = [begun + first, ...others];
      begun = lines.pop() ?? "";
      for (const line of lines) this.#read(line);
    });
    child.stdin.on("error", () => {});
    child.on("exit", (code, signal) => {
      this.#killAll();
      this.#ended("server_failed", `it ended with ${signal ?? `status ${code ?? "unknown"}`}`);
    });
    return new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => {
        this.#ended("server_failed", `it could not be started (${errnoOf(error) ?? error.message})`);
        reject(error);
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isOver || this.#child?.stdin == null) return Promise.reject(new Error("the server has ended"));
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  /** Asks the server to end, and after a moment kills its process group. */
  close(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    this.#isOver = true;
    this.#child?.stdin?.end();
    this.#signal("SIGTERM");
    setTimeout(this.#killAll, GRACE_MS).unref();
    this.onclose?.();
    return Promise.resolve();
  }

  /** Allows the server to send this many bytes more, since a further request was made. */
  allow(bytes: number): void {
    this.#allowed = Math.max(this.#allowed, this.#received + bytes);
  }

  kill(reason: UnreachedReason, detail: string): void {
    this.#killAll();
    this.#ended(reason, detail);
  }

  /** Also called when this process exits. */
  readonly #killAll = (): void => {
    process.off("exit", this.#killAll);
    this.#signal("SIGKILL");
  };

  #signal(name: "SIGTERM" | "SIGKILL"): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, name);
    } catch {
      // No process of the group is left.
    }
  }

  #ended(reason: UnreachedReason, detail: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.ending = { reason, detail };
    this.onclose?.();
  }

  #read(line: string): void {
    if (this.#isOver || line.trim() === "") return;
    let message: unknown;
    try {
      message = parseStrictJsonText(line);
    } catch {
      message = null;
    }
    if (typeof message === "object" && message !== null && "jsonrpc" in message) {
      this.onmessage?.(message as JSONRPCMessage);
      return;
    }
    this.garbageLines++;
    if (this.garbageLines > MAX_GARBAGE_LINES) this.kill("bad_answer", "it sends lines that are not of the protocol");
  }

  #childEnvironment(): Record<string, string> {
    const inherited = INHERITED.flatMap((name) => {
      const value = this.#environment[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    return { ...Object.fromEntries(inherited), ...this.#settings.env };
  }
}
