// Requests in which the whole reply is the arguments of the one tool. The server holds the reply to their schema.
import { isObject, type JsonObject } from "../kernel/json-object.ts";
import type { ModelRequest } from "../ports/model.ts";
import type { Message } from "../run/model/conversation.ts";
import type { ToolDescription } from "../run/model/model.ts";
import type { ProviderModel, StreamOptions } from "./sdk.ts";

/** The tool whose arguments the reply has to be; null when tools are called as usual. */
export function toolInJson({ tools, only_tool }: Pick<ModelRequest, "tools" | "only_tool">): ToolDescription | null {
  return only_tool === "json_schema" ? (tools[0] ?? null) : null;
}

/** The options that require such a reply from the server, with the part of JSON Schema that all servers know. */
export function jsonOptions(
  { name, description, input_schema }: ToolDescription,
  { optionsName, providerOptions = {} }: ProviderModel,
): Pick<StreamOptions, "responseFormat" | "providerOptions"> {
  const own = { ...providerOptions[optionsName], strictJsonSchema: !hasOptional(input_schema) };
  return {
    responseFormat: { type: "json", name, description, schema: plainSchema(input_schema) },
    providerOptions: { ...providerOptions, [optionsName]: own },
  };
}

/** Goes behind the system message, since the request has no tools and some servers do not show the schema to the model. */
export function jsonNote({ name, description, input_schema }: ToolDescription): string {
  const schema = JSON.stringify(plainSchema(input_schema));
  return `Here "${name}" is called by writing what it takes: your whole reply is one JSON object. ${name}: ${description}\nIts JSON schema: ${schema}`;
}

/**
 * The conversation without calls: a call becomes words of the model, its result words of the user. Messages of the user in a
 * row are joined, since some servers take no other.
 */
export function asTalk(messages: readonly Message[], note: string): Message[] {
  const talk: Message[] = [];
  for (const message of messages) {
    const said = plain(message);
    const last = talk.at(-1);
    if (said.role === "user" && last?.role === "user")
      talk.splice(-1, 1, { ...last, content: `${last.content}\n\n${said.content}` });
    else talk.push(said);
  }
  const system = talk.findIndex(({ role }) => role === "system");
  return talk.map((message, at) =>
    at === system && message.role === "system" ? { ...message, content: `${message.content}\n\n${note}` } : message,
  );
}

function plain(message: Message): Message {
  const { message_id, content } = message;
  if (message.role === "tool") return { role: "user", message_id, content };
  if (message.role !== "assistant" || message.tool_calls.length === 0) return message;
  const said = [content, ...message.tool_calls.map((call) => call.arguments)].filter((text) => text.trim() !== "");
  return { ...message, content: said.join("\n\n"), tool_calls: [] };
}

// --- the schema ---------------------------------------------------------------------------------------------------

/** Servers differ in these, and some cannot limit long texts. The tool itself checks them. */
const BOUNDS_OF_TEXT: ReadonlySet<string> = new Set(["minLength", "maxLength", "pattern"]);

/** The schema without bounds of texts. Objects may hold only what is named. */
function plainSchema(schema: JsonObject): JsonObject {
  const { properties, items, ...rest } = schema;
  const kept = Object.entries(rest).filter(([key]) => !BOUNDS_OF_TEXT.has(key));
  return {
    ...Object.fromEntries(kept),
    ...(isObject(items) ? { items: plainSchema(items) } : {}),
    ...(isObject(properties)
      ? { properties: Object.fromEntries(Object.entries(properties).map(plainMember)), additionalProperties: false }
      : {}),
  };
}

function plainMember([name, schema]: [string, unknown]): [string, unknown] {
  return [name, isObject(schema) ? plainSchema(schema) : schema];
}

/** True when an object may leave something out. Providers refuse such a schema as a strict one. */
function hasOptional({ properties, required, items }: JsonObject): boolean {
  const names = isObject(properties) ? Object.keys(properties) : [];
  const demanded = Array.isArray(required) ? required : [];
  const parts = [items, ...(isObject(properties) ? Object.values(properties) : [])].filter(isObject);
  return names.length > demanded.length || parts.some(hasOptional);
}
