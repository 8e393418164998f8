// Sends requests to one MCP server for its lists, resources and tools, and parses each answer.
import { describeCause } from "../../kernel/errors.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { z } from "../../kernel/zod.ts";
import {
  anyAnswerSchema,
  argumentOf,
  readAnswerSchema,
  resourcePageSchema,
  resourceSchema,
  textOf,
  toolAnswerOf,
  toolPageSchema,
  toolSchema,
  type McpContents,
  type McpResource,
  type McpTool,
  type ToolAnswer,
} from "./answers.ts";
import type { McpConnection } from "./connection.ts";

/** How far a list is read, since some never end. */
const MAX_PAGES = 50;
const MAX_TOOLS = 1_000;

export interface Tools {
  search: McpTool | null;
  fetch: McpTool | null;
}

/** All methods throw a `ProviderFailure`, or the reason of the signal. */
export class ServerRequests {
  readonly #connection: McpConnection;
  #tools: Tools | null = null;

  constructor(connection: McpConnection) {
    this.#connection = connection;
  }

  /** The tools for search and fetch. They are requested until an answer comes, and then kept. */
  async tools(signal: AbortSignal): Promise<Tools> {
    this.#tools ??= await this.#findTools(signal);
    return this.#tools;
  }

  async resources(limit: number, signal: AbortSignal): Promise<McpResource[]> {
    return await this.#pages("resources/list", resourcePageSchema, resourceSchema, limit, signal);
  }

  async contentsOf(uri: string, signal: AbortSignal): Promise<McpContents[]> {
    return (await this.#request("resources/read", { uri }, readAnswerSchema, signal)).contents;
  }

  async search(tool: McpTool, query: string, signal: AbortSignal): Promise<ToolAnswer> {
    const { query_argument, search_arguments = {} } = this.#connection.settings;
    const given = new Set(Object.keys(search_arguments));
    const argument = query_argument ?? argumentOf(tool, "query", given);
    if (argument === null && given.size === 0)
      throw this.#connection.fail("bad_answer", `no argument of ${tool.name} takes a query; name it in query_argument`);
    const query_ = argument === null ? {} : { [argument]: query };
    return await this.#callTool(tool, { ...search_arguments, ...query_ }, signal);
  }

  async fetch(tool: McpTool, id: string, signal: AbortSignal): Promise<ToolAnswer> {
    const argument = this.#connection.settings.fetch_argument ?? argumentOf(tool, "name", new Set());
    if (argument === null)
      throw this.#connection.fail("bad_answer", `no argument of ${tool.name} takes a name; name it in fetch_argument`);
    return await this.#callTool(tool, { [argument]: id }, signal);
  }

  async #callTool({ name }: McpTool, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolAnswer> {
    const value = await this.#connection.call(
      async (client, options) => await client.callTool({ name, arguments: args }, options),
      signal,
    );
    const answer = toolAnswerOf(value);
    if (answer === null) throw this.#connection.fail("bad_answer", `the answer of ${name} is no answer of a tool`);
    if (answer.isError) throw this.#connection.fail("server_failed", `${name} failed: ${textOf(answer.items)}`);
    return answer;
  }

  async #findTools(signal: AbortSignal): Promise<Tools> {
    const { search_tool, fetch_tool } = this.#connection.settings;
    const capabilities = await this.#connection.call(
      async (client) => await Promise.resolve(client.getServerCapabilities() ?? {}),
      signal,
    );
    const all =
      capabilities.tools === undefined
        ? []
        : await this.#pages("tools/list", toolPageSchema, toolSchema, MAX_TOOLS, signal);
    const named = (name: string | undefined, usual: string): McpTool | null => {
      const found = all.find((tool) => tool.name === (name ?? usual)) ?? null;
      if (found === null && name !== undefined) throw this.#connection.fail("bad_answer", `it has no tool ${name}`);
      return found;
    };
    const tools = { search: named(search_tool, "search"), fetch: named(fetch_tool, "fetch") };
    if (tools.search === null && capabilities.resources === undefined)
      throw this.#connection.fail("bad_answer", "it has neither resources nor a tool that searches");
    return tools;
  }

  /** Reads a list page by page, up to `limit` entries. Entries of another form are left out. */
  async #pages<T>(
    method: "tools/list" | "resources/list",
    pageSchema: z.ZodType<{ entries: unknown[]; nextCursor?: string | undefined }>,
    entrySchema: z.ZodType<T>,
    limit: number,
    signal: AbortSignal,
  ): Promise<T[]> {
    const found: T[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < MAX_PAGES && found.length < limit; pages++) {
      const page = await this.#request(method, cursor === undefined ? {} : { cursor }, pageSchema, signal);
      for (const entry of page.entries) {
        const parsed = entrySchema.safeParse(entry);
        if (parsed.success) found.push(parsed.data);
      }
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    return found.slice(0, limit);
  }

  async #request<T>(
    method: string,
    params: Record<string, unknown>,
    schema: z.ZodType<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const value: unknown = await this.#connection.call(
      async (client, options) => await client.request({ method, params }, anyAnswerSchema, options),
      signal,
    );
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw this.#connection.fail("bad_answer", shortened(`${method}: ${describeCause(parsed.error)}`, 300));
  }
}
