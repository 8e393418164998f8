// The routes for clients that know pipelines of agents. They show a run under the names that such clients use.
import { RunError } from "../kernel/errors.ts";
import { RUN_ID_PATTERN } from "../kernel/ids.ts";
import { inspectRun } from "../operations/inspect-run.ts";
import { listRuns } from "../operations/list-runs.ts";
import { type Asked, type ConsoleParts, type Handler, lookAt } from "./asked.ts";
import { json } from "./replies.ts";
import { start } from "./run-routes.ts";

export function agentRoutes(parts: ConsoleParts) {
  return {
    agentsRun: async (asked) => await run(parts, asked),
    agentsStatus: async (asked) => await status(parts, asked),
  } satisfies Record<string, Handler>;
}

/**
 * `message` is the question and `chatId` the id of the run; with `resume` it is the interrupted run that goes on. Other options
 * of `start` may be given, too.
 */
async function run(parts: ConsoleParts, asked: Asked): Promise<Response> {
  const { chatId, message, ...options } = asked.body;
  if (typeof message !== "string" || message.trim() === "")
    throw new RunError("INVALID_ARGS", { reason: "message is the question to research" });
  const named = chatId === undefined || chatId === null ? {} : { run_id: idIn(chatId) };
  return await start(parts, { ...asked, body: { ...options, question: message, ...named } });
}

/** The status of the run of a chat, or of the newest run. */
async function status(parts: ConsoleParts, asked: Asked): Promise<Response> {
  const { ports, runsRoot } = parts;
  const chat = asked.query.get("chatId");
  const { result } = await listRuns(ports, runsRoot);
  const listed = chat === null ? result.runs : result.runs.filter(({ run_id }) => run_id === idIn(chat));
  const [newest] = listed;
  const interrupted = listed.find(({ execution_state }) => execution_state === "interrupted");
  const found = newest === undefined ? null : await lookAt(parts, { params: { run: newest.run_id } });
  return json({
    running: listed.some(({ is_owned, execution_state }) => is_owned && execution_state === "running"),
    chatId: newest?.run_id ?? null,
    executions: found === null ? [] : await executionsOf(parts, found),
    interruptedPipelineId: interrupted?.run_id ?? null,
  });
}

async function executionsOf({ ports }: ConsoleParts, run: Awaited<ReturnType<typeof lookAt>>) {
  const { result } = await inspectRun(ports, run.runRoot, run);
  return result.stages.flatMap(({ stage, steps }) =>
    steps.map(({ key, state, attempts }) => ({
      id: key,
      agentName: key.split(":")[0],
      stage,
      status: state,
      attempts,
    })),
  );
}

function idIn(chatId: unknown): string {
  if (typeof chatId === "string" && RUN_ID_PATTERN.test(chatId)) return chatId;
  throw new RunError("INVALID_ARGS", { reason: "chatId is the id of a run" });
}
