// Settings of search engines, pages and MCP servers: from the user's own file and flags alone, in no run.
import { z } from "../kernel/schema.ts";

export const searchEngineSchema = z.enum(["searxng", "brave", "tavily", "exa"]);
export type SearchEngineId = z.infer<typeof searchEngineSchema>;

/** A page or an endpoint; what may be in it is judged where it is asked for. */
const urlSchema = z.string().min(1).max(2_000);

export const webConfigurationSchema = z.object({
  /** Which engines to ask, in this order; without it every one that is set up. */
  engines: z.array(searchEngineSchema).max(10).optional(),
  searxng_url: urlSchema.optional(),
  /** Pages that are always among those searched. */
  seeds: z.array(urlSchema).max(100).optional(),
  /** An address of mail or web that sites find in our User-Agent. */
  contact: z.string().min(1).max(200).optional(),
  /** Ports of pages, in place of 80, 443, 8080 and 8443. */
  ports: z.array(z.number().int().min(1).max(65_535)).max(100).optional(),
});

// --- MCP servers --------------------------------------------------------------------------------------------------

const shared = {
  /** Stands before everything that comes from this server; what it gives is never to look like a page of the web. */
  name: z.string().regex(/^(?!https?$)[a-z0-9][a-z0-9_-]{0,39}$/),
  /** The tool that searches; without it the one called `search`, if there is one. */
  search_tool: z.string().min(1).max(200).optional(),
  /** Its argument that takes the query; without it the one that is called so, or the only one it needs. */
  query_argument: z.string().min(1).max(200).optional(),
  /** Arguments that it is given beside the query. */
  search_arguments: z.record(z.string(), z.unknown()).optional(),
  /** `lines`: each line of its answer names a document that the fetch tool takes. */
  search_answer: z.enum(["documents", "lines"]).optional(),
  /** The user says that its tools may be called twice; without it they have to say so themselves. */
  is_safe: z.boolean().optional(),
  /** The tool that fetches what a search named; without it the one called `fetch`, if there is one. */
  fetch_tool: z.string().min(1).max(200).optional(),
  /** Its argument that takes the name of the document. */
  fetch_argument: z.string().min(1).max(200).optional(),
};

const stdioServerSchema = z.object({
  ...shared,
  kind: z.literal("stdio"),
  command: z.string().min(1),
  args: z.array(z.string()).max(100).optional(),
  /** Beside a few that every program needs; the rest of our own environment is kept from the server. */
  env: z.record(z.string(), z.string()).optional(),
  cwd: z.string().min(1).optional(),
  /** The user says that it opens no connection: only such a server is started under `restricted` and `no_web`. */
  is_offline: z.boolean().optional(),
});

const httpServerSchema = z.object({
  ...shared,
  kind: z.literal("http"),
  /** `${NAME}` stands for a variable of the environment, here, in `headers` and in `env`: keys need not be in the file. */
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
