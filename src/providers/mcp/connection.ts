// The connection to one MCP server: made when it is first needed, bounded in time and size, typed when it fails.
import type {
  Client,
  JsonSchemaValidator,
  jsonSchemaValidator,
  RequestOptions,
  Transport,
} from "@modelcontextprotocol/client";
import { describeCause } from "../../kernel/errors.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { Clock } from "../../ports/clock.ts";
import { ProviderFailure } from "../../ports/provider-failure.ts";
import type { UnreachedReason } from "../../run/blocked-urls.ts";
import type { Sensitivity } from "../../run/settings.ts";
import { abortable, Deadline, TooSlow } from "../deadline.ts";
import { codeOf, type ConnectionOptions } from "../web/judged-connection.ts";
import { httpFetch } from "./http-fetch.ts";
import { ServerProcess } from "./server-process.ts";
import type { HttpServerSettings, McpServerSettings, StdioServerSettings } from "../../run/provider-settings.ts";
import type { McpLimits } from "./limits.ts";

/** A server that keeps failing is started this often and then left alone. */
const MAX_STARTS = 3;
const MAX_DETAIL_LENGTH = 300;

export interface ConnectionTools extends ConnectionOptions {
  clock: Clock;
  limits: McpLimits;
  sensitivity: Sensitivity;
  environment: Readonly<Record<string, string | undefined>>;
  version: string;
}

interface Live {
  client: Client;
  /** Null for a server over HTTP. */
  process: ServerProcess | null;
  /** What went wrong beneath the protocol library, which wraps it. */
  failure: ProviderFailure | null;
  /** Fires, with the failure, when nothing more can come. */
  broken: AbortController;
}

export class McpConnection {
  readonly settings: McpServerSettings;
  readonly #tools: ConnectionTools;
  readonly #closed = new AbortController();
  #live: Live | null = null;
  #connecting: Promise<Live> | null = null;
  #starts = 0;

  constructor(settings: McpServerSettings, tools: ConnectionTools) {
    this.settings = settings;
    this.#tools = tools;
  }

