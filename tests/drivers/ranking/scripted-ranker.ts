// Tools with a scripted ranker behind their conversations: it sees numbered passages, and says what the script makes of them.
import { CHECK_ITEMS } from "../../../src/drivers/ranking/check-items.ts";
import { RunError } from "../../../src/kernel/errors.ts";
import type { Conversation, Ranking, TaskTools } from "../../../src/ports/driver.ts";
import { withMessage, type Assistant, type Message } from "../../../src/run/model/conversation.ts";
import type { RankGate } from "../../../src/run/settings/rank.ts";
import { says, type Answer, type SeenRequest } from "../../models/answers.ts";

/** What it says of a request; an error in place of a reply. */
export type RankScript = (user: string, name: string) => string | object | RunError;

export const PASSED: RankGate = { first: 8, verdicts: 12 };

export interface ScriptedRanker {
  tools: Pick<TaskTools, "converse" | "ranking">;
  /** The names and requests of its conversations, one for each call. */
  calls: { name: string; user: string }[];
  noted: RankGate[];
}

export function scriptedRanker(
  script: RankScript,
  { gate, ...given }: { by?: Ranking["by"]; gate?: RankGate | null; contextTokens?: number } = {},
): ScriptedRanker {
  const { by = "model", contextTokens = 100_000 } = given;
  const calls: ScriptedRanker["calls"] = [];
  const noted: RankGate[] = [];
  const known = gate === null ? {} : { gate: gate ?? PASSED };
  return {
    calls,
    noted,
    tools: {
      ranking: { by, contextTokens, ...known, note: (found) => void noted.push(found) },
      converse: async ({ name }) => conversationOf(name, script, calls),
    },
  };
}

function conversationOf(name: string, script: RankScript, calls: ScriptedRanker["calls"]): Conversation {
  let messages: Message[] = [];
  return {
    model: "compatible:scripted",
    asked: 0,
    get messages() {
      return messages;
    },
    async say(role, content) {
      messages = withMessage(messages, { role, content });
    },
    async ask() {
      const user = messages.find(({ role }) => role === "user")?.content ?? "";
      calls.push({ name, user });
      const said = script(user, name);
      if (said instanceof RunError) throw said;
      const content = typeof said === "string" ? said : JSON.stringify(said);
      const reply: Assistant = { role: "assistant", content, tool_calls: [] };
      messages = withMessage(messages, reply);
      return reply;
    },
    async answer() {},
  };
}

/** The number of the first passage that holds these words, and the id of the sentence; null where none does. */
export function sentenceWith(user: string, words: string): { passage: number; id: string } | null {
  const line = user.split("\n").find((one) => /^\d+\.\d+ /.test(one) && one.includes(words));
  const id = line?.slice(0, line.indexOf(" "));
  return id === undefined ? null : { passage: Number(id.split(".")[0]), id };
}

/** A ranker that knows which words answer: it marks their sentence, or says no. */
export function knowing(words: string, lookFor = ""): RankScript {
  return (user) => {
    const found = sentenceWith(user, words);
    return found === null
      ? { order: [1], marks: [], answers: "no", look_for: lookFor }
      : { order: [found.passage], marks: [found.id], answers: "yes", look_for: "" };
  };
}

interface Sent {
  messages?: { role: string; content: string }[];
}

/** A model that passes the check, marks the sentence with these words, and without it searches for others. */
export function ranksBy(words: string, lookFor = ""): (request: Pick<SeenRequest, "body">) => Answer {
  return ({ body }) => {
    const user = (body as Sent).messages?.find(({ role }) => role === "user")?.content ?? "";
    const item = CHECK_ITEMS.find(({ question }) => user.includes(question));
    const right = item?.right ?? null;
    const checked = {
      order: [(right ?? 0) + 1],
      marks: [`${(right ?? 0) + 1}.1`],
      answers: right === null ? "no" : "yes",
    };
    return says(JSON.stringify(item === undefined ? knowing(words, lookFor)(user, "") : { ...checked, look_for: "" }));
  };
}
