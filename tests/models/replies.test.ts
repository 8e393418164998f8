// Whole replies over real HTTP: what the model said arrives byte for byte, in pieces that add up to it, on both wires.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { ModelChunk } from "../../src/ports/model.ts";
import type { Assistant, NewMessage } from "../../src/run/model/conversation.ts";
import { asksFor, says, type MessageAnswer } from "./answers.ts";
import { ask, modelAt, SEARCH } from "./asking.ts";
import { scriptedServer } from "./scripted-server.ts";

const WIRES = ["compatible", "anthropic"] as const;

/** The message that the pieces add up to. */
function assembled(chunks: readonly ModelChunk[]): {
  content: string;
  reasoning: string;
  calls: Record<string, string>;
} {
  const whole = { content: "", reasoning: "", calls: {} as Record<string, string> };
  for (const chunk of chunks) {
    if (chunk.type === "text") whole.content += chunk.text;
    else if (chunk.type === "reasoning") whole.reasoning += chunk.text;
    else whole.calls[chunk.tool_call_id] = (whole.calls[chunk.tool_call_id] ?? "") + chunk.arguments;
  }
  return whole;
}

function expectAssembled(chunks: readonly ModelChunk[], message: Assistant): void {
  const { content, reasoning, calls } = assembled(chunks);
  expect(content).toBe(message.content);
  expect(reasoning).toBe((message.reasoning ?? []).map(({ text }) => text).join(""));
  for (const call of message.tool_calls) expect(calls[call.tool_call_id] ?? "").toBe(call.arguments);
}

const FULL: MessageAnswer = {
  kind: "message",
  text: "Ein Journal ist die Wahrheit. 日本語 😀\n\nEnd.",
  reasoning: "Where was it? 🤔",
  reasoning_signature: "c2lnbmF0dXJl",
  tool_calls: [
    { id: "call_a", name: "search", arguments: '{ "query": "journal 😀" }' },
    { id: "call_b", name: "search", arguments: { query: 'quotes " and \\ too' } },
  ],
  usage: { input: 1200, output: 340, cached: 1000 },
};

