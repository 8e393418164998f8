// A conversation of a capable model, recorded once: what it said to each task at each turn, and how it judged each statement.
// Nothing is kept by the words of a prompt, so that a change of prompts or forms shows as a difference of the report.
import { z } from "zod";
import { asksFor, says, type MessageAnswer, type SeenRequest } from "../../models/answers.ts";
import { named, submits, taskOf, type SeenTask } from "../well-behaved.ts";

const callSchema = z.strictObject({ name: z.string(), arguments: z.unknown() });
export const replySchema = z.strictObject({ text: z.string().optional(), tool_calls: z.array(callSchema).optional() });
export type Reply = z.infer<typeof replySchema>;

const verdictSchema = z.looseObject({ id: z.string(), why: z.string(), verdict: z.string() });
const verdictsSchema = z.strictObject({ verdicts: z.array(verdictSchema) });
const askedSchema = z.looseObject({
  statements: z.array(z.looseObject({ id: z.string(), asks: z.string(), statement: z.string() })),
});

export const recordingSchema = z.strictObject({
  /** By task and turn. */
  replies: z.record(z.string(), replySchema),
  /** By what is asked of a statement and its words; without its id. */
  verdicts: z.record(z.string(), z.looseObject({ why: z.string(), verdict: z.string() })),
});
export type Recording = z.infer<typeof recordingSchema>;

/** Undefined when something is asked that was not asked when it was recorded. */
export function recordedAnswer({ replies, verdicts }: Recording, request: SeenRequest): MessageAnswer | undefined {
  const task = taskOf(request);
  if (task.who === "verify") {
    const judged = statementsOf(task).map(({ id, key }) => ({ id, known: verdicts[key] }));
    if (judged.some(({ known }) => known === undefined)) return undefined;
    return asksFor(named(task, [submits({ verdicts: judged.map(({ id, known }) => ({ id, ...known })) })]));
  }
  const reply = replies[keyOf(task)];
  if (reply === undefined) return undefined;
  const { text, tool_calls } = reply;
  return tool_calls === undefined ? says(text ?? "") : asksFor(named(task, tool_calls));
}

/** Keeps what was said to a request. */
export function record(recording: Recording, request: SeenRequest, reply: Reply): void {
  const task = taskOf(request);
  if (task.who !== "verify") {
    recording.replies[keyOf(task)] = reply;
    return;
  }
  const { verdicts } = verdictsSchema.parse(reply.tool_calls?.[0]?.arguments);
  const keys = new Map(statementsOf(task).map(({ id, key }) => [id, key]));
  for (const { id, ...verdict } of verdicts) recording.verdicts[keys.get(id) ?? id] = verdict;
}

/** The task, what it is about where there are several of its kind, and the turn of its conversation. */
function keyOf(task: SeenTask): string {
  const turn = task.messages.filter(({ role }) => role === "assistant").length + 1;
  return [task.who, subjectOf(task), `turn ${turn}`].filter((word) => word !== "").join(", ");
}

function subjectOf({ who, user }: SeenTask): string {
  if (who === "research") return /^Your angle: (.+)$/m.exec(user)?.[1] ?? "";
  return who === "section" ? sectionSchema.parse(JSON.parse(user)).section.heading : "";
}

const sectionSchema = z.looseObject({ section: z.looseObject({ heading: z.string() }) });

function statementsOf({ user }: SeenTask): { id: string; key: string }[] {
  const { statements } = askedSchema.parse(JSON.parse(user));
  return statements.map(({ id, asks, statement }) => ({ id, key: `${asks}: ${statement}` }));
}
