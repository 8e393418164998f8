// The wires that the scripted server does not speak by itself: OpenAI's responses and Google's, from their events.
import { describe, expect, test } from "bun:test";
import type { NewMessage } from "../../src/run/model/conversation.ts";
import type { Answer } from "./answers.ts";
import { ask } from "./asking.ts";
import { scriptedServer } from "./scripted-server.ts";

const events = (...list: object[]): Answer => ({
  kind: "raw",
  body: list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""),
});

// --- OpenAI ---------------------------------------------------------------------------------------------------------

const REASONING = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: null };
const TEXT = { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [] };
const CALL = {
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "search",
  arguments: "",
  status: "in_progress",
};
const USAGE = {
  input_tokens: 50,
  input_tokens_details: { cached_tokens: 30 },
  output_tokens: 12,
  output_tokens_details: { reasoning_tokens: 5 },
};
const head = [
  { type: "response.created", response: { id: "resp_1", created_at: 0, model: "gpt-scripted-1" } },
  { type: "response.output_item.added", output_index: 0, item: REASONING },
  { type: "response.reasoning_summary_part.added", item_id: "rs_1", summary_index: 0 },
  { type: "response.reasoning_summary_text.delta", item_id: "rs_1", summary_index: 0, delta: "Where " },
  { type: "response.reasoning_summary_text.delta", item_id: "rs_1", summary_index: 0, delta: "is it?" },
  { type: "response.output_item.done", output_index: 0, item: { ...REASONING, encrypted_content: "c2VhbGVk" } },
  { type: "response.output_item.added", output_index: 1, item: TEXT },
  { type: "response.output_text.delta", item_id: "msg_1", delta: "I look." },
  { type: "response.output_item.done", output_index: 1, item: TEXT },
  { type: "response.output_item.added", output_index: 2, item: CALL },
  { type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 2, delta: '{"query":' },
  { type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 2, delta: '"x"}' },
  {
    type: "response.output_item.done",
    output_index: 2,
    item: { ...CALL, arguments: '{"query":"x"}', status: "completed" },
  },
];
const OPENAI = events(...head, { type: "response.completed", response: { usage: USAGE } });

describe("OpenAI's responses", () => {
  test("give reasoning, text, calls and usage", async () => {
    await using server = await scriptedServer([OPENAI]);
    const { reply, chunks } = await ask(server, { provider: "openai" });
    expect(reply).toMatchObject({
      message: {
        content: "I look.",
        reasoning: [{ text: "Where is it?" }],
        tool_calls: [{ tool_call_id: "call_1", name: "search", arguments: '{"query":"x"}' }],
      },
      usage: { input_tokens: 50, output_tokens: 12, reasoning_tokens: 5, cached_input_tokens: 30 },
      finish_reason: "tool_calls",
      model_id: "gpt-scripted-1",
    });
    expect(chunks.flatMap((chunk) => (chunk.type === "tool_call_delta" ? [chunk.arguments] : [])).join("")).toBe(
      '{"query":"x"}',
    );
  });

  test("are stored nowhere but here, and sealed reasoning goes back when asked for", async () => {
    await using server = await scriptedServer([OPENAI, OPENAI]);
    const { reply } = await ask(server, { provider: "openai" });
    const messages: NewMessage[] = [{ role: "user", content: "q" }];
    if (reply !== null) messages.push(reply.message);
    messages.push({ role: "tool", tool_call_id: "call_1", name: "search", content: "found" });
    await ask(server, { provider: "openai", messages, request: { send_reasoning_back: true } });
    expect(server.requests.map(({ body }) => (body as { store: unknown }).store)).toEqual([false, false]);
    const sent = JSON.stringify(server.requests[1]?.body);
    expect(sent).toContain("c2VhbGVk");
    expect(sent).toContain('"type":"function_call_output","call_id":"call_1","output":"found"');
  });

  test("without their last event are truncated", async () => {
    await using server = await scriptedServer([events(...head)]);
    expect((await ask(server, { provider: "openai" })).failure?.kind).toBe("truncated");
  });

  test("that say that the quota is used up are a quota failure", async () => {
    const error = { code: "insufficient_quota", message: "Used up." };
    await using server = await scriptedServer([
      events(...head.slice(0, 1), { type: "response.failed", sequence_number: 1, response: { error } }),
    ]);
    expect((await ask(server, { provider: "openai" })).failure?.kind).toBe("quota");
  });
});

