// Calls and results stay together: in whatever order results come, after a crash took some, and when a history is trimmed.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import {
  messageSchema,
  nextMessageId,
  trimmed,
  withMessage,
  type Message,
  type NewMessage,
} from "../../src/run/model/conversation.ts";
import { isStrict } from "./strict.ts";

const call = (id: string) => ({ tool_call_id: id, name: "search", arguments: "{}" });
const asks = (...ids: string[]): NewMessage => ({ role: "assistant", content: "", tool_calls: ids.map(call) });
const result = (id: string, content = `result of ${id}`): NewMessage => ({
  role: "tool",
  tool_call_id: id,
  name: "search",
  content,
});
const SYSTEM: NewMessage = { role: "system", content: "Be exact." };
const user = (content: string): NewMessage => ({ role: "user", content });

const taken = (...messages: NewMessage[]): Message[] =>
  messages.reduce<Message[]>((list, message) => withMessage(list, message), []);
/** As they stand, whatever the rules would say. */
const listed = (...messages: NewMessage[]): Message[] =>
  messages.map((message, message_id) => ({ message_id, ...message }));
const shape = (messages: readonly Message[]): string[] =>
  messages.map((message) => (message.role === "tool" ? `tool:${message.tool_call_id}` : message.role));

describe("a result", () => {
  test("goes right behind its call, although later messages exist", () => {
    const messages = withMessage(listed(SYSTEM, user("q"), asks("a", "b"), result("b"), user("go on")), result("a"));
    expect(shape(messages)).toEqual(["system", "user", "assistant", "tool:a", "tool:b", "user"]);
    expect(isStrict(messages)).toBe(true);
    expect(messages.map(({ message_id }) => message_id)).toEqual([0, 1, 2, 5, 3, 4]);
  });

  test("that no call waits for is left out", () => {
    const messages = taken(user("q"), asks("a"), result("a", "first"));
    expect(withMessage(messages, result("a", "second"))).toEqual(messages);
    expect(withMessage(messages, result("z"))).toEqual(messages);
  });

  test("belongs to the last call of its id: some servers use ids again", () => {
    const messages = taken(user("q"), asks("call_0"), result("call_0", "one"), asks("call_0"));
    const answered = withMessage(messages, result("call_0", "two"));
    expect(answered.at(-1)).toMatchObject({ content: "two" });
    expect(isStrict(answered)).toBe(true);
  });
});

describe("a history is strict", () => {
  test.each<[string, boolean, Message[]]>([
    ["without any call", true, listed(SYSTEM, user("q"), asks())],
    ["with a result behind each call", true, listed(asks("a", "b"), result("a"), result("b"), user("q"))],
    ["not with results in another order", false, listed(asks("a", "b"), result("b"), result("a"))],
    ["not with a message between", false, listed(asks("a"), user("q"), result("a"))],
    ["not with a call that has none", false, listed(asks("a", "b"), result("a"))],
    ["not with a second result", false, listed(asks("a"), result("a"), result("a"))],
    ["not with a result that nobody asked for", false, listed(user("q"), result("a"))],
    ["not with a result before its call", false, listed(result("a"), asks("a"))],
  ])("%s", (_name, expected, messages) => {
    expect(isStrict(messages)).toBe(expected);
  });

  test("orphans, which have no call of their own, are not taken in", () => {
    const messages = taken(result("a"), asks("a"), result("a"), result("a"), result("z"));
    expect(shape(messages)).toEqual(["assistant", "tool:a"]);
    expect(isStrict(messages)).toBe(true);
  });
});

// --- properties -----------------------------------------------------------------------------------------------------

/** A strict history: exchanges of 0 to 3 calls, and user messages between some. */
const strictHistory = fc
  .array(fc.record({ calls: fc.integer({ min: 0, max: 3 }), isFollowed: fc.boolean() }), { maxLength: 8 })
  .map((exchanges) => {
    const messages: NewMessage[] = [SYSTEM, user("the question")];
    for (const [index, { calls, isFollowed }] of exchanges.entries()) {
      const ids = Array.from({ length: calls }, (_, number) => `c${index}_${number}`);
      messages.push(asks(...ids), ...ids.map((id) => result(id)));
      if (isFollowed) messages.push(user(`go on ${index}`));
    }
    return listed(...messages);
  });

const bySeed = fc.infiniteStream(fc.nat());

function shuffled<T>(items: readonly T[], numbers: Iterator<number>): T[] {
  return items
    .map((item) => ({ item, key: Number(numbers.next().value) }))
    .toSorted((left, right) => left.key - right.key)
    .map(({ item }) => item);
}

