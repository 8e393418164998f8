// A server that reads less than it is sent: what shows it, and what may look like it and is none.
import { describe, expect, test } from "bun:test";
import { TruncationCheck } from "../../src/conversations/truncation.ts";
import type { Message } from "../../src/run/model/conversation.ts";
import type { Model, Usage } from "../../src/run/model/model.ts";
import { messageTokensAtLeast, messageTokensAtMost } from "../../src/run/money/token-bound.ts";

const LOCAL: Model = { provider: "compatible", name: "small", base_url: "http://127.0.0.1:11434/v1" };
const SYSTEM: Message = { message_id: 0, role: "system", content: "You answer briefly. ".repeat(20) };

function words(count: number): string {
  return Array.from({ length: count }, (_, place) => ["stone", "river", "lamp"][place % 3]).join(" ");
}

/** A conversation that grows by a call and a result of so many words each time. */
function grown(...results: readonly number[]): Message[] {
  const messages: Message[] = [SYSTEM, { message_id: 1, role: "user", content: "What is said?" }];
  for (const count of results) {
    const id = messages.length;
    const call = { tool_call_id: `c${id}`, name: "open", arguments: "{}" };
    messages.push({ message_id: id, role: "assistant", content: "", tool_calls: [call] });
    messages.push({ message_id: id + 1, role: "tool", tool_call_id: `c${id}`, name: "open", content: words(count) });
  }
  return messages;
}

/** About what a tokenizer makes of it. */
function trueTokens(messages: readonly Message[]): number {
  return Math.round(messages.reduce((sum, message) => sum + messageTokensAtLeast(message), 0) * 1.3) + 300;
}

/** Sends each stage of a conversation; whether it was found to be cut, from the first to the last. */
function watched(
  results: readonly number[],
  read: (tokens: number, requestNumber: number) => Partial<Usage>,
  { model = LOCAL, check = new TruncationCheck(), name = "wave1:a main" } = {},
): boolean[] {
  const all = grown(...results);
  return [...results.keys(), results.length].map((exchanges) => {
    const messages = all.slice(0, 2 + 2 * exchanges);
    const usage = { input_tokens: null, output_tokens: 40, ...read(trueTokens(messages), exchanges) };
    return check.truncationOf(name, { model, messages }, usage) !== null;
  });
}

const CONTEXT = 8_192;
const cutAt =
  (context: number, left: number = context - 700) =>
  (tokens: number): Partial<Usage> => ({ input_tokens: tokens > context ? left : tokens });
const GROWING = [2_000, 1_500, 1_500, 2_000, 60, 60];

describe("what is cut is found", () => {
  test("when a conversation grew beyond the context, soon after, and not before", () => {
    const found = watched(GROWING, cutAt(CONTEXT));
    expect(found.slice(0, 4)).toEqual([false, false, false, false]);
    expect(found.slice(4)).toContain(true);
  });

  test("at once in a first request that is far too long, by its words alone", () => {
    const messages: Message[] = [SYSTEM, { message_id: 1, role: "user", content: words(12_000) }];
    const found = new TruncationCheck().truncationOf(
      "synthesis main",
      { model: LOCAL, messages },
      { input_tokens: 4_090, output_tokens: 9 },
    );
    expect(found).toMatchObject({ context_tokens: 4_090, held_tokens: 12_060 });
    expect(found?.reason).toStartWith("the server read only 4090 tokens of a request of at least 12060");
  });

  test("by what was read before, where words say little: another script", () => {
    const text = "石頭河流燈".repeat(800);
    const check = new TruncationCheck();
    const messages: Message[] = [SYSTEM, { message_id: 1, role: "user", content: text }];
    const request = (more: readonly Message[]) => ({ model: LOCAL, messages: [...messages, ...more] });
    expect(check.truncationOf("a", request([]), { input_tokens: 3_900, output_tokens: 40 })).toBeNull();
    const more = grown(900).slice(2);
    expect(check.truncationOf("a", request(more), { input_tokens: 3_700, output_tokens: 40 })).toMatchObject({
      held_tokens: 4_800,
      context_tokens: 3_900,
    });
  });
});

