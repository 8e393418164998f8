// A console that tests ask with plain requests: the real one, over a folder of its own, without a socket.
import { join } from "node:path";
import { serveConsole, type ServeOptions } from "../../src/console/serve.ts";
import { fieldsOf, performWithin } from "../../src/cli/perform.ts";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { mcpOverHttp } from "../../src/mcp/server.ts";
import type { Exchange, HttpServerOptions } from "../../src/ports/http-server.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { asCommands } from "../../src/surface/advice.ts";
import { type Manner, OwnWorkers, type StartOwnProcess } from "../../src/surface/own-workers.ts";
import type { Said } from "../../src/surface/verb-use.ts";
import { makePorts } from "../../src/wiring.ts";
import { startOwnProcess } from "../../src/system/own-process.ts";
import { FakeHost } from "../cli/fake-host.ts";
import { PROGRAM } from "../program.ts";
import { temporaryFolder, testPorts } from "../operations/made-run.ts";

const EXCHANGE: Exchange = { keepOpen: () => {} };

export const PORT = 4747;
export const HOST = `127.0.0.1:${PORT}`;

const realProcesses: StartOwnProcess = async (...asked) => startOwnProcess(PROGRAM, ...asked);

export interface Told {
  status: number;
  headers: Headers;
  // Of whatever form; each test looks at what it asked for.
  body: Record<string, never> & Record<string, unknown>;
  text: string;
}

export interface CalledConsole extends AsyncDisposable {
  runsRoot: string;
  ports: Ports;
  token: string;
  /** The path that lets the next browser in. */
  ticketUrl(): string;
  /** Through the door, as it stands. */
  send(path: string, init?: RequestInit): Promise<Response>;
  /** With the token. A body is sent as JSON. */
  ask(method: "GET" | "POST", path: string, body?: object): Promise<Told>;
  get(path: string): Promise<Told>;
  post(path: string, body?: object): Promise<Told>;
}

export interface AskedOptions extends Partial<ServeOptions> {
  ports?: Ports;
  start?: StartOwnProcess;
  runsRoot?: string;
}

export async function openConsole(options: AskedOptions = {}): Promise<CalledConsole> {
  const { ports = testPorts(), start = realProcesses, isReadOnly = false } = options;
  const folder = temporaryFolder();
  const { runsRoot = join(folder.path, "runs") } = options;
  const token = Buffer.from(ports.random.bytes(32)).toString("base64url");
  let answer: HttpServerOptions["answer"] | null = null;
  const manner: Manner = { common: { runs_root: runsRoot }, steps: "commands" };
  const tools = {
    ports,
    workers: new OwnWorkers(start, manner),
    perform: async (verb: string, said: Said) =>
      await performWithin(new FakeHost([]), makePorts, COMMANDS, {
        ...manner,
        verb,
        said: { ...said },
        has_events: false,
      }),
    fieldsOf: fieldsOf(COMMANDS),
    runsRoot: () => runsRoot,
    write: asCommands(ports),
  };
  const served = await serveConsole(
    {
      ...tools,
      listen: async (given) => {
        ({ answer } = given);
        return { port: PORT, stop: async () => {} };
      },
      pageFiles: async () => [
        { name: "", type: "text/html", bytes: new TextEncoder().encode("<!doctype html>") },
        { name: "index-1a2b.js", type: "text/javascript", bytes: new TextEncoder().encode("1") },
      ],
      mcp: mcpOverHttp({ ...tools, log: () => {} }),
    },
    { isReadOnly, sensitivity: "normal", token, onEnter: (url) => (tickets.url = url) },
  );
  const tickets = { url: served.url };
  const send = async (path: string, { headers, ...init }: RequestInit = {}): Promise<Response> => {
    const given = new Headers(headers);
    if (!given.has("host")) given.set("host", HOST);
    return (
      (await answer?.(new Request(`http://${HOST}${path}`, { ...init, headers: given }), EXCHANGE)) ?? Response.error()
    );
  };
  const ask: CalledConsole["ask"] = async (method, path, body) => {
    const sent = method === "GET" ? {} : { body: JSON.stringify(body ?? {}) };
    const response = await send(path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...sent,
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(text) : {}) as Told["body"],
      text,
    };
  };
  return {
    runsRoot,
    ports,
    token,
    ticketUrl: () => tickets.url.slice(`http://${HOST}`.length),
    send,
    ask,
    get: (path) => ask("GET", path),
    post: (path, body) => ask("POST", path, body),
    async [Symbol.asyncDispose]() {
      await served.stop();
      folder[Symbol.dispose]();
    },
  };
}

/** Asks again until it is so. */
export async function until<T>(look: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    await Bun.sleep(50);
  }
}
