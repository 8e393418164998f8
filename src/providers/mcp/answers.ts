// Parses the answers of an MCP server: resources, tools, and their contents.
import { unlessThrown } from "../../kernel/unless-thrown.ts";
import { z } from "../../kernel/zod.ts";

const MAX_NAME_LENGTH = 1_900;

/** For the protocol library, which requires a schema. The answer is parsed by ours afterwards. */
export const anyAnswerSchema = z.record(z.string(), z.unknown());

export const resourceSchema = z.object({
  uri: z.string().min(1).max(MAX_NAME_LENGTH),
  name: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
});
export type McpResource = z.infer<typeof resourceSchema>;

/** One page of a list. Entries are parsed one by one, so that a bad one spoils no other. */
export const resourcePageSchema = z
  .object({ resources: z.array(z.unknown()), nextCursor: z.string().optional() })
  .transform(({ resources, nextCursor }) => ({ entries: resources, nextCursor }));

const contentsSchema = z.object({
  uri: z.string().min(1).max(MAX_NAME_LENGTH),
  mimeType: z.string().max(200).optional(),
  text: z.string().optional(),
  /** Base64. */
  blob: z.string().optional(),
});
export type McpContents = z.infer<typeof contentsSchema>;
export const readAnswerSchema = z.object({ contents: z.array(contentsSchema) });

/** The annotations of a tool. Malformed ones count as none. */
const annotationsSchema = z
  .object({
    readOnlyHint: z.boolean().optional().catch(undefined),
    destructiveHint: z.boolean().optional().catch(undefined),
  })
  .optional()
  .catch(undefined);

export const toolSchema = z.object({
  name: z.string().min(1).max(200),
  annotations: annotationsSchema,
  inputSchema: z.object({
    properties: z.record(z.string(), z.unknown()).optional(),
    required: z.array(z.string()).optional(),
  }),
});
export type McpTool = z.infer<typeof toolSchema>;
export const toolPageSchema = z
  .object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })
  .transform(({ tools, nextCursor }) => ({ entries: tools, nextCursor }));

/** True when the tool declares itself read-only. Any other tool may do harm at every call. */
export function onlyReads({ annotations }: McpTool): boolean {
  return annotations?.readOnlyHint === true && annotations.destructiveHint !== true;
}

/** Items of other types, such as images and sound, are left out. */
const itemSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("resource"), resource: contentsSchema }),
  resourceSchema.extend({ type: z.literal("resource_link") }),
]);
export type McpItem = z.infer<typeof itemSchema>;

const toolAnswerSchema = z.object({
  content: z.array(z.unknown()).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});

/** The answer of a tool. `structured` is its data, given as such or as JSON in its only text. */
export interface ToolAnswer {
  items: McpItem[];
  structured: unknown;
  isError: boolean;
}

/** Null for a value that is no answer of a tool. */
export function toolAnswerOf(value: unknown): ToolAnswer | null {
  const parsed = toolAnswerSchema.safeParse(value);
  if (!parsed.success) return null;
  const items = (parsed.data.content ?? []).flatMap((item) => {
    const known = itemSchema.safeParse(item);
    return known.success ? [known.data] : [];
  });
  return {
    items,
    structured: parsed.data.structuredContent ?? dataOfText(items),
    isError: parsed.data.isError ?? false,
  };
}

export function textOf(items: readonly McpItem[]): string {
  return items.flatMap((item) => (item.type === "text" ? [item.text] : [])).join("\n\n");
}

/** By convention search and fetch tools give JSON in a single item of text. */
function dataOfText(items: readonly McpItem[]): unknown {
  const [only] = items;
  if (items.length !== 1 || only?.type !== "text" || !/^\s*[{[]/.test(only.text)) return undefined;
  return unlessThrown(() => JSON.parse(only.text) as unknown, undefined);
}

const hitSchema = z.object({
  id: z.union([z.string().min(1).max(MAX_NAME_LENGTH), z.number()]).optional(),
  url: z.string().max(MAX_NAME_LENGTH).optional(),
  title: z.string().nullable().optional(),
  text: z.string().nullable().optional(),
});
export type McpHit = z.infer<typeof hitSchema>;

const hitsSchema = z.union([z.object({ results: z.array(z.unknown()) }), z.array(z.unknown())]);

/** The hits in the data of a search tool; null when the data has another form. */
export function hitsOf(structured: unknown): McpHit[] | null {
  const parsed = hitsSchema.safeParse(structured);
  if (!parsed.success) return null;
  const results = Array.isArray(parsed.data) ? parsed.data : parsed.data.results;
  return results.flatMap((result) => {
    const hit = hitSchema.safeParse(result);
    return hit.success ? [hit.data] : [];
  });
}

const fetchedSchema = z.object({ text: z.string(), title: z.string().nullable().optional() });

/** The document in the data of a fetch tool; null when it answered with plain text. */
export function fetchedOf(structured: unknown): { text: string; title: string } | null {
  const parsed = fetchedSchema.safeParse(structured);
  return parsed.success ? { text: parsed.data.text, title: parsed.data.title ?? "" } : null;
}

const QUERY_NAMES = ["query", "q", "search", "search_query", "question", "text", "keywords", "pattern"];
const NAME_NAMES = ["id", "uri", "url", "path", "name"];

/** The argument that takes the query or the name of a document: one with a usual name, else the only required one, else null. */
export function argumentOf(
  { inputSchema }: McpTool,
  what: "query" | "name",
  given: ReadonlySet<string>,
): string | null {
  const names = Object.keys(inputSchema.properties ?? {}).filter((name) => !given.has(name));
  const usual = (what === "query" ? QUERY_NAMES : NAME_NAMES).find((name) => names.includes(name));
  if (usual !== undefined) return usual;
  const needed = (inputSchema.required ?? []).filter((name) => !given.has(name));
  return needed.length === 1 ? (needed[0] ?? null) : null;
}