  /** One request, or a few that belong together. Throws a `ProviderFailure`, or the reason of the signal. */
  async call<T>(ask: (client: Client, options: RequestOptions) => Promise<T>, signal: AbortSignal): Promise<T> {
    const around = AbortSignal.any([signal, this.#closed.signal]);
    // Many may wait for one start: who gives up takes it from nobody.
    const live = await abortable(this.#connected(), signal);
    const { clock, limits } = this.#tools;
    using deadline = new Deadline(clock, { totalMs: limits.callMs }, AbortSignal.any([around, live.broken.signal]));
    live.process?.allow(limits.maxBytesPerCall);
    try {
      return await deadline.race(ask(live.client, requestOptions(deadline.signal)));
    } catch (error) {
      signal.throwIfAborted();
      const failure = this.#typed(deadline.signal.aborted ? deadline.signal.reason : error, live);
      if (deadline.signal.aborted || live.process?.ending != null) this.#drop(live);
      throw failure;
    }
  }

  /** Ends the server and everything that it started. */
  close(): void {
    this.#closed.abort(new Error("the provider was closed"));
    if (this.#live !== null) this.#drop(this.#live);
  }

  /** The server did all that was wanted: earlier failures do not count any more. */
  wentWell(): void {
    this.#starts = 0;
  }

  /** What a server says may repeat the key that it was given; cut only then, so that no half of it stays. */
  fail(reason: UnreachedReason, detail: string): ProviderFailure {
    const plain = secretsOf(this.settings).reduce((text, secret) => text.replaceAll(secret, "[secret]"), detail);
    const shown = shortened(plain, MAX_DETAIL_LENGTH);
    return new ProviderFailure({ reason, provider_id: "mcp", url: this.settings.name, detail: shown });
  }

  // --- starting and ending --------------------------------------------------------------------------------------------

  async #connected(): Promise<Live> {
    if (this.#live !== null) return this.#live;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    return await this.#connecting;
  }

  async #connect(): Promise<Live> {
    this.#closed.signal.throwIfAborted();
    if (this.#starts >= MAX_STARTS) throw this.fail("server_failed", `it failed ${MAX_STARTS} times; it is left alone`);
    const { clock, limits, version } = this.#tools;
    const { Client: ProtocolClient } = await import("@modelcontextprotocol/client");
    const client = new ProtocolClient(
      { name: "deep-research", version },
      // What a server sends is parsed by our own schemas; rules that it brings along are not run.
      { capabilities: {}, jsonSchemaValidator: { getValidator: acceptAll }, listMaxPages: 1 },
    );
    const live: Live = { client, process: null, failure: null, broken: new AbortController() };
    const transport = await this.#transport(live);
    this.#starts++;
    using deadline = new Deadline(clock, { totalMs: limits.startMs }, this.#closed.signal);
    try {
      await deadline.race(client.connect(transport, requestOptions(deadline.signal)));
      this.#closed.signal.throwIfAborted();
      this.#live = live;
      return live;
    } catch (error) {
      const failure = this.#typed(deadline.signal.aborted ? deadline.signal.reason : error, live);
      this.#drop(live);
      throw failure;
    }
  }

  async #transport(live: Live): Promise<Transport> {
    if (this.settings.kind === "http") return await this.#httpTransport(this.settings, live);
    live.process = this.#childProcess(this.settings);
    return live.process;
  }

  #childProcess(settings: StdioServerSettings): ServerProcess {
    const { sensitivity, limits, environment } = this.#tools;
    if (sensitivity !== "normal" && settings.is_offline !== true)
      throw this.fail("not_allowed_host", `the run is ${sensitivity}, and nobody said that this server stays offline`);
    const child = new ServerProcess(settings, limits.maxMessageBytes, environment);
    child.allow(limits.maxBytesPerCall);
    return child;
  }

  async #httpTransport({ url, headers }: HttpServerSettings, live: Live): Promise<Transport> {
    this.#tools.reach.judgeUrl(url, "configured");
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const { limits, ...connection } = this.#tools;
    return new StreamableHTTPClientTransport(new URL(url), {
      ...(headers === undefined ? {} : { requestInit: { headers } }),
      fetch: httpFetch({
        ...connection,
        maxBytes: limits.maxBytesPerCall,
        onFailure: (failure) => {
          live.failure = failure;
        },
        onBroken: (failure) => live.broken.abort(failure),
      }),
    });
  }

  /** The next call starts it anew. */
  #drop(live: Live): void {
    if (this.#live === live) this.#live = null;
    void live.client.close().catch(() => {});
    void live.process?.close();
  }

  // --- failures -------------------------------------------------------------------------------------------------------

  #typed(error: unknown, live: Live): ProviderFailure {
    const known = live.failure ?? (error instanceof ProviderFailure ? error : null);
    live.failure = null;
    if (known !== null) return new ProviderFailure({ ...known.failure, provider_id: "mcp", url: this.settings.name });
    const { process } = live;
    if (process?.ending != null) return this.fail(process.ending.reason, process.ending.detail);
    if (error instanceof TooSlow)
      return process !== null && process.garbageLines > 0
        ? this.fail("bad_answer", `${process.garbageLines} lines that are not of the protocol, and no answer`)
        : this.fail("too_slow", error.message);
    const code = codeOf(error);
    if (code === "INVALID_RESULT" || code === "UNSUPPORTED_RESULT_TYPE") return this.fail("bad_answer", code);
    return this.fail("server_failed", describeCause(error));
  }
}

/**
 * Everything the user gave the server beside its command, in the forms that it may come back in: whole, and word by word,
 * since "Bearer" is no secret and what follows it is. The longest first, so that none is masked in part.
 */
function secretsOf(settings: McpServerSettings): string[] {
  const given =
    settings.kind === "http"
      ? [...Object.values(settings.headers ?? {}), ...secretsInUrl(settings.url)]
      : Object.values(settings.env ?? {});
  return given
    .flatMap((value) => [value, ...value.split(/\s+/)])
    .flatMap((word) => (word.length < MIN_SECRET_LENGTH ? [] : formsOf(word)))
    .toSorted((left, right) => right.length - left.length);
}

/** Many servers take their key in the query. */
function secretsInUrl(text: string): string[] {
  const url = URL.parse(text);
  return url === null ? [] : [...url.searchParams.values()];
}

const MIN_SECRET_LENGTH = 8;

/** Base64 without what fills it up: more may follow it. */
function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), base64];
}

/** Our own deadline ends a request; the library's would end it earlier. */
function requestOptions(signal: AbortSignal): RequestOptions {
  return { signal, timeout: 24 * 3_600_000 };
}

const acceptAll: jsonSchemaValidator["getValidator"] = <T>() => {
  const accept: JsonSchemaValidator<T> = (data) => ({ valid: true, data: data as T, errorMessage: undefined });
  return accept;
};