describe.each(WIRES)("a reply over the wire of %s", (provider) => {
  test("holds text, reasoning and calls as they were sent", async () => {
    await using server = await scriptedServer([FULL]);
    const { reply, chunks } = await ask(server, { provider });
    expect(reply?.message.content).toBe(FULL.text ?? "");
    expect(reply?.message.reasoning?.map(({ text }) => text)).toEqual([FULL.reasoning ?? ""]);
    expect(reply?.message.tool_calls.map(({ name, arguments: text }) => [name, text])).toEqual([
      ["search", '{ "query": "journal 😀" }'],
      ["search", JSON.stringify({ query: 'quotes " and \\ too' })],
    ]);
    expect(reply?.finish_reason).toBe("tool_calls");
    expect(reply?.usage).toEqual({ input_tokens: 1200, output_tokens: 340, cached_input_tokens: 1000 });
    expect(chunks.length).toBeGreaterThan(10);
    if (reply !== null) expectAssembled(chunks, reply.message);
  });

  test("is one HTTP request, and no tool of it is run", async () => {
    await using server = await scriptedServer([FULL]);
    await ask(server, { provider });
    expect(server.requests.map(({ ended }) => ended)).toEqual(["answered"]);
    expect(server.unexpected).toEqual([]);
  });

  test("is the same however its bytes are cut into writes", async () => {
    await using server = await scriptedServer((request) => ({
      ...FULL,
      write_bytes: [1, 3, 64][request.number - 1] ?? 1000,
    }));
    const replies = [];
    for (let count = 0; count < 4; count++) replies.push((await ask(server, { provider })).reply);
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(replies[0]).not.toBeNull();
  });

  test("whose usage nobody said has an unknown one, not a zero", async () => {
    await using server = await scriptedServer([says("Yes.", { usage: null })]);
    const { reply } = await ask(server, { provider });
    expect(reply?.usage).toEqual({ input_tokens: null, output_tokens: null });
  });

  test("whose usage is beyond all reason has an unknown one: sums of it could not be stored", async () => {
    await using server = await scriptedServer([{ ...FULL, usage: { input: 9e15, output: 20 } }]);
    const { reply } = await ask(server, { provider });
    expect(reply?.usage).toMatchObject({ input_tokens: null, output_tokens: 20 });
  });

  test.each(["search\nFAKE", "search\u001b[31m", "se\u202earch", "search\u2028"])(
    "that calls %j is none",
    async (name) => {
      await using server = await scriptedServer([
        asksFor([{ name, arguments: {} }]),
        asksFor([{ id: name, name: "search", arguments: {} }]),
      ]);
      expect((await ask(server, { provider })).failure?.kind).toBe("malformed");
      expect((await ask(server, { provider })).failure?.kind).toBe("malformed");
    },
  );

  test.each(['{"query": ', "[]", '{"q":1,"q":2}'])(
    "whose arguments are %j is one, and can be sent back",
    async (args) => {
      await using server = await scriptedServer([
        asksFor([{ id: "a", name: "search", arguments: args }]),
        says("Yes."),
      ]);
      const { reply } = await ask(server, { provider });
      expect(reply?.message.tool_calls.map((call) => call.arguments)).toEqual([args]);
      const messages: NewMessage[] = [
        { role: "user", content: "q" },
        reply?.message ?? { role: "user", content: "" },
        { role: "tool", tool_call_id: "a", name: "search", content: "The arguments do not fit.", is_error: true },
      ];
      expect((await ask(server, { provider, messages })).reply?.message.content).toBe("Yes.");
      expect(JSON.stringify(server.requests[1]?.body)).toContain("unread");
    },
  );

  test.each([
    ["tags", 'I search.\n<tool_call>\n{"name": "search", "arguments": {"query": "q"}}\n</tool_call>', "I search."],
    ["a fence", 'So:\n```json\n{"tool": "search", "parameters": {"query": "q"}}\n```\nWell?', "So:\n\nWell?"],
    ["JSON alone", '{"tool_calls": [{"function": {"name": "search", "arguments": "{\\"query\\":\\"q\\"}"}}]}', ""],
  ])("that writes its call into the text, in %s, is read", async (_how, text, rest) => {
    await using server = await scriptedServer([says(text)]);
    const { reply } = await ask(server, { provider });
    expect(reply?.message.content).toBe(rest);
    expect(reply?.message.tool_calls).toEqual([
      { tool_call_id: "text_1", name: "search", arguments: expect.stringMatching(/^\{"query":"q"\}$/) },
    ]);
    expect(reply?.finish_reason).toBe("tool_calls");
  });

  test("that is the result alone is a call of the only tool", async () => {
    await using server = await scriptedServer([
      says('```json\n{"query": "q"}\n```'),
      says('Not so: {"query": "q"} or\n{"a": 1}'),
    ]);
    expect((await ask(server, { provider })).reply?.message.tool_calls).toMatchObject([
      { name: "search", arguments: '{"query":"q"}' },
    ]);
    expect((await ask(server, { provider })).reply?.message.tool_calls).toEqual([]);
  });

  test("that is a result in words is a call of the only tool that takes it", async () => {
    const input_schema = { type: "object", properties: { changes: {} }, required: ["changes"] };
    const revise = { name: "revise", description: "Writes it again.", input_schema };
    await using server = await scriptedServer([
      says('Sorry! Here it is:\n{"changes": [{"statement_id": "s1"}]}'),
      says('Sorry!\n{"changes": [], "query": "q"}'),
    ]);
    const request = { tools: [SEARCH, revise] };
    expect((await ask(server, { provider, request })).reply?.message).toMatchObject({
      content: "Sorry! Here it is:",
      tool_calls: [{ name: "revise", arguments: '{"changes":[{"statement_id":"s1"}]}' }],
    });
    expect((await ask(server, { provider, request })).reply?.message.tool_calls).toEqual([]);
  });

  test("may be told that it has to call a tool", async () => {
    await using server = await scriptedServer([says("Yes."), says("Yes.")]);
    await ask(server, { provider, request: { only_tool: "forced_call" } });
    await ask(server, { provider });
    const [told, free] = server.requests.map(({ body }) => (body as { tool_choice?: unknown }).tool_choice);
    expect(told).toEqual(provider === "anthropic" ? { type: "any" } : "required");
    expect([undefined, "auto"]).toContain(
      (free as { type?: string } | undefined)?.type ?? (free as string | undefined),
    );
  });

  test.each([
    'A call looks like {"name": "search", "arguments": {}} there.',
    '{"name": "shell", "arguments": {"command": "ls"}}',
    '{"name": "search", "arguments": {"query": "q"}',
  ])("control: %j is text", async (text) => {
    await using server = await scriptedServer([says(text)]);
    expect((await ask(server, { provider })).reply?.message).toEqual({
      role: "assistant",
      content: text,
      tool_calls: [],
    });
  });

  test("that asks for more calls at once than any model does is none", async () => {
    const asking = (count: number) => asksFor(Array.from({ length: count }, () => ({ name: "search", arguments: {} })));
    await using server = await scriptedServer([asking(100), asking(101)]);
    expect((await ask(server, { provider })).reply?.message.tool_calls).toHaveLength(100);
    expect((await ask(server, { provider })).failure?.kind).toBe("malformed");
  });

  test("names the model that answered", async () => {
    await using server = await scriptedServer([says("Yes.", { model: "scripted-2026" })]);
    expect((await ask(server, { provider })).reply?.model_id).toBe("scripted-2026");
  });

  test("that was cut at its token limit is text that says so", async () => {
    await using server = await scriptedServer([
      says("Half of", { finish: provider === "anthropic" ? "max_tokens" : "length" }),
    ]);
    expect((await ask(server, { provider })).reply).toMatchObject({
      message: { content: "Half of" },
      finish_reason: "length",
    });
  });

  test("with a call without arguments is whole", async () => {
    await using server = await scriptedServer([asksFor([{ name: "search", arguments: "" }])]);
    const { reply, chunks } = await ask(server, { provider });
    expect(reply?.message.tool_calls).toHaveLength(1);
    if (reply !== null) expectAssembled(chunks, reply.message);
  });

  test("whose call has an id that an earlier one had gets another", async () => {
    const again = asksFor([{ id: "call_0", name: "search", arguments: { query: "b" } }]);
    const messages: NewMessage[] = [
      { role: "user", content: "q" },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ tool_call_id: "call_0", name: "search", arguments: '{"query":"a"}' }],
      },
      { role: "tool", tool_call_id: "call_0", name: "search", content: "nothing" },
    ];
    await using server = await scriptedServer([again]);
    const { reply, chunks } = await ask(server, { provider, messages });
    expect(reply?.message.tool_calls.map(({ tool_call_id }) => tool_call_id)).toEqual(["call_0_2"]);
    if (reply !== null) expectAssembled(chunks, reply.message);
  });

  test("adds up from its pieces, whatever it says and wherever they end", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 40 });
    const answer = fc.record({
      text: text.filter((each) => each.trim() !== ""),
      reasoning: text,
      delta_length: fc.integer({ min: 1, max: 9 }),
      write_bytes: fc.integer({ min: 1, max: 400 }),
      query: text,
    });
    let current: MessageAnswer = says("");
    await using server = await scriptedServer(() => current);
    await fc.assert(
      fc.asyncProperty(answer, async ({ query, ...rest }) => {
        current = { kind: "message", ...rest, tool_calls: [{ name: "search", arguments: { query } }] };
        const { reply, chunks } = await ask(server, { provider });
        expect(reply?.message.content).toBe(rest.text);
        expect(JSON.parse(reply?.message.tool_calls[0]?.arguments ?? "")).toEqual({ query });
        if (reply !== null) expectAssembled(chunks, reply.message);
      }),
      { numRuns: 40 },
    );
  });
});

