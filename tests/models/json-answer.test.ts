// A reply that is the arguments of the only tool: what each wire is asked for, how it is read, and what is said of earlier ones.
import { describe, expect, test } from "bun:test";
import type { ModelRequest } from "../../src/ports/model.ts";
import type { NewMessage } from "../../src/run/model/conversation.ts";
import type { ToolDescription } from "../../src/run/model/model.ts";
import type { ModelProvider } from "../../src/run/model/model-provider.ts";
import { asksFor, says, type Answer } from "./answers.ts";
import { ask } from "./asking.ts";
import { scriptedServer } from "./scripted-server.ts";

const SUBMIT: ToolDescription = {
  name: "submit",
  description: "Hands the verdicts in.",
  input_schema: {
    type: "object",
    properties: {
      verdicts: {
        type: "array",
        maxItems: 9,
        items: {
          type: "object",
          properties: { id: { type: "string", pattern: "^s", maxLength: 9 }, why: { type: "string" } },
          required: ["id", "why"],
        },
      },
    },
    required: ["verdicts"],
  },
};
/** What every server knows of it. */
const SENT = {
  type: "object",
  properties: {
    verdicts: {
      type: "array",
      maxItems: 9,
      items: {
        type: "object",
        properties: { id: { type: "string" }, why: { type: "string" } },
        required: ["id", "why"],
        additionalProperties: false,
      },
    },
  },
  required: ["verdicts"],
  additionalProperties: false,
};
const JSON_TEXT = '{"verdicts":[{"id":"s1","why":"so"}]}';

const MESSAGES: NewMessage[] = [
  { role: "system", content: "You judge." },
  { role: "user", content: "Is it so?" },
  {
    role: "assistant",
    content: "",
    tool_calls: [{ tool_call_id: "c1", name: "submit", arguments: '{"verdicts":[]}' }],
  },
  { role: "tool", tool_call_id: "c1", name: "submit", content: "Not accepted: s1 is missing", is_error: true },
  { role: "user", content: "Go on." },
];

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const OPENAI_TEXT = { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [] };
const ANSWERS: Record<Exclude<ModelProvider, "anthropic" | "rerank">, Answer> = {
  compatible: says(JSON_TEXT),
  openai: {
    kind: "raw",
    body: [
      { type: "response.created", response: { id: "resp_1", created_at: 0, model: "m" } },
      { type: "response.output_item.added", output_index: 0, item: OPENAI_TEXT },
      { type: "response.output_text.delta", item_id: "msg_1", delta: JSON_TEXT },
      { type: "response.output_item.done", output_index: 0, item: OPENAI_TEXT },
      { type: "response.completed", response: { usage: { input_tokens: 5, output_tokens: 5 } } },
    ]
      .map(event)
      .join(""),
  },
  google: {
    kind: "raw",
    body: event({
      candidates: [{ content: { role: "model", parts: [{ text: JSON_TEXT }] }, finishReason: "STOP" }],
    }),
  },
};

async function asked(provider: keyof typeof ANSWERS, request: Partial<ModelRequest> = {}) {
  await using server = await scriptedServer([ANSWERS[provider]]);
  const tools = [SUBMIT];
  const { reply } = await ask(server, {
    provider,
    messages: MESSAGES,
    request: { tools, only_tool: "json_schema", ...request },
  });
  const [sent] = server.requests;
  return { reply, body: sent?.body as Record<string, unknown>, text: JSON.stringify(sent?.body) };
}

describe.each(["compatible", "openai", "google"] as const)("asked of %s", (provider) => {
  test("the reply is read as the call of the tool", async () => {
    const { reply } = await asked(provider);
    expect(reply?.message).toMatchObject({
      content: "",
      tool_calls: [{ tool_call_id: "text_1", name: "submit", arguments: JSON_TEXT }],
    });
    expect(reply?.finish_reason).toBe("tool_calls");
  });

  test("no tool is told, earlier calls are what was said, and their results what it was answered", async () => {
    const { body, text } = await asked(provider);
    expect([body["tools"], body["tool_choice"], body["toolConfig"]]).toEqual([undefined, undefined, undefined]);
    expect(text).toContain("Not accepted: s1 is missing\\n\\nGo on.");
    expect(text).toContain("Hands the verdicts in.");
    expect(text).not.toContain("c1");
  });
});

test("each wire is asked in its own words for what all servers know of a schema", async () => {
  const named = { name: "submit", description: "Hands the verdicts in.", schema: SENT, strict: true };
  const compatible = await asked("compatible");
  expect(compatible.body["response_format"]).toEqual({ type: "json_schema", json_schema: named });
  const openai = await asked("openai");
  expect(openai.body["text"]).toEqual({ format: { type: "json_schema", ...named } });
  const google = await asked("google");
  expect(google.body["generationConfig"]).toMatchObject({
    responseMimeType: "application/json",
    responseJsonSchema: SENT,
  });
});

test("what is shown as it comes is the call that the reply becomes; prose is shown as text", async () => {
  const shown = async (text: string) => {
    await using server = await scriptedServer([says(text, { delta_length: 2 })]);
    const request = { tools: [SUBMIT], only_tool: "json_schema" as const };
    const { reply, chunks } = await ask(server, { messages: MESSAGES, request });
    const [call] = reply?.message.tool_calls ?? [];
    const pieces = chunks.map((chunk) => (chunk.type === "tool_call_delta" ? chunk.arguments : chunk.text)).join("");
    const ids = new Set(chunks.map((chunk) => (chunk.type === "tool_call_delta" ? chunk.tool_call_id : chunk.type)));
    return { pieces, ids: [...ids], call, content: reply?.message.content };
  };
  const text = `\n   ${JSON_TEXT.replace(",", ",  ")}\n`;
  expect(await shown(text)).toMatchObject({ pieces: text, ids: ["text_1"], call: { arguments: text }, content: "" });
  const prose = "   All is well.";
  expect(await shown(prose)).toEqual({ pieces: prose, ids: ["text"], call: undefined, content: prose });
  const named = JSON.stringify({ name: "submit", arguments: { verdicts: [] } });
  expect((await shown(named)).call).toMatchObject({ name: "submit", arguments: '{"verdicts":[]}' });
});

test("a schema with something that may be left out is not called strict", async () => {
  const properties = { verdict: { type: "string" }, excess: { type: "string" } };
  const input_schema = { type: "object", properties, required: ["verdict"] };
  const { body } = await asked("compatible", { tools: [{ ...SUBMIT, input_schema }] });
  expect(body["response_format"]).toMatchObject({ json_schema: { strict: false } });
});

test("arguments that are no JSON are for the tool to refuse; prose is no call", async () => {
  const read = async (text: string) => {
    await using server = await scriptedServer([says(text)]);
    const request = { tools: [SUBMIT], only_tool: "json_schema" as const };
    return (await ask(server, { request })).reply?.message;
  };
  expect(await read('{"verdicts": [')).toMatchObject({ tool_calls: [{ arguments: '{"verdicts": [' }] });
  expect(await read("All is well.")).toMatchObject({ content: "All is well.", tool_calls: [] });
});

test("control: where a call is forced, the tool is told, and what was called stays a call", async () => {
  await using server = await scriptedServer([asksFor([{ name: "submit", arguments: {} }])]);
  await ask(server, { messages: MESSAGES, request: { tools: [SUBMIT], only_tool: "forced_call" } });
  const text = JSON.stringify(server.requests[0]?.body);
  expect(text).toContain('"tool_choice":"required"');
  expect(text).toContain('"tool_call_id":"c1"');
  expect(text).not.toContain("response_format");
});
