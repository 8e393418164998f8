// Searches any number of MCP servers, and finds the passages that fit in the documents that they give.
import packageJson from "../../../package.json" with { type: "json" };
import { RunError } from "../../kernel/errors.ts";
import type { Clock } from "../../ports/clock.ts";
import { ProviderFailure } from "../../ports/provider-failure.ts";
import type { Declarations, FetchOutcome, Passage, Provider } from "../../ports/provider.ts";
import type { BlockedUrl } from "../../run/report/blocked-urls.ts";
import { BlockedList } from "../blocked-list.ts";
import { Deadline, TooSlow } from "../deadline.ts";
import { DocumentCache, type ExtractText, type Gone, outcomeOf, type ReadDocument } from "../documents.ts";
import { mostHopeful } from "../most-hopeful.ts";
import { rankDocuments } from "../rank-documents.ts";
import { Reach, type ReachOptions } from "../web/reach.ts";
import { systemResolver, type ResolveHost } from "../web/judged-connection.ts";
import { McpConnection } from "./connection.ts";
import { McpServer } from "./server.ts";
import type { McpServerSettings } from "../../run/settings/provider-settings.ts";
import { DEFAULT_MCP_LIMITS, type McpLimits } from "./limits.ts";

export interface McpSettings extends ReachOptions {
  /** Only from the configuration of the user, since they name programs to start. */
  servers: readonly McpServerSettings[];
  limits?: Partial<McpLimits>;
}

export interface McpTools {
  clock: Clock;
  /** Our environment. A server gets a few harmless variables of it, and those that its settings name. */
  environment: Readonly<Record<string, string | undefined>>;
  extract: ExtractText;
  resolve?: ResolveHost;
}

/** Starts nothing yet. Errors: `INVALID_ARGS` without a server, for two servers of one name, and for a missing variable. */
export function openMcpProvider(settings: McpSettings, tools: McpTools): McpProvider {
  const names = settings.servers.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new RunError("INVALID_ARGS.no_mcp_server", { reason: "two MCP servers have one name", name: repeated });
  if (names.length === 0) throw new RunError("INVALID_ARGS.no_mcp_server", { reason: "no MCP server is set up" });
  const limits = { ...DEFAULT_MCP_LIMITS, ...settings.limits };
  const { clock, environment, extract, resolve = systemResolver } = tools;
  const connection = {
    clock,
    environment,
    limits,
    resolve,
    reach: new Reach(settings),
    sensitivity: settings.sensitivity,
    version: packageJson.version,
  };
  const contents = { extract, maxBytes: limits.maxDocumentBytes };
  const servers = settings.servers.map(
    (server) => new McpServer(new McpConnection(server, connection), limits, contents),
  );
  return new McpProvider(servers, limits, clock);
}

export class McpProvider implements Provider {
  readonly id = "mcp";
  readonly #servers: readonly McpServer[];
  readonly #limits: McpLimits;
  readonly #clock: Clock;
  readonly #blocked: BlockedList;
  readonly #cache: DocumentCache;

  constructor(servers: readonly McpServer[], limits: McpLimits, clock: Clock) {
    this.#servers = servers;
    this.#limits = limits;
    this.#clock = clock;
    this.#blocked = new BlockedList(clock);
    this.#cache = new DocumentCache(limits.cacheBytes);
  }

  /** Throws a `ProviderFailure` when no document came and something could not be reached. */
  async search(query: string, limit: number, signal: AbortSignal): Promise<Passage[]> {
    using deadline = new Deadline(this.#clock, { totalMs: this.#limits.searchMs }, signal);
    const failures: ProviderFailure[] = [];
    const note = (failure: ProviderFailure): void => {
      failures.push(failure);
      this.#blocked.note(failure);
    };
    const found = await Promise.all(
      this.#servers.map((server) => this.#find(server, query, note, deadline.signal, signal)),
    );
    const documents = found.flat();
    for (const document of documents) this.#cache.keep(document);
    if (documents.length === 0 && failures.length > 0) throw mostHopeful(failures);
    return await rankDocuments(documents, query, limit);
  }

  async fetch(
    { origin, document_digest }: Pick<Passage, "origin" | "document_digest">,
    signal: AbortSignal,
  ): Promise<FetchOutcome> {
    const known = this.#cache.get(origin);
    const found = known?.digest === document_digest ? known : await this.#readOrGone(origin, signal);
    return outcomeOf(found, document_digest);
  }

  /** Reads a document that a person or a model names by its origin. */
  async open(origin: string, signal: AbortSignal): Promise<FetchOutcome> {
    return outcomeOf(this.#cache.get(origin) ?? (await this.#readOrGone(origin, signal)));
  }

  /** `isComplete` is false when a server does not answer now: it may answer the search, and its tools are unknown. */
  async declaredTools(origin: string | undefined, signal: AbortSignal): Promise<Declarations> {
    const meant = this.#servers.filter(({ name }) => origin === undefined || origin.startsWith(`${name}:`));
    let isComplete = true;
    const tools = await Promise.all(
      meant.map(async (server) => {
        try {
          return await server.declaredTools(signal);
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof ProviderFailure)) throw error;
          isComplete = false;
          return [];
        }
      }),
    );
    return { tools: tools.flat(), isComplete };
  }

  takeBlocked(): BlockedUrl[] {
    return this.#blocked.take();
  }

  /** Ends all servers. */
  close(): void {
    for (const server of this.#servers) server.close();
  }

  async #find(
    server: McpServer,
    query: string,
    note: (failure: ProviderFailure) => void,
    deadline: AbortSignal,
    signal: AbortSignal,
  ): Promise<ReadDocument[]> {
    try {
      return await server.find(query, note, deadline);
    } catch (error) {
      signal.throwIfAborted();
      const failure = error instanceof TooSlow ? server.tooSlow(error.message) : error;
      if (!(failure instanceof ProviderFailure)) throw failure;
      note(failure);
      return [];
    }
  }

  async #readOrGone(origin: string, signal: AbortSignal): Promise<ReadDocument | Gone> {
    const server = this.#servers.find(({ name }) => origin.startsWith(`${name}:`));
    const reading = server?.open(origin, signal) ?? null;
    const found = reading === null ? null : await this.#blocked.unlessGone(reading, signal);
    if (found === null) return { kind: "gone", reason: "not a document of any server" };
    if (!("kind" in found)) this.#cache.keep(found);
    return found;
  }
}
