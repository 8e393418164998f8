// The real OpenCode without a screen, in a folder of its own, with a scripted model and nothing of the user's.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Subprocess } from "bun";
import type { Answer, SeenRequest } from "../models/answers.ts";
import { ScriptedServer } from "../models/scripted-server.ts";
import { PROGRAM } from "../program.ts";

export const VERSION = "1.18.33";
const FOLDER = process.env["DEEP_RESEARCH_OPENCODE"] ?? path.join(os.tmpdir(), "deep-research-opencode-host");
const MOST_MS = 150_000;

/** Which of the programs of the package runs depends on the machine. Null, with what to do printed, when none does. */
export function installedHost(): string | null {
  const packages = path.join(FOLDER, "node_modules");
  const names = fs.existsSync(packages) ? fs.readdirSync(packages).filter((name) => name.startsWith("opencode-")) : [];
  for (const name of names) {
    const program = path.join(packages, name, "bin/opencode");
    if (!fs.existsSync(program)) continue;
    const { success, stdout } = Bun.spawnSync([program, "--version"], { env: { HOME: FOLDER } });
    if (success && stdout.toString().trim() === VERSION) return program;
  }
  console.log(
    `skipped: OpenCode is not installed; mkdir -p ${FOLDER} && cd ${FOLDER} && bun add opencode-ai@${VERSION}`,
  );
  return null;
}

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

/** What the model is asked in one turn of a session. */
export interface Turn {
  /** Names of the tools that are offered, sorted. */
  offered: string[];
  system: string;
  /** The user's message. */
  asked: string;
  /** What the last tools returned; empty at the beginning. */
  returned: string[];
}

/** The server as its page says, by its place. */
export const OWN_SERVER = {
  "deep-research": { type: "local", command: [...PROGRAM, "mcp"], enabled: true },
};

interface Body {
  tools?: { function: { name: string } }[];
  messages: { role: string; content: unknown }[];
}

export class OpenCodeProject implements AsyncDisposable {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "deep-research-opencode-")));
  readonly project = path.join(this.folder, "project");
  readonly turns: Turn[] = [];
  readonly #program: string;
  #agent: (turn: Turn) => Answer = () => ({ kind: "message", text: "nothing to say" });
  #session: Subprocess | null = null;
  readonly #server = new ScriptedServer((request) => this.#answer(request));

  constructor(program: string, documents: ReadonlyMap<string, string>) {
    this.#program = program;
    const corpus = path.join(this.project, "corpus");
    fs.mkdirSync(corpus, { recursive: true });
    for (const [name, text] of documents) fs.writeFileSync(path.join(corpus, name), text);
    // The host lists the files beside a skill with this program, and would fetch it: this one finds none.
    fs.mkdirSync(path.join(this.folder, "bin"));
    fs.writeFileSync(path.join(this.folder, "bin/rg"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  async listen(): Promise<void> {
    await this.#server.listen();
  }

  /** The `opencode.json` of the project, with these MCP servers. */
  configure(mcp: Record<string, unknown>): void {
    const model = { limit: { context: 200_000, output: 8_000 } };
    const configuration = {
      $schema: "https://opencode.ai/config.json",
      model: "scripted/scripted",
      provider: {
        scripted: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: this.#server.baseUrl, apiKey: "none" },
          models: { scripted: model },
        },
      },
      mcp,
    };
    fs.writeFileSync(path.join(this.project, "opencode.json"), JSON.stringify(configuration));
  }

  /** One command line of deep-research in the project. */
  cli(...argv: string[]): Finished {
    const { exitCode, stdout, stderr } = Bun.spawnSync([...PROGRAM, ...argv], {
      cwd: this.project,
      env: this.#environment(),
    });
    return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
  }

  /** One session of the host; the agent says what its model answers in each turn. */
  async session(agent: (turn: Turn) => Answer, ...argv: string[]): Promise<Finished> {
    this.#agent = agent;
    const child = Bun.spawn([this.#program, "run", "--format", "json", "--title", "a test", ...argv], {
      cwd: this.project,
      env: this.#environment(),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: MOST_MS,
    });
    this.#session = child;
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { code, stdout, stderr };
  }

  /** Ends the host of the session that goes on, and nothing else: what its tools began is left alone. */
  kill(): void {
    this.#session?.kill("SIGKILL");
  }

  #answer({ body }: SeenRequest): Answer {
    const { tools = [], messages } = body as Body;
    const lastOfModel = messages.findLastIndex(({ role }) => role === "assistant");
    const turn: Turn = {
      offered: tools.map(({ function: { name } }) => name).sort(),
      system: textOf(messages.filter(({ role }) => role === "system")),
      asked: textOf(messages.filter(({ role }) => role === "user").slice(-1)),
      returned: messages.slice(lastOfModel + 1).flatMap((one) => (one.role === "tool" ? [textOf([one])] : [])),
    };
    this.turns.push(turn);
    return this.#agent(turn);
  }

  /** Nothing of the user's, and no way to a registry: the host would wait for its own packages. */
  #environment(): Record<string, string> {
    return {
      PATH: `${path.join(this.folder, "bin")}:${process.env["PATH"] ?? ""}`,
      HOME: this.folder,
      XDG_CONFIG_HOME: path.join(this.folder, "config"),
      XDG_DATA_HOME: path.join(this.folder, "data"),
      XDG_CACHE_HOME: path.join(this.folder, "cache"),
      XDG_STATE_HOME: path.join(this.folder, "state"),
      npm_config_offline: "true",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    };
  }
}

function textOf(messages: Body["messages"]): string {
  const texts = messages.flatMap(({ content }) =>
    Array.isArray(content) ? (content as { text?: string }[]).map(({ text = "" }) => text) : [String(content)],
  );
  return texts.join("\n");
}
