// The messages wire of Anthropic: answers as bytes of a body.
import type { ErrorAnswer, MessageAnswer, ScriptedCall, SeenRequest } from "./answers.ts";
import { piecesOf, textOf, usageOf } from "./wire-text.ts";

type Block = { start: object; deltas: object[] };

export function anthropicStream(answer: MessageAnswer, request: SeenRequest): string {
  const event = (type: string, fields: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const { output, ...input } = anthropicUsage(answer);
  const start = {
    ...messageHead(answer, request),
    content: [],
    stop_reason: null,
    usage: { ...input, output_tokens: 1 },
  };
  const events = [event("message_start", { message: start })];
  for (const [index, { start: content_block, deltas }] of blocksOf(answer, request).entries()) {
    events.push(event("content_block_start", { index, content_block }));
    for (const delta of deltas) events.push(event("content_block_delta", { index, delta }));
    events.push(event("content_block_stop", { index }));
  }
  if (answer.finish !== null) {
    const delta = { stop_reason: finishOf(answer), stop_sequence: null };
    events.push(event("message_delta", { delta, usage: { output_tokens: output } }), event("message_stop", {}));
  }
  return events.join("");
}

export function anthropicMessage(answer: MessageAnswer, request: SeenRequest): string {
  const { output, ...input } = anthropicUsage(answer);
  return JSON.stringify({
    ...messageHead(answer, request),
    content: [
      ...(answer.reasoning === undefined
        ? []
        : [{ type: "thinking", thinking: answer.reasoning, signature: answer.reasoning_signature ?? "" }]),
      ...(answer.text === undefined ? [] : [{ type: "text", text: answer.text }]),
      ...(answer.tool_calls ?? []).map((call, index) => ({
        ...callHead(call, index, request),
        input: JSON.parse(textOf(call.arguments)) as unknown,
      })),
    ],
    stop_reason: answer.finish === null ? null : finishOf(answer),
    stop_sequence: null,
    usage: { ...input, output_tokens: output },
  });
}

export function anthropicError({ type, message, in_stream }: ErrorAnswer): string {
  const body = JSON.stringify({ type: "error", error: { type, message } });
  return in_stream === true ? `event: error\ndata: ${body}\n\n` : body;
}

function blocksOf(answer: MessageAnswer, request: SeenRequest): Block[] {
  const blocks: Block[] = [];
  if (answer.reasoning !== undefined) {
    const deltas = piecesOf(answer.reasoning, answer).map((thinking) => ({ type: "thinking_delta", thinking }));
    const signature = { type: "signature_delta", signature: answer.reasoning_signature ?? "" };
    blocks.push({ start: { type: "thinking", thinking: "", signature: "" }, deltas: [...deltas, signature] });
  }
  if (answer.text !== undefined) {
    const deltas = piecesOf(answer.text, answer).map((text) => ({ type: "text_delta", text }));
    blocks.push({ start: { type: "text", text: "" }, deltas });
  }
  for (const [index, call] of (answer.tool_calls ?? []).entries()) {
    const deltas = piecesOf(textOf(call.arguments), answer).map((partial_json) => ({
      type: "input_json_delta",
      partial_json,
    }));
    blocks.push({ start: { ...callHead(call, index, request), input: {} }, deltas });
  }
  return blocks;
}

function callHead(call: ScriptedCall, index: number, request: SeenRequest): object {
  return { type: "tool_use", id: call.id ?? `toolu_${request.number}_${index}`, name: call.name };
}

function messageHead(answer: MessageAnswer, { number, body }: SeenRequest): object {
  const model = answer.model ?? (body as { model?: string }).model ?? "scripted";
  return { id: `msg_${number}`, type: "message", role: "assistant", model, stop_sequence: null };
}

function finishOf({ finish, tool_calls = [] }: MessageAnswer): string {
  return finish ?? (tool_calls.length > 0 ? "tool_use" : "end_turn");
}

/** This wire has no way to say nothing about usage but zeros. Tokens of the cache are not part of `input_tokens` here. */
function anthropicUsage(answer: MessageAnswer): {
  input_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
  output: number;
} {
  const { input, output, cached = 0, kept = 0 } = answer.usage === null ? { input: 0, output: 0 } : usageOf(answer);
  return {
    input_tokens: input - cached - kept,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: kept,
    output,
  };
}
