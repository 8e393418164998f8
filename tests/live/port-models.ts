// The models port over a script, without HTTP: for simulated worlds, and for what is counted in thousands.
import { assert } from "../../src/kernel/assert.ts";
import type { ModelReply, ModelRequest, Models } from "../../src/ports/model.ts";
import { endpointOf } from "../../src/models/keys.ts";
import type { Answer, SeenRequest } from "../models/answers.ts";

export type PortScript = (request: Pick<SeenRequest, "body">, signal: AbortSignal) => Answer | Promise<Answer>;

export const USAGE_OF_A_CALL = { input_tokens: 100, output_tokens: 20 };

export function portModels(script: PortScript): Models {
  return {
    endpointOf: (model) => endpointOf(model, {}),
    keyOf: () => ({ variable: "NONE", is_set: false }),
    isListed: () => false,
    check: () => {},
    list: async () => [],
    async call(request, { signal }) {
      signal.throwIfAborted();
      return replyOf(await script({ body: bodyOf(request) }, signal));
    },
  };
}

/** A request as it stands on OpenAI's wire, as far as scripts look at it. */
function bodyOf({ messages, tools }: ModelRequest): unknown {
  return {
    messages: messages.map((message) => ({
      role: message.role,
      content: message.content,
      ...(message.role === "tool" ? { tool_call_id: message.tool_call_id } : {}),
      ...(message.role === "assistant"
        ? {
            tool_calls: message.tool_calls.map(({ tool_call_id, name, arguments: text }) => ({
              id: tool_call_id,
              function: { name, arguments: text },
            })),
          }
        : {}),
    })),
    tools: tools.map(({ name, description }) => ({ function: { name, description } })),
  };
}

function replyOf(answer: Answer): ModelReply {
  assert(answer.kind === "message", "a script without HTTP has messages alone");
  const { text = "", tool_calls = [] } = answer;
  const calls = tool_calls.map(({ id, name, arguments: value }, index) => ({
    tool_call_id: id ?? `call_${index}`,
    name,
    arguments: typeof value === "string" ? value : JSON.stringify(value),
  }));
  return {
    message: { role: "assistant", content: text, tool_calls: calls },
    usage: USAGE_OF_A_CALL,
    finish_reason: calls.length > 0 ? "tool_calls" : "stop",
    model_id: "scripted",
  };
}
