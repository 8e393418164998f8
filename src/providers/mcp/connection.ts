// Connects to one MCP server when it is first needed, within limits of time and size, with typed failures.
import { masked } from "../../kernel/secret-forms.ts";
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
import { ProviderFailure, type Failure } from "../../ports/provider-failure.ts";
import type { UnreachedReason } from "../../run/report/blocked-urls.ts";
import type { Sensitivity } from "../../run/settings/settings.ts";
import { abortable, Deadline, TooSlow } from "../deadline.ts";
import { codeOf, type ConnectionOptions } from "../web/judged-connection.ts";
import { httpFetch } from "./http-fetch.ts";
import { ServerProcess } from "./server-process.ts";
import type {
  HttpServerSettings,
  McpServerSettings,
  StdioServerSettings,
} from "../../run/settings/provider-settings.ts";
import { withVariables } from "../../run/settings/server-variables.ts";
import type { McpLimits } from "./limits.ts";
import { secretsOf } from "./secrets.ts";

/** How often a server that keeps failing is started. */
const MAX_STARTS = 3;
const MAX_DETAIL_LENGTH = 300;

interface ConnectionTools extends ConnectionOptions {
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
  /** The last failure of the transport, which the protocol library wraps. */
  failure: ProviderFailure | null;
  /** Fires with the failure when the transport broke and no answer can come. */
  broken: AbortController;
  /** True when the server does not know this session, since it was started anew. */
  isForgotten: boolean;
}

export class McpConnection {
  readonly settings: McpServerSettings;
  readonly #tools: ConnectionTools;
  readonly #secrets: readonly string[];
  readonly #closed = new AbortController();
  #live: Live | null = null;
  #connecting: Promise<Live> | null = null;
  #starts = 0;

  /** Errors: `INVALID_ARGS` for a variable that is missing. */
  constructor(settings: McpServerSettings, tools: ConnectionTools) {
    this.settings = withVariables(settings, tools.environment);
    this.#secrets = secretsOf(settings, tools.environment);
    this.#tools = tools;
  }

  /**
   * Makes one request. If the server forgot the session, the request is made again in a new one. Throws a `ProviderFailure`, or
   * the reason of the signal.
   */
  async call<T>(send: (client: Client, options: RequestOptions) => Promise<T>, signal: AbortSignal): Promise<T> {
    const live = await this.#connected(signal);
    try {
      return await this.#callOn(live, send, signal);
    } catch (error) {
      if (!live.isForgotten) throw error;
      return await this.#callOn(await this.#connected(signal), send, signal);
    }
  }

  async #callOn<T>(
    live: Live,
    send: (client: Client, options: RequestOptions) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const around = AbortSignal.any([signal, this.#closed.signal]);
    const { clock, limits } = this.#tools;
    using deadline = new Deadline(clock, { totalMs: limits.callMs }, AbortSignal.any([around, live.broken.signal]));
    live.process?.allow(limits.maxBytesPerCall);
    try {
      return await deadline.race(send(live.client, requestOptions(deadline.signal)));
    } catch (error) {
      signal.throwIfAborted();
      const failure = this.#typed(deadline.signal.aborted ? deadline.signal.reason : error, live);
      if (deadline.signal.aborted || live.process?.ending != null || live.isForgotten) this.#drop(live);
      throw failure;
    }
  }

  /** Ends the server with its process group. */
  close(): void {
    this.#closed.abort(new Error("the provider was closed"));
    if (this.#live !== null) this.#drop(this.#live);
  }

  /** Forgets earlier failures, since the server did all that was wanted. */
  wentWell(): void {
    this.#starts = 0;
  }

  fail(reason: UnreachedReason, detail: string): ProviderFailure {
    return this.#failure({ reason, detail });
  }

  /** A server may repeat its key. The key is masked before the text is cut, so that no half of it stays. */
  #failure({ detail, ...failure }: Omit<Failure, "provider_id" | "url">): ProviderFailure {
    const shown = shortened(masked(detail, this.#secrets, "[secret]"), MAX_DETAIL_LENGTH);
    return new ProviderFailure({ ...failure, provider_id: "mcp", url: this.settings.name, detail: shown });
  }

  // --- starting and ending --------------------------------------------------------------------------------------------

  /** Many callers may wait for one start. A caller that gives up does not cancel it for the others. */
  async #connected(signal: AbortSignal): Promise<Live> {
    if (this.#live !== null) return this.#live;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    return await abortable(this.#connecting, signal);
  }

  async #connect(): Promise<Live> {
    this.#closed.signal.throwIfAborted();
    if (this.#starts >= MAX_STARTS) throw this.fail("server_failed", `it failed ${MAX_STARTS} times; it is left alone`);
    const { clock, limits, version } = this.#tools;
    const { Client: ProtocolClient } = await import("@modelcontextprotocol/client");
    const client = new ProtocolClient(
      { name: "deep-research", version },
      // Our own schemas parse the answers. Schemas of the server are not used.
      { capabilities: {}, jsonSchemaValidator: { getValidator: acceptAll }, listMaxPages: 1 },
    );
    const live: Live = { client, process: null, failure: null, broken: new AbortController(), isForgotten: false };
    using deadline = new Deadline(clock, { totalMs: limits.startMs }, this.#closed.signal);
    try {
      const transport = await this.#transport(live);
      this.#starts++;
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
      throw this.fail("not_allowed_host", `the run is ${sensitivity}, and its settings do not say is_offline: true`);
    const child = new ServerProcess(settings, environment);
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
        onForgotten: () => {
          live.isForgotten = true;
        },
      }),
    });
  }

  /** Ends the session. The next call begins a new one. */
  #drop(live: Live): void {
    if (this.#live === live) this.#live = null;
    void live.client.close().catch(() => {});
    void live.process?.close();
  }

  // --- failures -------------------------------------------------------------------------------------------------------

  #typed(error: unknown, live: Live): ProviderFailure {
    const known = live.failure ?? (error instanceof ProviderFailure ? error : null);
    live.failure = null;
    if (known !== null) return this.#failure(known.failure);
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

/** Our own deadline ends a request. That of the library is long enough never to come first. */
function requestOptions(signal: AbortSignal): RequestOptions {
  return { signal, timeout: 24 * 3_600_000 };
}

const acceptAll: jsonSchemaValidator["getValidator"] = <T>() => {
  const accept: JsonSchemaValidator<T> = (data) => ({ valid: true, data: data as T, errorMessage: undefined });
  return accept;
};
