// The console: leads every request through the door to the handler of its route, and turns every failure into a reply.
import { RunError } from "../kernel/errors.ts";
import { RUN_ID_PATTERN } from "../kernel/ids.ts";
import { isObject } from "../kernel/json-object.ts";
import { parseStrictJson } from "../kernel/strict-json.ts";
import { typedError } from "../kernel/typed-error.ts";
import type { Exchange } from "../ports/http-server.ts";
import type { PageFile } from "../ports/page-files.ts";
import { asCommands } from "../surface/advice.ts";
import { envelopeOf } from "../surface/envelope.ts";
import { errorReport } from "../surface/error-report.ts";
import { agentRoutes } from "./agent-routes.ts";
import type { RouteRequest, ConsoleParts, Handlers } from "./request.ts";
import { type Door, tooLarge, MAX_BODY_BYTES } from "./door.ts";
import { eventRoutes } from "./event-routes.ts";
import { modelRoutes } from "./model-routes.ts";
import { openApiRoutes } from "./openapi.ts";
import { guarded, refusal, refused, reply, shownRefusal } from "./replies.ts";
import { reportRoutes } from "./report-routes.ts";
import { findRoute } from "./routes.ts";
import { runRoutes } from "./run-routes.ts";
import { verifyRoutes } from "./verify-route.ts";

/** How long a client may take to send a body. */
const BODY_MS = 10_000;
const FOR_EVER = "private, max-age=31536000, immutable";

export interface ConsoleOptions {
  parts: ConsoleParts;
  door: Door;
  page: readonly PageFile[];
  /** The MCP server over HTTP. */
  readonly mcp: (request: Request) => Promise<Response>;
}

export class Console {
  readonly #options: ConsoleOptions;
  readonly #handlers: Handlers;

  constructor(options: ConsoleOptions) {
    this.#options = options;
    const { parts } = options;
    this.#handlers = {
      ...runRoutes(parts),
      ...reportRoutes(parts),
      ...verifyRoutes(parts),
      ...eventRoutes(parts),
      ...agentRoutes(parts),
      ...modelRoutes(parts),
      ...openApiRoutes(parts),
    };
  }

  /** Never fails. */
  async answer(request: Request, exchange: Exchange): Promise<Response> {
    const answer = this.#answer(request, exchange).catch((error: unknown) => this.#failed(error));
    return await shownRefusal(request, await answer);
  }

  async #answer(request: Request, exchange: Exchange): Promise<Response> {
    const { parts, door, page, mcp } = this.#options;
    const { isReadOnly } = parts;
    const url = door.judge(request);
    if (url instanceof Response) return url;
    const file = page.find(({ name }) => name === url.pathname.slice(1));
    if (file !== undefined && request.method === "GET") return fileReply(file);
    if (url.pathname === "/mcp") {
      if (isReadOnly) return readOnly();
      const bytes = await this.#bodyOf(request);
      if (bytes instanceof Response) return bytes;
      exchange.keepOpen();
      const { method, headers, signal } = request;
      const body = method === "POST" ? { body: bytes } : {};
      return guarded(await mcp(new Request(request.url, { method, headers, signal, ...body })));
    }
    const found = findRoute(request.method, url.pathname);
    if (found === null) return refusal(404, "NOT_FOUND", "there is no such route", "GET /openapi.json lists them");
    if ("methods" in found) {
      const allow = found.methods.join(", ");
      return refusal(405, "METHOD_NOT_ALLOWED", `this route takes ${allow}`, "use that method", { allow });
    }
    if (isReadOnly && !found.isView) return readOnly();
    const bytes = await this.#bodyOf(request);
    if (bytes instanceof Response) return bytes;
    // From here on a command works, which may take long.
    exchange.keepOpen();
    const call: RouteRequest = { request, params: found.params, query: url.searchParams, body: objectIn(bytes) };
    try {
      return await this.#handlers[found.does](call);
    } catch (error) {
      return this.#failed(error, found.params["run"]);
    }
  }

  /** Refuses a client that sends too slowly or stops in the middle. */
  async #bodyOf(request: Request): Promise<Uint8Array<ArrayBuffer> | Response> {
    if (request.method !== "POST") return new Uint8Array();
    const over = new AbortController();
    const late = this.#options.parts.ports.clock.sleep(BODY_MS, over.signal).then(() => null);
    late.catch(() => {});
    try {
      const bytes = await Promise.race([request.bytes(), late]);
      if (bytes === null) return refusal(408, "INVALID_ARGS", "the body did not come", "send it at once");
      return bytes.byteLength > MAX_BODY_BYTES ? tooLarge() : new Uint8Array(bytes);
    } catch {
      return refusal(400, "INVALID_ARGS", "the body broke off, or is larger than it may be", "send it whole");
    } finally {
      over.abort();
    }
  }

  /** `run` is the run that the path names. */
  #failed(thrown: unknown, run?: string): Response {
    const { ports, runsRoot } = this.#options.parts;
    const failure = typedError(thrown);
    const isRun = run !== undefined && RUN_ID_PATTERN.test(run) && failure.code !== "NOT_FOUND";
    const { error } = errorReport(failure, asCommands(ports), isRun ? `${runsRoot}/${run}` : undefined);
    const { cliInvocation } = ports;
    return refused(envelopeOf({ command: "serve", cliInvocation, run: null, result: null, error }));
  }
}

function objectIn(bytes: Uint8Array): RouteRequest["body"] {
  // An empty body is an empty object.
  const body = bytes.byteLength === 0 ? {} : parseStrictJson(bytes, MAX_BODY_BYTES);
  if (!isObject(body)) throw new RunError("INVALID_ARGS", { reason: "the body is a JSON object" });
  return body;
}

function readOnly(): Response {
  return refusal(403, "FORBIDDEN", "this console only shows", "start `deep-research serve` without --read-only");
}

function fileReply({ name, type, bytes }: PageFile): Response {
  // The name of a file changes with its content, so a browser may keep it for ever.
  const caching = name === "" ? {} : { "cache-control": FOR_EVER };
  return reply(bytes, 200, { "content-type": type, ...caching });
}
