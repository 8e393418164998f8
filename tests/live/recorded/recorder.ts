// Records a conversation: a model server on loopback whose replies a person or a model writes into files, one by one.
//
//     bun tests/live/recorded/recorder.ts FOLDER
//
// Every request becomes FOLDER/0001.json, and 0001.md with what the conversation says since its last reply. The reply is
// read from 0001.reply.json, as {"text"?, "tool_calls"?: [{"name", "arguments"}]}, or from 0001.reply.md as text.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { MessageAnswer, SeenRequest } from "../../models/answers.ts";
import { ScriptedServer } from "../../models/scripted-server.ts";

const replySchema = z.strictObject({
  text: z.string().optional(),
  tool_calls: z.array(z.strictObject({ name: z.string(), arguments: z.unknown() })).optional(),
});

const requestSchema = z.looseObject({
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z.unknown(),
      tool_calls: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
    }),
  ),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
});

const LOOK_MS = 200;
const CHARACTERS_PER_TOKEN = 4;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("name the folder that requests and replies are kept in");
mkdirSync(folder, { recursive: true });
const server = new ScriptedServer((request) => answerTo(request, folder));
await server.listen();
console.log(`--model compatible:recorded --model-base-url ${server.baseUrl}`);

async function answerTo(request: SeenRequest, into: string): Promise<MessageAnswer> {
  const name = join(into, String(request.number).padStart(4, "0"));
  const body = JSON.stringify(request.body, null, 1);
  writeFileSync(`${name}.json`, body);
  writeFileSync(`${name}.md.new`, readable(request.body));
  renameSync(`${name}.md.new`, `${name}.md`);
  const reply = await replyIn(name);
  const usage = { input: tokensOf(body), output: tokensOf(JSON.stringify(reply)) };
  return { kind: "message", ...reply, usage };
}

/** A file is taken once it reads as a reply: it may be half written when it is first seen. */
async function replyIn(name: string): Promise<Pick<MessageAnswer, "text" | "tool_calls">> {
  for (;;) {
    await Bun.sleep(LOOK_MS);
    if (existsSync(`${name}.reply.md`)) return { text: readFileSync(`${name}.reply.md`, "utf8") };
    if (!existsSync(`${name}.reply.json`)) continue;
    const { text, tool_calls } = replySchema.parse(JSON.parse(readFileSync(`${name}.reply.json`, "utf8")));
    return { ...(text === undefined ? {} : { text }), ...(tool_calls === undefined ? {} : { tool_calls }) };
  }
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** What a reader has not seen yet: all of a first request, and what came behind the last reply of a later one. */
function readable(body: unknown): string {
  const { messages, tools = [] } = requestSchema.parse(body);
  const since = messages.findLastIndex(({ role }) => role === "assistant") + 1;
  const turns = messages.filter(({ role }) => role === "assistant").length;
  const shown = messages.slice(since).map(({ role, content }) => `## ${role}\n\n${textOf(content)}`);
  const first = messages.find(({ role }) => role === "user")?.content;
  const head = since === 0 ? toolsOf(tools) : `(goes on: ${textOf(first).slice(0, 200)})`;
  return `# Turn ${turns + 1}\n\n${head}\n\n${shown.join("\n\n")}\n`;
}

function toolsOf(tools: NonNullable<z.infer<typeof requestSchema>["tools"]>): string {
  return tools.map((tool) => `- ${JSON.stringify(tool.function)}`).join("\n");
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}
