// The routes for clients that know chats with pipelines of agents. They show a run under the names that such clients use.
import { RunError } from "../kernel/errors.ts";
import { chatIdIn } from "../operations/make/first-settings.ts";
import { inspectRun } from "../operations/look/inspect-run.ts";
import { chatOf } from "../run/common.ts";
import type { RouteRequest, ConsoleParts, Handler } from "./request.ts";
import { RepeatedRequests } from "./repeated-requests.ts";
import { json } from "./replies.ts";
import { begin, continueRun, withResume } from "./run-routes.ts";
import { type ListedRun, listRuns } from "../operations/look/list-runs.ts";

export function agentRoutes(parts: ConsoleParts) {
  const repeats = new RepeatedRequests(parts);
  /** The chats in which a `resume` is being answered. */
  const resuming = new Set<string | null>();
  return {
    agentsRun: async (call) => await repeats.answer(call, (run_id) => run({ parts, resuming }, call, run_id)),
    agentsStatus: async (call) => await status(parts, call),
  } satisfies Record<string, Handler>;
}

/**
 * `message` is the question; other options of `start` may be given, too. With `resume` the newest interrupted run of the chat
 * continues, whatever the message. `run_id`: the id of a run that begins.
 */
async function run(
  { parts, resuming }: { parts: ConsoleParts; resuming: Set<string | null> },
  call: RouteRequest,
  run_id: string | null,
): Promise<Response> {
  const { resume, chatId, message, run_id: _id, ...options } = withResume(call.body);
  const chat = chatId == null ? null : chatIdIn(chatId);
  const named = { ...(run_id === null ? {} : { run_id }), ...(chat === null ? {} : { chat_id: chat }) };
  const fresh = async (extra: object = {}): Promise<Response> => {
    if (typeof message !== "string" || message.trim() === "")
      throw new RunError("INVALID_ARGS", { reason: "message is the question to research" });
    return await begin(parts, call, { ...options, ...named, question: message }, { chatId: chat, ...extra });
  };
  if (!resume) return await fresh();
  // Of two that come at once, the second would find nothing interrupted any more, and begin a second run.
  if (resuming.has(chat)) throw isBeingResumed(chat);
  resuming.add(chat);
  try {
    const runs = await runsOfChat(parts, chat, run_id);
    const { interrupted, waiting } = runs;
    if (interrupted !== null)
      return await continueRun(parts, call, interrupted.run_root, { chatId: chatOf(interrupted), waiting });
    if (await isTakenUp(parts, runs)) throw isBeingResumed(chat, runs.newest?.run_root);
    return await fresh({ waiting });
  } finally {
    resuming.delete(chat);
  }
}

function isBeingResumed(chat: string | null, run_root?: string): RunError {
  const reason = chat === null ? "a run is being resumed already" : "the run of this chat is being resumed already";
  return new RunError("LOCK_HELD", { reason, ...(run_root === undefined ? {} : { run_root }) });
}

/** The status of the newest run, of a chat or of all, and which interrupted one `resume` would continue with. */
async function status(parts: ConsoleParts, call: RouteRequest): Promise<Response> {
  const given = call.query.get("chatId");
  const chat = given === null ? null : chatIdIn(given);
  const { newest, interrupted, isWorking, waiting } = await runsOfChat(parts, chat);
  return json({
    running: isWorking,
    chatId: chat ?? (newest === null ? null : chatOf(newest)),
    executions: newest === null ? [] : await executionsOf(parts, newest),
    interruptedPipelineId: interrupted?.run_id ?? null,
    waiting,
  });
}

async function executionsOf(parts: ConsoleParts, { run_root }: ListedRun) {
  const run = await parts.ports.store.look(run_root, { cutShort: true });
  const { result } = await inspectRun(parts.ports, run_root, run);
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

// --- the runs of a chat -------------------------------------------------------------------------------------------

interface ChatRuns {
  newest: ListedRun | null;
  /** The newest interrupted one. */
  interrupted: ListedRun | null;
  isWorking: boolean;
  working: readonly ListedRun[];
  /** Paused and halted ones, which `resume` leaves alone. */
  waiting: { runId: string; status: "paused" | "halted"; halt: string | null }[];
}

/** `chat`: null for the runs of all chats. `runId`: only this one of them, where there is one of this id. */
async function runsOfChat(
  { ports, runsRoot }: Pick<ConsoleParts, "ports" | "runsRoot">,
  chat: string | null,
  runId: string | null = null,
): Promise<ChatRuns> {
  const { result } = await listRuns(ports, runsRoot);
  const ofChat = result.runs.filter((run) => chat === null || chatOf(run) === chat);
  const named = ofChat.filter(({ run_id }) => run_id === runId);
  const runs = named.length > 0 ? named : ofChat;
  const working = runs.filter(({ is_owned, execution_state }) => is_owned && execution_state === "running");
  return {
    newest: runs[0] ?? null,
    interrupted: runs.find(({ execution_state }) => execution_state === "interrupted") ?? null,
    isWorking: working.length > 0,
    working,
    waiting: runs.flatMap(({ run_id, condition, halt }) =>
      condition === "paused" || condition === "halted" ? [{ runId: run_id, status: condition, halt }] : [],
    ),
  };
}

/** True when a run that was interrupted is worked on again: another client, or another server, has resumed it. */
async function isTakenUp({ ports }: Pick<ConsoleParts, "ports">, { working }: ChatRuns): Promise<boolean> {
  for (const { run_root } of working) {
    const { manifest, lease } = await ports.store.look(run_root, { cutShort: true });
    const isJustClaimed = manifest.tick.is_open && (lease.held?.epoch ?? 0) > manifest.epoch;
    if (isJustClaimed || manifest.state_history.at(-1)?.from === "interrupted") return true;
  }
  return false;
}
