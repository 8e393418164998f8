// Leads a conversation until the model submits an answer that its brief accepts.
import { RunError } from "../../kernel/errors.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { Conversation, ConversationOptions, TaskTools, Tool } from "../../ports/driver.ts";
import type { Assistant } from "../../run/model/conversation.ts";
import { INSTRUCTIONS, instructionsIn, taskText, type Brief } from "./brief.ts";
import { objectTool } from "./object-tool.ts";
import { readAnswer } from "./read-answer.ts";
import { refusedAgain, refusedBeside } from "./refusals.ts";

export const SUBMIT = "submit";
/** The sentence of a system prompt that says how to submit. */
export function submitBy(tool: string): string {
  return INSTRUCTIONS.part("submit_by_tool", { tool });
}
const NUDGE = `Your text called no tool, so nothing is submitted yet. Work with the tools, and submit the result by calling "${SUBMIT}": {"name": "${SUBMIT}", "arguments": {…}}`;
const MAX_NUDGES = 3;
const MAX_TURNS = 6;
const MAX_LESSON = 800;
/** Characters about one refused answer. A model that repeats itself may have thousands of problems. */
const MAX_REFUSAL = 2_000;
/** The kind of a failure without a result. */
export const NO_RESULT = "no_result";

export interface Leading {
  /** The tools beside the one that takes the answer. */
  tools?: readonly Tool[];
  onOpen?: (conversation: Conversation) => void;
  /** The names of those tools that keep something for the result. What they refuse has to be answered before it is submitted. */
  recording?: ReadonlySet<string>;
  maxTurns?: number;
  recall?: ConversationOptions["recall"];
}

/** Errors: `MODEL_FAILED` when the model submits no result within its turns. */
export async function answerFromModel<Answer, Result>(
  brief: Brief<Answer, Result>,
  taskTools: TaskTools,
  { tools = [], onOpen, recording = new Set(), maxTurns = MAX_TURNS, recall }: Leading = {},
): Promise<Result> {
  const { name, role } = brief;
  // The tool reads the conversation, which is open before it runs.
  const opened: { conversation?: Conversation } = {};
  const conversation = (opened.conversation = await taskTools.converse({
    name,
    role,
    tools: [...tools, submitTool(brief, () => refusedBeside(opened.conversation?.messages ?? [], recording))],
    ...(recall === undefined ? {} : { recall }),
  }));
  onOpen?.(conversation);
  await conversation.say("system", withLesson(instructionsIn(brief, submitBy(SUBMIT)), name, taskTools.lesson));
  await conversation.say("user", taskText(brief));
  let nudges = 0;
  for (let turn = 1; turn <= maxTurns; turn++) {
    taskTools.signal.throwIfAborted();
    const reply = await conversation.ask();
    if (reply.tool_calls.length === 0) {
      if (++nudges > MAX_NUDGES)
        throw refusedResult(brief, conversation, `answered ${nudges} times in a row without calling a tool`);
      await conversation.say("user", NUDGE);
      continue;
    }
    nudges = 0;
    await conversation.answer();
    const { messages } = conversation;
    const refused = refusedBeside(messages, recording);
    const [value] = acceptedCalls(conversation).flatMap((call) => {
      const read = call.name === SUBMIT ? readAnswer(brief.answer.schema, call.arguments) : null;
      return read?.kind === "fit" ? [read.value] : [];
    });
    if (value !== undefined && refused.length === 0) return await brief.resultOf(value, `model ${conversation.model}`);
    const again = refusedAgain(messages, recording);
    if (again !== null) throw noResult(brief, conversation, again);
    if (value !== undefined) await conversation.say("user", heldBack(refused));
  }
  throw refusedResult(brief, conversation, `submitted no result within ${maxTurns} turns`);
}

/** The calls of the last reply that were accepted, read from the stored messages, so that a resumed step finds them too. */
export function acceptedCalls({ messages }: Conversation): Assistant["tool_calls"] {
  const at = messages.findLastIndex(({ role }) => role === "assistant");
  const reply = messages[at];
  if (reply?.role !== "assistant") return [];
  // Some models use ids of calls twice, so only the answers behind this reply count.
  const accepted = new Set(
    messages.slice(at + 1).flatMap((one) => (one.role === "tool" && one.is_error !== true ? [one.tool_call_id] : [])),
  );
  return reply.tool_calls.filter(({ tool_call_id }) => accepted.has(tool_call_id));
}

/** `refusedNow`: the tools that refused a call of the same reply. */
function submitTool<Answer, Result>(brief: Brief<Answer, Result>, refusedNow: () => readonly string[]): Tool {
  return objectTool({
    name: SUBMIT,
    ...brief.answer,
    problemsOf: (value) => brief.problemsOf(value),
    async run(value) {
      const problems = await brief.problemsOf(value);
      const refused = refusedNow();
      if (problems.length === 0 && refused.length > 0) return { content: heldBack(refused), is_error: true };
      return problems.length === 0
        ? { content: "accepted", is_error: false }
        : { content: shortened(`Not accepted: ${problems.join("; ")}`, MAX_REFUSAL), is_error: true };
    },
  });
}

function heldBack(refused: readonly string[]): string {
  return `Not submitted yet: ${refused.join(" and ")} refused something in the same reply. Fix it or drop it, then submit again.`;
}

/** The system prompt, with what was wrong with an earlier attempt at this conversation. */
export function withLesson(system: string, name: string, lesson: TaskTools["lesson"]): string {
  if (lesson?.conversation !== name) return system;
  return `${system}\n\nAn earlier attempt at this task failed; do it otherwise. What was wrong: ${JSON.stringify({ reason: lesson.text })}`;
}

/** The error has in `asked` how many replies were not stored before. `lesson`: what the next attempt reads. */
export function noResult(
  { name }: { name: string },
  { asked }: Conversation,
  what: string,
  lesson = `it ${what}`,
): RunError {
  const facts = { reason: `the model ${what}`, kind: NO_RESULT, conversation: name, asked, retryable: false };
  return withLessonOf(new RunError("MODEL_FAILED", facts), name, lesson);
}

function refusedResult(brief: { name: string }, conversation: Conversation, what: string): RunError {
  const refusal = conversation.messages.findLast(
    (one) => one.role === "tool" && one.name === SUBMIT && one.is_error === true,
  );
  const lesson = refusal === undefined ? undefined : `it ${what}; the last one was refused: ${refusal.content}`;
  return noResult(brief, conversation, what, lesson);
}

/** The next attempt reads why this one ended. */
function withLessonOf(error: RunError, conversation: string, text = error.facts.reason ?? error.code): RunError {
  return error.with({ lesson: { conversation, text: shortened(text, MAX_LESSON) } });
}
