// Leads a conversation until the model hands its result in: prompts, turns, and the tool that takes the result.
import { RunError } from "../../kernel/errors.ts";
import type { z } from "../../kernel/schema.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { Conversation, ConversationOptions, TaskTools, Tool } from "../../ports/driver.ts";
import type { Role } from "../../run/settings.ts";
import { objectTool, readArguments } from "./object-tool.ts";

export const SUBMIT = "submit";
const NUDGE = `Nothing is handed in yet. Work with the tools, and hand the result in by calling "${SUBMIT}".`;
const MAX_NUDGES = 3;

export interface ModelTask<T> {
  /** Of the conversation; unique within the step. */
  name: string;
  role: Role;
  /** What the model is, and what the gate after it demands. */
  system: string;
  user: string;
  tools: readonly Tool[];
  result: { schema: z.ZodType<T>; description: string };
  /** What the schema cannot say; null when the result is fit. */
  problemOf?: (result: T, conversation: Conversation) => string | null;
  /** What speaks against a result that is fit, said to the model so that it hands in another; null when it may stand. */
  objectionTo?: (result: T) => Promise<string | null>;
  /** Why it is given up after a turn that handed nothing in; null while it goes on. */
  failureOf?: (conversation: Conversation) => RunError | null;
  maxTurns: number;
  recall?: ConversationOptions["recall"];
}

export interface Handed<T> {
  result: T;
  conversation: Conversation;
}

/** Errors: `MODEL_FAILED` when the model does not hand in a result within its turns. */
export async function performTask<T>(task: ModelTask<T>, tools: TaskTools): Promise<Handed<T>> {
  let accepted: T | null = null;
  let conversation: Conversation | null = null;
  const judge = (value: T): string | null =>
    conversation === null ? null : (task.problemOf?.(value, conversation) ?? null);
  const submit = submitTool(task, judge);
  const { name, role, recall } = task;
  const given = [...task.tools, submit];
  const open = await tools.converse({ name, role, tools: given, ...(recall === undefined ? {} : { recall }) });
  conversation = open;
  await open.say("system", withLesson(task, tools.lesson));
  await open.say("user", task.user);
  let nudges = 0;
  for (let turn = 1; turn <= task.maxTurns; turn++) {
    tools.signal.throwIfAborted();
    const reply = await open.ask();
    if (reply.tool_calls.length === 0) {
      if (++nudges > MAX_NUDGES) throw noResult(task, open, `answered ${nudges} times in a row without calling a tool`);
      await open.say("user", NUDGE);
      continue;
    }
    nudges = 0;
    await open.answer();
    const handed = handedIn(open, task.result.schema);
    if (handed === null) {
      const failure = task.failureOf?.(open) ?? null;
      if (failure !== null) throw withLessonOf(failure, task.name);
      continue;
    }
    accepted = handed;
    const objection = (await task.objectionTo?.(handed)) ?? null;
    if (objection === null) return { result: handed, conversation: open };
    await open.say("user", objection);
  }
  if (accepted !== null) return { result: accepted, conversation: open };
  throw noResult(task, open, `handed in no result within ${task.maxTurns} turns`);
}

export const NO_RESULT = "no_result";

/** A conversation that is taken up keeps the words that it began with. */
function withLesson<T>({ name, system }: ModelTask<T>, lesson: TaskTools["lesson"]): string {
  if (lesson?.conversation !== name) return system;
  return `${system}\n\nAn earlier attempt at this task failed; do it otherwise. What was wrong: ${JSON.stringify({ reason: lesson.text })}`;
}

/** `asked`: 0 when every reply of it was stored already. */
function noResult<T>({ name }: ModelTask<T>, { asked, messages }: Conversation, what: string): RunError {
  const refusal = messages.findLast((one) => one.role === "tool" && one.name === SUBMIT && one.is_error === true);
  const text = refusal === undefined ? `it ${what}` : `it ${what}; the last one was refused: ${refusal.content}`;
  return new RunError("MODEL_FAILED", {
    reason: `the model ${what}`,
    kind: NO_RESULT,
    conversation: name,
    asked,
    retryable: false,
    lesson: { conversation: name, text: shortened(text, MAX_LESSON) },
  });
}

/** The next attempt is told why this one ended. */
function withLessonOf({ code, facts }: RunError, conversation: string): RunError {
  return new RunError(code, {
    ...facts,
    lesson: { conversation, text: shortened(String(facts["reason"]), MAX_LESSON) },
  });
}

const MAX_LESSON = 800;

function submitTool<T>({ result }: ModelTask<T>, problemOf: (value: T) => string | null): Tool {
  return objectTool({
    name: SUBMIT,
    description: result.description,
    schema: result.schema,
    isSafe: () => true,
    async run(value) {
      const problem = problemOf(value);
      return problem === null
        ? { content: "accepted", is_error: false }
        : { content: `Not accepted: ${problem}`, is_error: true };
    },
  });
}

/** The result that was accepted in the last turn: read from the stored messages, so that a resumed step finds it too. */
function handedIn<T>({ messages }: Conversation, schema: z.ZodType<T>): T | null {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const asked = messages[at];
  if (asked?.role !== "assistant") return null;
  // Some models use their ids again: only what stands behind this reply answers it.
  const accepted = new Set(
    messages.slice(at + 1).flatMap((one) => (one.role === "tool" && one.is_error !== true ? [one.tool_call_id] : [])),
  );
  for (const call of asked.tool_calls) {
    if (call.name !== SUBMIT || !accepted.has(call.tool_call_id)) continue;
    const read = readArguments(schema, call.arguments);
    if (read.kind === "fit") return read.value;
  }
  return null;
}
