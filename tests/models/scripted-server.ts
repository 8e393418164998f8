// A model server on loopback that follows a script: real HTTP, OpenAI's and Anthropic's wires, and every fault of both.
//
// await using server = await scriptedServer([says("Hello"), rateLimited("3"), asksFor([{ name: "search", arguments: {} }])]);
// const model = { provider: "compatible", name: "m", base_url: server.baseUrl };
// ... server.requests holds what came, one entry per request.
//
// The wire follows from the path: `/v1/chat/completions` or `/v1/messages`; a request that does not ask for a stream gets
// a whole message. A request that the script has no answer for gets 501 and is in `server.unexpected`. Answers that
// hold wait for `release()`; `arrived(n)` waits for the n-th request, so that a test never has to wait for a time.
import http from "node:http";
import type { Answer, Delivery, Script, SeenRequest } from "./answers.ts";
import { anthropicError, anthropicMessage, anthropicStream } from "./anthropic-wire.ts";
import { openaiError, openaiMessage, openaiStream } from "./openai-wire.ts";

const EVENT_STREAM = { "content-type": "text/event-stream; charset=utf-8" };
const JSON_BODY = { "content-type": "application/json" };

interface Prepared extends Delivery {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  /** The body continues with this again and again, up to so many bytes. */
  repeated?: { bytes: Uint8Array; most_bytes: number };
}

export async function scriptedServer(script: Script): Promise<ScriptedServer> {
  const server = new ScriptedServer(script);
  await server.listen();
  return server;
}

export class ScriptedServer implements AsyncDisposable {
  readonly requests: SeenRequest[] = [];
  readonly unexpected: SeenRequest[] = [];
  script: Script;
  readonly #http: http.Server;
  readonly #arrivals = new Set<() => void>();
  #released = Promise.withResolvers<void>();
  #port = 0;

  constructor(script: Script) {
    this.script = script;
    this.#http = http.createServer((incoming, outgoing) => void this.#handle(incoming, outgoing));
    this.#http.timeout = 0;
    this.#http.requestTimeout = 0;
  }

  /** Where it listened before, when it was closed. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#http.listen(this.#port, "127.0.0.1", resolve));
    const address = this.#http.address();
    if (typeof address === "object" && address !== null) this.#port = address.port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The base URL for either wire. */
  get baseUrl(): string {
    return `${this.origin}/v1`;
  }