describe("what is sent", () => {
  const history: NewMessage[] = [
    { role: "system", content: "Be exact." },
    { role: "user", content: "What is a journal?" },
    {
      role: "assistant",
      content: "I look.",
      reasoning: [{ text: "Where?", provider_metadata: { anthropic: { signature: "c2ln" } } }],
      tool_calls: [
        { tool_call_id: "a", name: "search", arguments: '{"query":"journal"}' },
        { tool_call_id: "b", name: "search", arguments: "" },
      ],
    },
    { role: "tool", tool_call_id: "a", name: "search", content: "A journal is a record." },
    { role: "tool", tool_call_id: "b", name: "search", content: "No such document.", is_error: true },
  ];

  test("on OpenAI's wire is the whole history with its pairs", async () => {
    await using server = await scriptedServer([says("Yes.")]);
    await ask(server, { messages: history, request: { model: { ...modelAt(server), temperature: 0.5 } } });
    expect(server.requests[0]?.body).toMatchObject({
      model: "scripted",
      max_tokens: 1_000,
      temperature: 0.5,
      messages: [
        { role: "system", content: "Be exact." },
        { role: "user", content: "What is a journal?" },
        {
          role: "assistant",
          content: "I look.",
          tool_calls: [
            { id: "a", function: { name: "search", arguments: '{"query":"journal"}' } },
            { id: "b", function: { name: "search", arguments: "{}" } },
          ],
        },
        { role: "tool", tool_call_id: "a", content: "A journal is a record." },
        { role: "tool", tool_call_id: "b", content: "No such document." },
      ],
    });
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain("Where?");
  });

  test("on Anthropic's wire has the reasoning with its signature, when it is asked for", async () => {
    await using server = await scriptedServer([says("Yes."), says("Yes.")]);
    await ask(server, { provider: "anthropic", messages: history, request: { send_reasoning_back: true } });
    await ask(server, { provider: "anthropic", messages: history });
    const [asked, unasked] = server.requests.map(({ body }) => (body as { messages: unknown[] }).messages);
    const calls = [
      { type: "text", text: "I look." },
      { type: "tool_use", id: "a", name: "search", input: { query: "journal" } },
      { type: "tool_use", id: "b", name: "search", input: {} },
    ];
    const results = [
      { type: "tool_result", tool_use_id: "a", content: "A journal is a record." },
      { type: "tool_result", tool_use_id: "b", content: "No such document.", is_error: true },
    ];
    const thinking = { type: "thinking", thinking: "Where?", signature: "c2ln" };
    expect(asked?.[1]).toMatchObject({ role: "assistant", content: [thinking, ...calls] });
    expect(asked?.[2]).toMatchObject({ role: "user", content: results });
    expect(unasked?.[1]).toMatchObject({ role: "assistant", content: calls });
  });

  test("of reasoning among text stands again where it stood", async () => {
    await using server = await scriptedServer([says("Yes.")]);
    const signed = (text: string, at: number) => ({
      text,
      at,
      provider_metadata: { anthropic: { signature: `sig of ${text}` } },
    });
    const messages: NewMessage[] = [
      { role: "user", content: "q" },
      { role: "assistant", content: "One. Two.", reasoning: [signed("first", 0), signed("second", 5)], tool_calls: [] },
      { role: "user", content: "go on" },
    ];
    await ask(server, { provider: "anthropic", messages, request: { send_reasoning_back: true } });
    const body = server.requests[0]?.body as { messages: { content: { type: string; text?: string }[] }[] } | undefined;
    const sent = body?.messages[1];
    expect(sent?.content.map(({ type, text }) => text ?? type)).toEqual(["thinking", "One. ", "thinking", "Two."]);
  });

  test("of white space before a call is nothing: Anthropic would refuse it", async () => {
    await using server = await scriptedServer([says("Yes.")]);
    const messages: NewMessage[] = [
      { role: "user", content: "q" },
      { role: "assistant", content: "\n\n", tool_calls: [{ tool_call_id: "a", name: "search", arguments: "{}" }] },
      { role: "tool", tool_call_id: "a", name: "search", content: "found" },
    ];
    await ask(server, { provider: "anthropic", messages });
    const body = server.requests[0]?.body as { messages: { content: { type: string }[] }[] } | undefined;
    expect(body?.messages[1]?.content.map(({ type }) => type)).toEqual(["tool_use"]);
  });

  test("without tools names none", async () => {
    await using server = await scriptedServer([says("Yes.")]);
    await ask(server, { request: { tools: [] } });
    expect(server.requests[0]?.body).not.toHaveProperty("tools");
  });
});
