// Turns our messages into those of the AI SDK.
import { unlessThrown } from "../kernel/unless-thrown.ts";
import { isObject } from "../kernel/json-object.ts";
import { parseWrittenJson } from "../kernel/written-json.ts";
import type { Message, ProviderMetadata } from "../run/model/conversation.ts";
import type { SdkAssistantPart, SdkMessage, SdkToolResult } from "./sdk.ts";

type AssistantMessage = Extract<Message, { role: "assistant" }>;
type ToolMessage = Extract<Message, { role: "tool" }>;

/** `sendReasoning`: earlier reasoning goes along, in its place. The metadata of calls always goes along. */
export function promptOf(messages: readonly Message[], sendReasoning: boolean): SdkMessage[] {
  const prompt: SdkMessage[] = [];
  for (const message of messages) {
    const last = prompt.at(-1);
    if (message.role === "tool" && last?.role === "tool") last.content.push(toolResult(message));
    else prompt.push(sdkMessage(message, sendReasoning));
  }
  return prompt;
}

function sdkMessage(message: Message, sendReasoning: boolean): SdkMessage {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "user":
      return { role: "user", content: [{ type: "text", text: message.content }] };
    case "assistant":
      return { role: "assistant", content: assistantParts(message, sendReasoning) };
    case "tool":
      return { role: "tool", content: [toolResult(message)] };
  }
}

/** Puts reasoning back to its place in the text, since signatures cover the order as well. */
function assistantParts(message: AssistantMessage, sendReasoning: boolean): SdkAssistantPart[] {
  const { content, reasoning = [], tool_calls } = message;
  const parts: SdkAssistantPart[] = [];
  let written = 0;
  const writeText = (end: number): void => {
    const text = content.slice(written, end);
    // Some models write a line end before a call, which Anthropic does not take back.
    if (text.trim() !== "") parts.push({ type: "text", text });
    written = Math.max(written, end);
  };
  for (const { text, at = 0, provider_metadata } of sendReasoning ? reasoning : []) {
    writeText(at);
    parts.push({ type: "reasoning", text, ...optionsOf(provider_metadata) });
  }
  writeText(content.length);
  for (const { tool_call_id, name, arguments: text, provider_metadata } of tool_calls) {
    parts.push({
      type: "tool-call",
      toolCallId: tool_call_id,
      toolName: name,
      // No provider takes arguments that are no object. The result of the call says what is wrong with them.
      input: argumentsOf(text) ?? { unread: text },
      ...optionsOf(provider_metadata),
    });
  }
  return parts;
}

function toolResult({ tool_call_id, name, content, is_error }: ToolMessage): SdkToolResult {
  return {
    type: "tool-result",
    toolCallId: tool_call_id,
    toolName: name,
    output: { type: is_error === true ? "error-text" : "text", value: content },
  };
}

function optionsOf(metadata: ProviderMetadata | undefined): { providerOptions?: ProviderMetadata } {
  return metadata === undefined ? {} : { providerOptions: metadata };
}

/** The arguments of a call as an object. An empty text is a call without arguments. Null when the text is no object. */
function argumentsOf(text: string): Record<string, unknown> | null {
  if (text.trim() === "") return {};
  const value = unlessThrown(() => parseWrittenJson(text), null);
  if (typeof value === "string" && value !== text) return argumentsOf(value);
  return isObject(value) ? { ...value } : null;
}
