// The rule for the messages that a model is sent: each call of a tool has exactly one result, right behind its message.
import type { Message, ToolCall } from "../../src/run/model/conversation.ts";

/** True when the results also are in the order of their calls. */
export function isStrict(messages: readonly Message[]): boolean {
  let awaited: readonly ToolCall[] = [];
  for (const message of messages) {
    const [next, ...rest] = awaited;
    if (message.role === "tool") {
      if (next === undefined || next.tool_call_id !== message.tool_call_id) return false;
      awaited = rest;
      continue;
    }
    if (next !== undefined) return false;
    awaited = message.role === "assistant" ? message.tool_calls : [];
  }
  return awaited.length === 0;
}