// --- Google ---------------------------------------------------------------------------------------------------------

const candidate = (parts: object[], finishReason?: string, more: object = {}) => ({
  candidates: [{ content: { role: "model", parts }, ...(finishReason === undefined ? {} : { finishReason }) }],
  ...more,
});
const GOOGLE_CALL = { functionCall: { name: "search", args: { query: "x" } }, thoughtSignature: "c2lnbmVk" };
const GOOGLE_USAGE = { usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 7, thoughtsTokenCount: 3 } };
const GOOGLE = events(
  candidate([{ text: "Where is it?", thought: true }]),
  candidate([{ text: "I " }]),
  candidate([{ text: "look." }, GOOGLE_CALL], "STOP", GOOGLE_USAGE),
);

describe("Google's stream", () => {
  test("gives reasoning, text, calls and usage", async () => {
    await using server = await scriptedServer([GOOGLE]);
    const { reply, chunks } = await ask(server, { provider: "google" });
    expect(reply).toMatchObject({
      message: {
        content: "I look.",
        reasoning: [{ text: "Where is it?" }],
        tool_calls: [{ name: "search", arguments: '{"query":"x"}' }],
      },
      usage: { input_tokens: 40, output_tokens: 10, reasoning_tokens: 3 },
      finish_reason: "tool_calls",
    });
    expect(chunks.flatMap((chunk) => (chunk.type === "tool_call_delta" ? [chunk.arguments] : [])).join("")).toBe(
      '{"query":"x"}',
    );
  });

  test("gets the signature of a call back, whether or not reasoning is sent back", async () => {
    await using server = await scriptedServer([GOOGLE, GOOGLE]);
    const { reply } = await ask(server, { provider: "google" });
    const [call] = reply?.message.tool_calls ?? [];
    const messages: NewMessage[] = [{ role: "user", content: "q" }];
    if (reply !== null) messages.push(reply.message);
    messages.push({ role: "tool", tool_call_id: call?.tool_call_id ?? "", name: "search", content: "found" });
    await ask(server, { provider: "google", messages });
    const sent = JSON.stringify(server.requests[1]?.body);
    expect(sent).toContain("c2lnbmVk");
    expect(sent).not.toContain("Where is it?");
    expect(sent).toContain("found");
  });

  test("gets the results of one reply together", async () => {
    const call = (id: string) => ({ tool_call_id: id, name: "search", arguments: "{}" });
    const result = (id: string): NewMessage => ({
      role: "tool",
      tool_call_id: id,
      name: "search",
      content: `found ${id}`,
    });
    const messages: NewMessage[] = [
      { role: "user", content: "q" },
      { role: "assistant", content: "", tool_calls: [call("a"), call("b")] },
      result("a"),
      result("b"),
    ];
    await using server = await scriptedServer([GOOGLE]);
    await ask(server, { provider: "google", messages });
    const body = server.requests[0]?.body as { contents: { parts: object[] }[] } | undefined;
    expect(body?.contents.map(({ parts }) => parts.length)).toEqual([1, 2, 2]);
  });

  test.each([
    ["without an end is truncated", candidate([{ text: "I look" }]), "truncated"],
    ["that was filtered is refused", candidate([{ text: "I" }], "SAFETY"), "refused"],
    ["with a call that it could not write is malformed", candidate([], "MALFORMED_FUNCTION_CALL"), "malformed"],
    ["that was cut in a call is too long", candidate([GOOGLE_CALL], "MAX_TOKENS"), "reply_too_long"],
  ])("%s", async (_name, event, kind) => {
    await using server = await scriptedServer([events(event)]);
    expect((await ask(server, { provider: "google" })).failure?.kind).toBe(kind as "truncated");
  });
});
