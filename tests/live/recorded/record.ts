// Records the conversation that recorded.test.ts replays. By hand, a person or a model that answers request by request:
//
//     bun tests/live/recorded/record.ts FOLDER
//
// What is recorded is answered at once; delete entries of conversation.json, or the file, to be asked again. Every other
// request becomes FOLDER/0001.json, and 0001.md with what is new in its conversation. Write the reply beside it:
// 0001.reply.md as text, or 0001.reply.json as {"text"?, "tool_calls"?: [{"name", "arguments"}]}. At the end page.md is
// written; look at its difference.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { MessageAnswer, SeenRequest } from "../../models/answers.ts";
import { openRecordedRun, PAGE_FILE, readRecording, RECORDING_FILE } from "./recorded-run.ts";
import { record, recordedAnswer, replySchema, type Recording, type Reply } from "./recording.ts";

const LOOK_MS = 200;

const requestSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.looseObject({ function: z.unknown() })).optional(),
});

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("name a folder for requests and replies");
mkdirSync(folder, { recursive: true });
const recording: Recording = existsSync(RECORDING_FILE) ? readRecording() : { replies: {}, verdicts: {} };
await using run = await openRecordedRun((request) => answerTo(request, folder));
const { error } = await run.start();
if (error !== null) throw new Error(`the run ended with ${error.code}: ${JSON.stringify(error.facts)}`);
writeFileSync(PAGE_FILE, readFileSync(join(run.runRoot, "reports/1/report.md")));
console.log(`${PAGE_FILE} is written.`);

async function answerTo(request: SeenRequest, into: string): Promise<MessageAnswer> {
  const known = recordedAnswer(recording, request);
  if (known !== undefined) return known;
  const name = join(into, String(request.number).padStart(4, "0"));
  writeFileSync(`${name}.json`, JSON.stringify(request.body, null, 1));
  writeWhole(`${name}.md`, readable(request.body));
  console.log(`${name}.md is asked.`);
  record(recording, request, await replyBeside(name));
  writeWhole(RECORDING_FILE, `${JSON.stringify(recording, null, 2)}\n`);
  const answer = recordedAnswer(recording, request);
  if (answer === undefined) throw new Error(`${name}: the reply does not answer all that is asked`);
  return answer;
}

async function replyBeside(name: string): Promise<Reply> {
  for (;;) {
    await Bun.sleep(LOOK_MS);
    if (existsSync(`${name}.reply.md`)) return { text: readFileSync(`${name}.reply.md`, "utf8") };
    if (existsSync(`${name}.reply.json`))
      return replySchema.parse(JSON.parse(readFileSync(`${name}.reply.json`, "utf8")));
  }
}

/** Nobody reads half of it. */
function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/** All of a first request, and of a later one what came behind the last reply. */
function readable(body: unknown): string {
  const { messages, tools = [] } = requestSchema.parse(body);
  const since = messages.findLastIndex(({ role }) => role === "assistant") + 1;
  const shown = messages.slice(since).map(({ role, content }) => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    return `## ${role}\n\n${text}\n`;
  });
  const head = since === 0 ? tools.map((tool) => `- ${JSON.stringify(tool.function)}\n`).join("") : "";
  return `${head}\n${shown.join("\n")}`;
}