  /** Resolves once so many requests have come. */
  async arrived(count: number): Promise<void> {
    while (this.requests.length < count) await new Promise<void>((resolve) => this.#arrivals.add(resolve));
  }

  /** Lets everything go that is held now; what comes later is held again. */
  release(): void {
    this.#released.resolve();
    this.#released = Promise.withResolvers();
  }

  /** Nobody answers any more, and what was under way breaks off. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    this.#http.closeAllConnections();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.release();
    await this.close();
  }

  async #handle(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
    const request = this.#note(incoming, Buffer.concat(chunks).toString("utf8"));
    outgoing.on("close", () => {
      if (request.ended === "open") request.ended = outgoing.writableFinished ? "answered" : "left";
    });
    const answer = await this.#answerTo(request);
    if (answer === undefined) {
      this.unexpected.push(request);
      outgoing
        .writeHead(501, JSON_BODY)
        .end(JSON.stringify({ error: { message: "the script has no answer for this" } }));
      return;
    }
    if (answer.kind === "silence") {
      await this.#released.promise;
      return cut(request, outgoing);
    }
    await this.#send(prepared(answer, request), request, outgoing);
  }

  async #answerTo(request: SeenRequest): Promise<Answer | undefined> {
    return typeof this.script === "function" ? await this.script(request) : this.script[request.number - 1];
  }

  #note(incoming: http.IncomingMessage, text: string): SeenRequest {
    const path = incoming.url ?? "";
    const request: SeenRequest = {
      number: this.requests.length + 1,
      wire: path.endsWith("/chat/completions") ? "openai" : path.endsWith("/messages") ? "anthropic" : "other",
      path,
      headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
      body: parsed(text),
      ended: "open",
    };
    this.requests.push(request);
    for (const arrive of this.#arrivals) arrive();
    this.#arrivals.clear();
    return request;
  }

  async #send(answer: Prepared, request: SeenRequest, outgoing: http.ServerResponse): Promise<void> {
    const { body, cut_at, hold_at, write_bytes = body.byteLength, pause_ms = 0 } = answer;
    if (answer.delay_ms !== undefined) await Bun.sleep(answer.delay_ms);
    if (answer.hold === true) await this.#released.promise;
    if (outgoing.destroyed) return;
    outgoing.writeHead(answer.status, answer.headers);
    outgoing.flushHeaders();
    const end = Math.min(cut_at ?? body.byteLength, body.byteLength);
    for (let at = 0; at < end;) {
      const next = Math.min(at + Math.max(write_bytes, 1), end, hold_at !== undefined && at < hold_at ? hold_at : end);
      if (at === hold_at) await this.#released.promise;
      if (!(await write(outgoing, body.subarray(at, next)))) return;
      at = next;
      if (pause_ms > 0) await Bun.sleep(pause_ms);
    }
    if (answer.repeated !== undefined && !(await writeOften(outgoing, answer.repeated))) return;
    if (cut_at !== undefined && answer.cut !== "end") return cut(request, outgoing);
    request.ended = cut_at === undefined ? "answered" : "cut";
    outgoing.end();
  }
}

function cut(request: SeenRequest, outgoing: http.ServerResponse): void {
  if (request.ended === "open" && !outgoing.destroyed) request.ended = "cut";
  outgoing.destroy();
}

/** False when the client is gone. */
async function write(outgoing: http.ServerResponse, bytes: Uint8Array): Promise<boolean> {
  if (outgoing.destroyed) return false;
  if (outgoing.write(bytes)) return true;
  await new Promise<void>((resolve) => {
    outgoing.once("drain", resolve);
    outgoing.once("close", resolve);
  });
  return !outgoing.destroyed;
}

async function writeOften(
  outgoing: http.ServerResponse,
  { bytes, most_bytes }: { bytes: Uint8Array; most_bytes: number },
): Promise<boolean> {
  for (let sent = 0; sent < most_bytes; sent += bytes.byteLength) {
    if (!(await write(outgoing, bytes))) return false;
    await Bun.sleep(0);
  }
  return true;
}

function prepared(answer: Exclude<Answer, { kind: "silence" }>, request: SeenRequest): Prepared {
  const encode = (body: string | Uint8Array): Uint8Array =>
    typeof body === "string" ? new TextEncoder().encode(body) : body;
  const isAnthropic = request.wire === "anthropic";
  switch (answer.kind) {
    case "message": {
      const isStream = (request.body as { stream?: boolean }).stream === true;
      const wire = isAnthropic
        ? { stream: anthropicStream, message: anthropicMessage }
        : { stream: openaiStream, message: openaiMessage };
      const body = encode((isStream ? wire.stream : wire.message)(answer, request));
      return { ...answer, status: 200, headers: isStream ? EVENT_STREAM : JSON_BODY, body };
    }
    case "error": {
      const body = encode((isAnthropic ? anthropicError : openaiError)(answer));
      const [status, type] = answer.in_stream === true ? [200, EVENT_STREAM] : [answer.status, JSON_BODY];
      return { ...answer, status, headers: { ...type, ...answer.headers }, body };
    }
    case "raw":
      return {
        ...answer,
        status: answer.status ?? 200,
        headers: answer.headers ?? EVENT_STREAM,
        body: encode(answer.body),
      };
    case "endless": {
      const repeated = { bytes: encode(answer.repeated), most_bytes: answer.most_bytes };
      const headers = answer.headers ?? EVENT_STREAM;
      return { ...answer, status: answer.status ?? 200, headers, body: encode(answer.head ?? ""), repeated };
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
