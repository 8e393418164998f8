// The conversations of a step and its calls of models, in text.
import { shownLine } from "../../kernel/shown-text.ts";
import type { ModelCallView } from "../../operations/look/spending.ts";
import type { Style } from "../terminal/style.ts";
import { columns, oneLine } from "../terminal/layout.ts";
import { count, duration, moment } from "../../surface/words.ts";
import { dollars, keptText, number } from "../../surface/usage-words.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { ConversationView } from "../../operations/look/conversations.ts";
import type { Message } from "../../run/model/conversation.ts";

const MAX_SHOWN = 60;

export function callsText(calls: readonly ModelCallView[], style: Style): string {
  const rest = calls.length - MAX_SHOWN;
  const more = rest > 0 ? `  and ${count(rest, "more call")} (--json shows all)\n` : "";
  return columns(
    calls.slice(0, MAX_SHOWN).map((call) => callRow(call, style)),
    "  ",
  ).concat(more);
}

function callRow(call: ModelCallView, style: Style): string[] {
  const { begun_at, ended_at, role, model, outcome } = call;
  return [
    moment(begun_at),
    ended_at === null ? "" : duration(Date.parse(ended_at) - Date.parse(begun_at)),
    `${shownLine(role)} ${shownLine(model)}`,
    outcome ?? style.warn("not settled"),
    usedText(call),
    costText(call),
  ];
}

function usedText(call: ModelCallView): string {
  const { input_tokens, output_tokens, cached_input_tokens, cache_write_tokens, tokens, reserved } = call;
  if (tokens === null) return `${number(reserved.tokens)} tokens reserved`;
  if (input_tokens === null || output_tokens === null) return `charged as ${number(tokens)} tokens`;
  const parts = [
    cached_input_tokens === null ? [] : `${number(cached_input_tokens)} cached`,
    cache_write_tokens === null ? [] : keptText(cache_write_tokens),
  ].flat();
  const cached = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  return `${number(input_tokens)} in${cached}, ${number(output_tokens)} out`;
}

function costText({ tokens, cost_usd, reserved }: ModelCallView): string {
  const cost = tokens === null ? reserved.cost_usd : cost_usd;
  return cost === null ? "price not known" : `${dollars(cost)}${tokens === null ? " reserved" : ""}`;
}

const MESSAGE_WIDTH = 200;
const MAX_MESSAGES = 60;

export function conversationText(view: ConversationView, style: Style): string {
  const { conversation, messages, tool_calls, repairs, orphans, lost } = view;
  const rest = messages.length - MAX_MESSAGES;
  const shown = messages.slice(0, MAX_MESSAGES).map((message) => messageText(message, style));
  const more = rest > 0 ? `    and ${count(rest, "more message")} (--json shows all)\n` : "";
  const calls = tool_calls.map(({ name, tool_call_id, is_safe, requested, outcome }) => [
    shownLine(name),
    shownLine(tool_call_id),
    is_safe ? "safe" : "not safe to repeat",
    count(requested, "request"),
    (outcome ?? style.warn("its outcome is not known")).replaceAll("_", " "),
  ]);
  const repairLines = repairs.map(({ message_id, repaired }) => `    message ${message_id} was ${repaired}\n`).join("");
  const dropped = orphans.length === 0 ? "" : `    results that no call waits for, left out: ${orphans.join(", ")}\n`;
  const gone = lost.length === 0 ? "" : `    ${style.warn(`messages whose files are lost: ${lost.join(", ")}`)}\n`;
  return [
    `  ${shownLine(conversation)}  ${style.dim(count(messages.length, "message"))}\n`,
    ...shown,
    more,
    gone,
    calls.length === 0 ? "" : `  ${style.dim("tool calls")}\n${columns(calls, "    ")}`,
    repairLines + dropped === "" ? "" : `  ${style.dim("repairs")}\n${repairLines}${dropped}`,
  ].join("");
}

function messageText(message: Message, style: Style): string {
  const head = `    ${String(message.message_id).padStart(3)}  ${message.role.padEnd(9)}`;
  const indent = " ".repeat(20);
  const lines = linesOf(message).map((line, index) => `${index === 0 ? `${head}  ` : indent}${line}\n`);
  return lines.length === 0 ? `${head}  ${style.dim("(empty)")}\n` : lines.join("");
}

function linesOf(message: Message): string[] {
  const words = message.content === "" ? [] : [oneLine(message.content, MESSAGE_WIDTH)];
  if (message.role === "tool")
    return [`${shownLine(message.name)}${message.is_error === true ? " (an error)" : ""}: ${words[0] ?? ""}`];
  if (message.role !== "assistant") return words;
  const thought = (message.reasoning ?? []).map(({ text }) => text).join(" ");
  return [
    ...(thought.trim() === "" ? [] : [`(thinks) ${oneLine(thought, MESSAGE_WIDTH)}`]),
    ...words,
    ...message.tool_calls.map(
      ({ name, arguments: given }) =>
        `calls ${shownLine(name)}(${shortened(oneLine(given, MESSAGE_WIDTH), MESSAGE_WIDTH)})`,
    ),
  ];
}