describe("for every history", () => {
  test("results that a crash took come back to their places, in whatever order", () => {
    fc.assert(
      fc.property(strictHistory, bySeed, (messages, numbers) => {
        const lost = messages.filter(({ role }) => role === "tool" && Number(numbers.next().value) % 2 === 0);
        const left = messages.filter((message) => !lost.includes(message));
        const repaired = shuffled(lost, numbers).reduce<Message[]>((list, message) => {
          return message.role === "tool" ? withMessage(list, result(message.tool_call_id)) : list;
        }, left);
        expect(shape(repaired)).toEqual(shape(messages));
        expect(isStrict(repaired)).toBe(true);
        expect(new Set(repaired.map(({ message_id }) => message_id)).size).toBe(messages.length);
      }),
    );
  });

  test("orphans put anywhere are left out, and nothing else is", () => {
    fc.assert(
      fc.property(strictHistory, fc.array(fc.nat(), { maxLength: 4 }), (messages, places) => {
        const orphaned = places.reduce<Message[]>((list, place, index) => {
          const message = { message_id: nextMessageId(list), ...result(`nobody_${index}`) };
          return list.toSpliced(place % (list.length + 1), 0, message);
        }, messages);
        expect(shape(taken(...orphaned))).toEqual(shape(messages));
      }),
    );
  });

  type Trim = (messages: readonly Message[], maxTokens: number) => Message[];
  /** What trimming promises, for one way to trim. */
  const keepsPairs = (trim: Trim): fc.IProperty<[Message[], number]> =>
    fc.property(strictHistory, fc.integer({ min: 0, max: 40 }), (messages, maxTokens) =>
      isStrict(trim(messages, maxTokens)),
    );
  const one = (): number => 1;

  test("trimming splits no call from its result", () => {
    fc.assert(keepsPairs((messages, maxTokens) => trimmed(messages, maxTokens, one).messages));
  });

  test("control: keeping the newest messages does split some", () => {
    expect(() => fc.assert(keepsPairs((messages, maxTokens) => messages.slice(-maxTokens)))).toThrow();
  });

  test("trimming keeps the head and as much of the newest as fits, and says what went", () => {
    fc.assert(
      fc.property(strictHistory, fc.integer({ min: 0, max: 40 }), (messages, maxTokens) => {
        const { messages: kept, dropped, fits } = trimmed(messages, maxTokens, one);
        expect(shape(kept).slice(0, 2)).toEqual(["system", "user"]);
        expect([...kept.map(({ message_id }) => message_id), ...dropped].toSorted((a, b) => a - b)).toEqual(
          messages.map(({ message_id }) => message_id),
        );
        expect(kept.at(-1)).toEqual(messages.at(-1));
        expect(fits).toBe(kept.length <= maxTokens);
        if (messages.length <= maxTokens) expect(kept).toEqual(messages);
        // The oldest that went would not have fitted either: its exchange, at least one message, was too much.
        const behindHead = kept.slice(2);
        expect(messages.slice(messages.length - behindHead.length)).toEqual(behindHead);
      }),
    );
  });

  test("a result that stands far from its call goes or stays with it, too", () => {
    const messages = listed(
      SYSTEM,
      user("q"),
      asks("a"),
      user("go on"),
      asks("b"),
      result("b"),
      result("a"),
      user("end"),
    );
    expect(shape(trimmed(messages, 7, one).messages)).toEqual(["system", "user", "user"]);
    expect(trimmed(messages, 8, one).dropped).toEqual([]);
  });

  test("what fits is never left out", () => {
    const messages = taken(SYSTEM, user("q"), asks("a"), result("a"), asks("b"), result("b"), asks("c"), result("c"));
    const lengths = [8, 7, 6, 5, 4, 3].map((max) => trimmed(messages, max, one).messages.length);
    expect(lengths).toEqual([8, 6, 6, 4, 4, 4]);
    expect(trimmed(messages, 3, one).fits).toBe(false);
  });
});

test("a call, its reasoning and its provider's signatures survive being stored", () => {
  const message: Message = {
    message_id: 3,
    role: "assistant",
    content: "I look.",
    reasoning: [{ text: "Where?", at: 2, provider_metadata: { anthropic: { signature: "abc" } } }],
    tool_calls: [{ ...call("a"), provider_metadata: { google: { thoughtSignature: "def" } } }],
  };
  expect(messageSchema.parse(JSON.parse(JSON.stringify(message)))).toEqual(message);
});

test.each([
  ["a role that there is not", { message_id: 0, role: "developer", content: "x" }],
  ["no id", { role: "user", content: "x" }],
  ["an assistant without a list of calls", { message_id: 0, role: "assistant", content: "x" }],
  ["a call without an id", { message_id: 0, role: "assistant", content: "", tool_calls: [{ ...call("") }] }],
  [
    "arguments that are no text",
    { message_id: 0, role: "assistant", content: "", tool_calls: [{ ...call("a"), arguments: {} }] },
  ],
])("a message with %s is refused", (_name, message) => {
  expect(messageSchema.safeParse(message).success).toBe(false);
});
