// Starts the console: a token of its own, a port, and one URL that opens it.
import { RunError } from "../kernel/errors.ts";
import type { HttpServer, Listen } from "../ports/http-server.ts";
import type { ImportedPage, PageFile } from "../ports/page-files.ts";
import { CommandCalls, type CallTools } from "../surface/command-calls.ts";
import { Console } from "./console.ts";
import { Door, MAX_BODY_BYTES } from "./door.ts";
import { Feeds } from "./feeds.ts";
import { PAGE } from "./page.ts";
import { refusal } from "./replies.ts";
import { Turns } from "./turns.ts";

export interface ServeTools extends CallTools {
  listen: Listen;
  pageFiles(page: ImportedPage): Promise<PageFile[]>;
  /** The MCP server over HTTP. */
  readonly mcp: (request: Request) => Promise<Response>;
}

export interface ServeOptions {
  /** Without it the first free port from `DEFAULT_PORT` on is taken. */
  port?: number;
  isReadOnly: boolean;
}

export interface Served {
  url: string;
  token: string;
  port: number;
  /** Resolves once a browser was let in. */
  entered: Promise<void>;
  stop(): Promise<void>;
}

export const DEFAULT_PORT = 4747;
const PORTS_TRIED = 20;
const TOKEN_BYTES = 32;
const IDLE_TIMEOUT_S = 30;

/** Errors: `INVALID_ARGS` for a port that another process has. */
export async function serveConsole(tools: ServeTools, { port, isReadOnly }: ServeOptions): Promise<Served> {
  const { ports } = tools;
  const secret = (): string => Buffer.from(ports.random.bytes(TOKEN_BYTES)).toString("base64url");
  const token = secret();
  const over = new AbortController();
  const page = await tools.pageFiles(PAGE);
  const parts = {
    ports,
    calls: new CommandCalls(tools),
    optionsOf: tools.optionsOf.bind(tools),
    runsRoot: tools.runsRoot(),
    feeds: new Feeds(ports),
    verifications: new Map<string, object>(),
    turns: new Turns(),
    isReadOnly,
    stop: over.signal,
  };
  // The door knows its port once the server listens.
  let opened: Console | null = null;
  const server = await listening(tools.listen, port, async (request, exchange) =>
    opened === null
      ? refusal(503, "BUSY", "the console is about to open", "ask again", { "retry-after": "1" })
      : await opened.answer(request, exchange),
  );
  const { promise: entered, resolve: onEnter } = Promise.withResolvers<void>();
  const door = new Door({ token, base: secret(), port: server.port, onEnter });
  opened = new Console({ parts, door, page, mcp: tools.mcp });
  return {
    url: `http://127.0.0.1:${server.port}/?token=${token}`,
    token,
    port: server.port,
    entered,
    async stop() {
      over.abort();
      await server.stop();
    },
  };
}

async function listening(
  listen: Listen,
  wanted: number | undefined,
  answer: Parameters<Listen>[0]["answer"],
): Promise<HttpServer> {
  const limits = { maxBodyBytes: MAX_BODY_BYTES, idleTimeoutS: IDLE_TIMEOUT_S, answer };
  const first = wanted ?? DEFAULT_PORT;
  const last = wanted === undefined ? first + PORTS_TRIED : first;
  for (let port = first; port <= last; port++) {
    const server = await listen({ port, ...limits });
    if (server !== null) return server;
  }
  const reason = wanted === undefined ? `the ports ${first} to ${last} are taken` : `port ${wanted} is taken`;
  throw new RunError("INVALID_ARGS", { reason, option: "--port" });
}
