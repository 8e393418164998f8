// The MCP server over stdin and stdout: tools, resources and prompts, until the client leaves or a signal comes.
import {
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { describeCause } from "../kernel/errors.ts";
import { shortened } from "../kernel/shortened.ts";
import { shownLine } from "../kernel/shown-text.ts";
import { z } from "../kernel/zod.ts";
import type { ProtocolStreams } from "../ports/protocol-streams.ts";
import { envelopeSchema, jsonSchemaOf } from "../surface/schemas.ts";
import type { ProgressEvent } from "../surface/own-workers.ts";
import { listPrompts, promptText } from "./prompts.ts";
import { listResources, readResource, RESOURCE_TEMPLATES } from "./resources.ts";
import { schemaOfUse } from "../surface/verb-use.ts";
import { VerbCalls, type VerbTools } from "../surface/verb-calls.ts";
import { textsOf } from "./tool-text.ts";
import { type Tool, TOOLS } from "./tools.ts";

export interface ServerTools extends Omit<VerbTools, "following"> {
  /** One line for people, on stderr. */
  log(line: string): void;
}

/** Larger messages end the connection. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const MAX_NOTE = 300;

const INSTRUCTIONS = `deep-research keeps research runs that survive every crash: a question and folders of documents (or the web) become a report in which each statement leads to a quote in a stored source.
Begin with run_start, follow with run_status (wait: 30), read with report_show. A run of driver "task" needs you to think: the prompt "drive" says how. Work continues in the background, also when this server ends.
Every result is the object that the command line prints with --json: ok, contract (run_id, state), result, error {code, message, hint}, halt {kind, next_commands}. A next command that a tool can do is written as a call of the tool, such as run_resume {"run":"dr_1"}; the others are commands for a person's shell. What the person's configuration does not allow is refused, and only the person changes that.`;

/** Resolves when either end has closed it. */
class ServedStreams extends StdioServerTransport {
  readonly #over = Promise.withResolvers<void>();
  readonly whenClosed = this.#over.promise;

  override async close(): Promise<void> {
    await super.close();
    this.#over.resolve();
  }
}

/** Resolves when the client has left or the signal fires. The runs that were begun continue. */
export async function serveMcp(
  tools: ServerTools,
  { input, output }: ProtocolStreams,
  stop: AbortSignal,
): Promise<void> {
  const transport = new ServedStreams(input, output, { maxBufferSize: MAX_MESSAGE_BYTES });
  const handle = serveStdio(serverFor(tools), {
    transport,
    onerror: (error) => tools.log(noteOn(error)),
  });
  const end = (): void => void handle.close();
  stop.addEventListener("abort", end, { once: true });
  if (stop.aborted) end();
  await transport.whenClosed;
}

/** The same over HTTP, one request at a time. The caller has authorized it. */
export function mcpOverHttp(tools: ServerTools): (request: Request) => Promise<Response> {
  const onerror = (error: Error): void => tools.log(noteOn(error));
  const handler = createMcpHandler(serverFor(tools), { onerror });
  return (request) => handler.fetch(request);
}

/** One short line. What is no message of the protocol comes with all schemas that it does not fit. */
function noteOn(error: Error): string {
  const isAllSchemas = error.message.startsWith("[");
  const why = isAllSchemas ? "something came that is no message of the protocol" : describeCause(error);
  return `mcp: ${shortened(shownLine(why), MAX_NOTE)}`;
}

/** A client that probes the protocol, and each request over HTTP, gets a server of its own. All of these share the calls. */
function serverFor(tools: ServerTools): () => Server {
  const calls = new VerbCalls({ ...tools, following });
  return () => serverOf(tools, calls);
}

/** The next call for an agent while the run is worked on. */
function following(run: string): object {
  return { next_tool: { name: "run_status", arguments: { run, wait: 30 } } };
}

function serverOf(tools: VerbTools, calls: VerbCalls): Server {
  const { ports } = tools;
  const server = new Server(
    { name: "deep-research", version: ports.toolVersion },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: INSTRUCTIONS },
  );
  const outputSchema = openSchema(jsonSchemaOf({ schema: envelopeSchema }));
  server.setRequestHandler("tools/list", async () => ({
    tools: await Promise.all(
      TOOLS.map(async (tool) => ({
        name: tool.name,
        title: tool.title,
        description: tool.description,
        inputSchema: schemaOfUse(tool, await tools.fieldsOf(tool.verb)),
        outputSchema,
        annotations: annotationsOf(tool),
      })),
    ),
  }));
  server.setRequestHandler("tools/call", async ({ params }, context): Promise<CallToolResult> => {
    const tool = TOOLS.find(({ name }) => name === params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${params.name.slice(0, 200)}`);
    const { signal } = context.mcpReq;
    const call = { given: params.arguments, signal, onProgress: progressTo(context) };
    const answer = await calls.answer(tool, call);
    return {
      content: textsOf(answer).map((text) => ({ type: "text", text })),
      structuredContent: { ...answer },
      isError: !answer.ok,
    };
  });
  server.setRequestHandler("resources/list", async ({ params }) => await listResources(tools, params?.cursor));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...RESOURCE_TEMPLATES] }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => ({
    contents: [await readResource(tools, uri)],
  }));
  server.setRequestHandler("prompts/list", () => ({ prompts: listPrompts() }));
  server.setRequestHandler("prompts/get", ({ params }) => ({
    messages: [{ role: "user", content: { type: "text", text: promptText(params.name, params.arguments ?? {}) } }],
  }));
  return server;
}

function annotationsOf({ kind, isDestructive, isIdempotent }: Tool) {
  if (kind === "read") return { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
  return {
    readOnlyHint: false,
    destructiveHint: isDestructive,
    idempotentHint: isIdempotent,
    // Work may call models and search the web.
    openWorldHint: kind === "work",
  };
}

/** The events that a waiting client gets: the others are too many. */
const NOTIFIED = new Set(["run.created", "stage.entered", "step.completed", "halt.raised", "report.published"]);

/** The step, or the stage that was entered. */
const namesSchema = z.object({ key: z.string().optional(), to: z.string().optional() });

function progressTo({ mcpReq }: ServerContext): (done: ProgressEvent) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  return ({ event, data }) => {
    if (!NOTIFIED.has(event) || mcpReq.signal.aborted) return;
    const { key, to } = namesSchema.safeParse(data).data ?? {};
    const message = [event, key ?? to ?? ""].join(" ").trim();
    const params = { progressToken, progress: ++progress, message };
    // A client that has left needs no news.
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}

/**
 * Allows unknown members, since a newer version of the program may say more. Leaves out the formats of zod, which clients do
 * not know; the pattern next to each means the same.
 */
function openSchema(schema: unknown): { type: "object" } {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    (key === "additionalProperties" && value === false) || key === "format" ? undefined : value,
  );
  return { ...(JSON.parse(text) as object), type: "object" };
}
