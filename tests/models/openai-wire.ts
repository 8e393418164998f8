// The chat completions wire of OpenAI and of everything compatible with it: answers as bytes of a body.
import type { ErrorAnswer, MessageAnswer, ScriptedCall, SeenRequest } from "./answers.ts";
import { piecesOf, textOf, usageOf } from "./wire-text.ts";

/** Who is asked for JSON writes what the call of the tool would hold. */
function inForm(answer: MessageAnswer, { body }: SeenRequest): MessageAnswer {
  const { response_format } = body as { response_format?: { type: string } };
  const [call] = answer.tool_calls ?? [];
  if (response_format?.type !== "json_schema" || call === undefined) return answer;
  return { ...answer, text: textOf(call.arguments), tool_calls: [] };
}

export function openaiStream(given: MessageAnswer, request: SeenRequest): string {
  const answer = inForm(given, request);
  const head = { id: `chatcmpl-${request.number}`, created: 0, model: modelOf(answer, request) };
  const event = (fields: object): string =>
    `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", ...fields })}\n\n`;
  const delta = (fields: object, finish_reason: string | null = null): string =>
    event({ choices: [{ index: 0, delta: fields, finish_reason }] });
  const events = [delta({ role: "assistant", content: "" })];
  for (const piece of piecesOf(answer.reasoning, answer)) events.push(delta({ reasoning_content: piece }));
  for (const piece of piecesOf(answer.text, answer)) events.push(delta({ content: piece }));
  for (const [index, call] of (answer.tool_calls ?? []).entries()) {
    events.push(
      delta({
        tool_calls: [{ index, ...callHead(call, index, request), function: { name: call.name, arguments: "" } }],
      }),
    );
    for (const piece of piecesOf(textOf(call.arguments), answer))
      events.push(delta({ tool_calls: [{ index, function: { arguments: piece } }] }));
  }
  if (answer.finish !== null) events.push(delta({}, finishOf(answer)));
  if (answer.usage !== null) events.push(event({ choices: [], usage: openaiUsage(answer) }));
  return `${events.join("")}data: [DONE]\n\n`;
}

export function openaiMessage(given: MessageAnswer, request: SeenRequest): string {
  const answer = inForm(given, request);
  const calls = answer.tool_calls ?? [];
  const tool_calls = calls.map((call, index) => ({
    ...callHead(call, index, request),
    function: { name: call.name, arguments: textOf(call.arguments) },
  }));
  const message = {
    role: "assistant",
    content: answer.text ?? null,
    ...(answer.reasoning === undefined ? {} : { reasoning_content: answer.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls }),
  };
  return JSON.stringify({
    id: `chatcmpl-${request.number}`,
    object: "chat.completion",
    created: 0,
    model: modelOf(answer, request),
    choices: [{ index: 0, message, finish_reason: answer.finish === null ? null : finishOf(answer) }],
    ...(answer.usage === null ? {} : { usage: openaiUsage(answer) }),
  });
}

export function openaiError({ type, code, message, in_stream }: ErrorAnswer): string {
  const body = JSON.stringify({ error: { message, type, param: null, code: code ?? null } });
  return in_stream === true ? `data: ${body}\n\n` : body;
}

function callHead(call: ScriptedCall, index: number, request: SeenRequest): object {
  return call.id === null
    ? { type: "function" }
    : { id: call.id ?? `call_${request.number}_${index}`, type: "function" };
}

function finishOf({ finish, tool_calls = [] }: MessageAnswer): string {
  return finish ?? (tool_calls.length > 0 ? "tool_calls" : "stop");
}

function openaiUsage(answer: MessageAnswer): object {
  const { input, output, cached = 0, reasoning = 0 } = usageOf(answer);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

function modelOf(answer: MessageAnswer, { body }: SeenRequest): string {
  return answer.model ?? (body as { model?: string }).model ?? "scripted";
}
