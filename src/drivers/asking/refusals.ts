// Reads from a conversation what tools refused: which refusal comes again and again, and which one is unanswered.
import { z } from "../../kernel/zod.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { Message } from "../../run/model/conversation.ts";

/** So often is the same refused before the attempt ends. */
const MAX_SAME = 3;
const MAX_SHOWN = 300;
/** So often is a tool refused for changing reasons, without having taken anything. */
const MAX_OF_TOOL = 6;

type Result = Extract<Message, { role: "tool" }>;

/** What a tool stores with a refusal that is no fault of the model. */
export const refusalSchema = z.object({
  /** Why a search or a document gave nothing. */
  unreached: z.string().optional(),
  /** True when a quote was refused because it is recorded already, so that nothing is lost. */
  is_known: z.boolean().optional(),
});

/**
 * What the model does again and again though it is refused, in words for a person, or null. Two calls are the same when one tool
 * says the same to both. A reply in which a call of `recording` was taken has recorded something, so everything counts anew.
 * Read from the stored messages, so that a resumed step ends where an uninterrupted one does.
 */
export function refusedAgain(messages: readonly Message[], recording: ReadonlySet<string> = new Set()): string | null {
  const same = new Map<string, Map<string, number>>();
  const ofTool = new Map<string, number>();
  for (const results of repliesOf(messages)) {
    if (results.some((one) => one.is_error !== true && recording.has(one.name))) {
      same.clear();
      ofTool.clear();
    }
    for (const [name, own] of Map.groupBy(results, (one) => one.name)) {
      const isTaken = !own.every(isRefused);
      const before = same.get(name);
      const refusals = new Set(isTaken ? [] : own.map(({ content }) => content));
      const counts = new Map([...refusals].map((refusal) => [refusal, (before?.get(refusal) ?? 0) + 1]));
      same.set(name, counts);
      ofTool.set(name, isTaken ? 0 : (ofTool.get(name) ?? 0) + 1);
    }
  }
  for (const [name, counts] of same)
    for (const [refusal, count] of counts)
      if (count >= MAX_SAME)
        return `called ${name} ${count} times in a row and was refused each time: ${shortened(refusal, MAX_SHOWN)}`;
  for (const [name, count] of ofTool)
    if (count >= MAX_OF_TOOL) return `called ${name} in ${count} replies in a row, and was refused each time`;
  return null;
}

/** The tools that refused to record what the last reply wanted to keep. */
export function refusedBeside(messages: readonly Message[], recording: ReadonlySet<string>): string[] {
  const last = repliesOf(messages).at(-1) ?? [];
  const lost = last.filter((one) => recording.has(one.name) && isRefused(one) && refusalIn(one)?.is_known !== true);
  return [...new Set(lost.map(({ name }) => name))];
}

function isRefused(result: Result): boolean {
  // What a provider did not answer is no fault of the model.
  return result.is_error === true && refusalIn(result)?.unreached === undefined;
}

function refusalIn({ state }: Result): z.infer<typeof refusalSchema> | undefined {
  return refusalSchema.safeParse(state).data;
}

/** The results of each reply that called tools. */
function repliesOf(messages: readonly Message[]): Result[][] {
  const replies: Result[][] = [];
  for (const message of messages) {
    if (message.role === "assistant" && message.tool_calls.length > 0) replies.push([]);
    else if (message.role === "tool") replies.at(-1)?.push(message);
  }
  return replies;
}
