// The settings of search engines, pages and MCP servers. They come from the user's file and flags, and are stored in no run.
import { z } from "../../kernel/zod.ts";

const searchEngineSchema = z.enum(["searxng", "brave", "tavily", "exa"]);
export type SearchEngineId = z.infer<typeof searchEngineSchema>;

/** A page or an endpoint. Whether it may be reached is judged when it is requested. */
const urlSchema = z.string().min(1).max(2_000);

export const webConfigurationSchema = z.object({
  /** The engines to ask, in this order; by default every one that is set up. */
  engines: z.array(searchEngineSchema).max(10).optional(),
  searxng_url: urlSchema.optional(),
  /** Pages that every search includes. */
  seeds: z.array(urlSchema).max(100).optional(),
  /** A mail or web address that sites find in our User-Agent. */
  contact: z.string().min(1).max(200).optional(),
  /** Ports of pages, in place of 80, 443, 8080 and 8443. */
  ports: z.array(z.int().min(1).max(65_535)).max(100).optional(),
});

// --- MCP servers --------------------------------------------------------------------------------------------------

const shared = {
  /** Precedes the name of every document from this server, so that none looks like a page of the web. */
  name: z.string().regex(/^(?!https?$)[a-z0-9][a-z0-9_-]{0,39}$/),
  /** The tool that searches; by default the one called `search`, if there is one. */
  search_tool: z.string().min(1).max(200).optional(),
  /** The argument that takes the query; by default the one called `query`, or the only one that is required. */
  query_argument: z.string().min(1).max(200).optional(),
  search_arguments: z.record(z.string(), z.unknown()).optional(),
  /** `lines`: each line of the answer names a document that the fetch tool takes. */
  search_answer: z.enum(["documents", "lines"]).optional(),
  /** The user says that the tools may be called twice. By default the tools have to say so themselves. */
  is_safe: z.boolean().optional(),
  /** The tool that fetches what a search named; by default the one called `fetch`, if there is one. */
  fetch_tool: z.string().min(1).max(200).optional(),
  /** Its argument that takes the name of the document. */
  fetch_argument: z.string().min(1).max(200).optional(),
};

const stdioServerSchema = z.object({
  ...shared,
  kind: z.literal("stdio"),
  command: z.string().min(1),
  args: z.array(z.string()).max(100).optional(),
  /** Variables for the server, beside a few that every program needs. It gets none else of our own environment. */
  env: z.record(z.string(), z.string()).optional(),
  cwd: z.string().min(1).optional(),
  /** The user says that it opens no connection. Only such a server is started under `restricted` and `no_web`. */
  is_offline: z.boolean().optional(),
});

const httpServerSchema = z.object({
  ...shared,
  kind: z.literal("http"),
  /** Here, in `headers` and in `env`, `${NAME}` stands for a variable of the environment, so that keys stay out of the file. */
  url: z.string().min(1).max(2_000),
  headers: z.record(z.string().regex(/^[\w-]+$/), z.string().regex(/^[\x20-\x7e]*$/)).optional(),
});

export const mcpServerSchema = z.discriminatedUnion("kind", [stdioServerSchema, httpServerSchema]);
export type McpServerSettings = z.infer<typeof mcpServerSchema>;
export type StdioServerSettings = z.infer<typeof stdioServerSchema>;
export type HttpServerSettings = z.infer<typeof httpServerSchema>;

export const providersConfigurationSchema = z.object({
  web: webConfigurationSchema.optional(),
  mcp: z.object({ servers: z.array(mcpServerSchema).min(1).max(50) }).optional(),
});
export type ProvidersConfiguration = z.infer<typeof providersConfigurationSchema>;
