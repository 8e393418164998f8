// Starts the console: a port, and a URL that opens it once.
import { digestOfBytes, hexOf } from "../kernel/digest.ts";
import { RunError } from "../kernel/errors.ts";
import type { HttpServer, Listen } from "../ports/http-server.ts";
import type { ImportedPage, PageFile } from "../ports/page-files.ts";
import type { Sensitivity } from "../run/settings/settings.ts";
import { VerbCalls, type VerbTools } from "../surface/verb-calls.ts";
import { Console } from "./console.ts";
import { Door, MAX_BODY_BYTES } from "./door.ts";
import { Feeds } from "./feeds.ts";
import { PAGE } from "./page.ts";
import { refusal } from "./replies.ts";
import { Turns } from "./turns.ts";

export interface ServeTools extends VerbTools {
  listen: Listen;
  pageFiles(page: ImportedPage): Promise<PageFile[]>;
  /** The MCP server over HTTP. */
  readonly mcp: (request: Request) => Promise<Response>;
}

export interface ServeOptions {
  /** Without it the first free port from `DEFAULT_PORT` on is taken. */
  port?: number;
  isReadOnly: boolean;
  sensitivity: Sensitivity;
  token: string;
  /** A browser was let in, and spent its URL: the next one. */
  readonly onEnter?: (url: string) => void;
}

export interface Served {
  /** Lets one browser in. */
  url: string;
  port: number;
  stop(): Promise<void>;
}

const DEFAULT_PORT = 4747;
const PORTS_TRIED = 20;
const TICKET_BYTES = 32;
const IDLE_TIMEOUT_S = 30;

/** Errors: `INVALID_ARGS` for a port that another process has. */
export async function serveConsole(
  tools: ServeTools,
  { port, isReadOnly, sensitivity, token, onEnter = () => {} }: ServeOptions,
): Promise<Served> {
  const { ports } = tools;
  const over = new AbortController();
  const page = await tools.pageFiles(PAGE);
  const parts = {
    ports,
    calls: new VerbCalls(tools),
    fieldsOf: tools.fieldsOf.bind(tools),
    runsRoot: tools.runsRoot(),
    feeds: new Feeds(ports),
    verifications: new Map<string, object>(),
    turns: new Turns(),
    sensitivity,
    isReadOnly,
    stop: over.signal,
  };
  // The door knows its port once the server listens.
  let opened: Console | null = null;
  const server = await listening(tools.listen, port, async (request, exchange) =>
    opened === null
      ? refusal(503, "BUSY", "the console is about to open", "try again", { "retry-after": "1" })
      : await opened.answer(request, exchange),
  );
  const urlWith = (ticket: string): string => `http://127.0.0.1:${server.port}/?ticket=${ticket}`;
  const door = new Door({
    token,
    base: baseOf(token),
    port: server.port,
    newTicket: () => base64Url(ports.random.bytes(TICKET_BYTES)),
    onEnter: (next) => onEnter(urlWith(next)),
  });
  opened = new Console({ parts, door, page, mcp: tools.mcp });
  return {
    url: urlWith(door.ticket),
    port: server.port,
    async stop() {
      over.abort();
      await server.stop();
    },
  };
}

function base64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

/** The same after a restart, since open pages use it. It does not reveal the token. */
function baseOf(token: string): string {
  return base64Url(Buffer.from(hexOf(digestOfBytes(`path of ${token}`)), "hex"));
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