describe("no alarm", () => {
  const cases: [string, (tokens: number, requestNumber: number) => Partial<Usage>][] = [
    ["where all is read", (tokens) => ({ input_tokens: tokens })],
    ["where nothing is said", () => ({})],
    ["where the same small number is said of all", () => ({ input_tokens: 1_000 })],
    [
      "where a cache was lost in between",
      (tokens, nth) => ({ input_tokens: tokens, cached_input_tokens: nth % 2 === 0 ? tokens - 200 : 0 }),
    ],
    [
      "where cached tokens are counted apart",
      (tokens) => ({ input_tokens: 1_600, cached_input_tokens: tokens - 1_600 }),
    ],
    ["where cached tokens are counted in", (tokens) => ({ input_tokens: tokens, cached_input_tokens: tokens - 200 })],
    [
      "where all but little came from a cache that is not spoken of",
      (tokens, nth) => ({ input_tokens: nth === 0 ? tokens : 60 }),
    ],
  ];
  for (const [what, read] of cases)
    test(what, () => {
      expect(watched([...GROWING, 5_000, 5_000], read)).not.toContain(true);
    });

  test("where only what is new is counted, however long it is", () => {
    const results = [3_000, 2_500, 4_000, 6_000, 3_000];
    const news = (_: number, nth: number): Partial<Usage> => ({
      input_tokens: Math.round((nth === 0 ? 0 : (results[nth - 1] ?? 0)) * 1.3) + 100,
    });
    expect(watched(results, news)).not.toContain(true);
  });

  test("where another conversation was read at that length", () => {
    const check = new TruncationCheck();
    const all = (tokens: number): Partial<Usage> => ({ input_tokens: tokens });
    expect(watched([20_000], all, { check })).not.toContain(true);
    expect(watched(GROWING, cutAt(CONTEXT, 5_500), { check, name: "wave1:b main" })).not.toContain(true);
  });

  test("where earlier reasoning is left out by the server", () => {
    const messages = grown(1_500, 900).map((message, place) =>
      message.role === "assistant" && place === 2 ? { ...message, reasoning: [{ text: words(3_000) }] } : message,
    );
    const check = new TruncationCheck();
    const request = (count: number) => ({ model: LOCAL, messages: messages.slice(0, count) });
    expect(check.truncationOf("a", request(4), { input_tokens: 5_400, output_tokens: 40 })).toBeNull();
    expect(check.truncationOf("a", request(6), { input_tokens: 2_900, output_tokens: 40 })).toBeNull();
  });

  test("where we left out the oldest messages ourselves", () => {
    const check = new TruncationCheck();
    for (const results of [[8_000], [6_000, 900, 900]]) {
      const messages = grown(...results);
      const usage = { input_tokens: trueTokens(messages), output_tokens: 40 };
      expect(check.truncationOf("a", { model: LOCAL, messages }, usage)).toBeNull();
    }
  });

  test("of a hosted model, which refuses what is too long", () => {
    expect(watched(GROWING, cutAt(CONTEXT), { model: { provider: "openai", name: "gpt-5" } })).not.toContain(true);
  });
});

test("a text has no fewer tokens than its least, and the most is more", () => {
  for (const message of grown(500, 40))
    expect(messageTokensAtLeast(message)).toBeLessThanOrEqual(messageTokensAtMost(message));
  expect(messageTokensAtLeast({ message_id: 0, role: "user", content: words(500) })).toBe(500);
});

test("a conversation that is over is forgotten: the next under its name begins anew", () => {
  const all = grown(4_000, 1_200);
  const isFoundCut = (isOver: boolean): boolean => {
    const check = new TruncationCheck();
    const truncationOf = (messages: readonly Message[], input_tokens: number) =>
      check.truncationOf("wave1:a main", { model: LOCAL, messages }, { input_tokens, output_tokens: 10 });
    expect(truncationOf(all.slice(0, 4), 6_000)).toBeNull();
    if (isOver) check.forget("wave1:a");
    return truncationOf(all, 5_900) !== null;
  };
  expect([isFoundCut(true), isFoundCut(false)]).toEqual([false, true]);
});

test("what a model thought aloud, and a template leaves out later, is not missed", () => {
  const check = new TruncationCheck();
  const messages: Message[] = [SYSTEM, { message_id: 1, role: "user", content: words(1_500) }];
  const found: boolean[] = [];
  for (let turn = 0; turn < 5; turn++) {
    // The template shows the thoughts of the last turn alone.
    const lastReply = messages.findLastIndex(({ role }) => role === "assistant");
    const shown = messages.filter(({ role }, place) => role !== "assistant" || place === lastReply);
    const read = shown.reduce((sum, { content }) => sum + Math.round(content.split(/\s+/).length * 1.2), 60);
    const usage = { input_tokens: read, output_tokens: 900 };
    found.push(check.truncationOf("wave1:a main", { model: LOCAL, messages: [...messages] }, usage) !== null);
    const id = messages.length;
    const call = { tool_call_id: `c${id}`, name: "open", arguments: "{}" };
    messages.push({ message_id: id, role: "assistant", content: `<think>${words(900)}</think>`, tool_calls: [call] });
    messages.push({ message_id: id + 1, role: "tool", tool_call_id: `c${id}`, name: "open", content: words(60) });
  }
  expect(found).toEqual([false, false, false, false, false]);
});
