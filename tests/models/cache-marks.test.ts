// Anthropic's cache: where a request is marked, and what its reply says of tokens that were read and kept.
import { expect, test } from "bun:test";
import type { NewMessage } from "../../src/run/model/conversation.ts";
import type { ModelProvider } from "../../src/run/model/model-provider.ts";
import { says } from "./answers.ts";
import { ask, SEARCH } from "./asking.ts";
import { scriptedServer } from "./scripted-server.ts";

const MARK = { type: "ephemeral" };
const OPEN = { ...SEARCH, name: "open" };
const CALLS = ["a", "b"].map((tool_call_id) => ({ tool_call_id, name: "search", arguments: "{}" }));

const MESSAGES: NewMessage[] = [
  { role: "system", content: "Be exact." },
  { role: "user", content: "What is a journal?" },
  { role: "assistant", content: "", tool_calls: CALLS },
  { role: "tool", tool_call_id: "a", name: "search", content: "A record." },
  { role: "tool", tool_call_id: "b", name: "search", content: "A book." },
];

interface Marked {
  cache_control?: object;
}

interface Body {
  system: Marked[];
  tools: Marked[];
  messages: { content: Marked[] }[];
}

async function sent(provider: ModelProvider, tools: (typeof SEARCH)[], messages = MESSAGES): Promise<Body> {
  await using server = await scriptedServer([says("Yes.")]);
  await ask(server, { provider, messages, request: { tools } });
  return server.requests[0]?.body as Body;
}

/** Whether each block is marked, in the order of the wire. */
function marksOf({ tools, system, messages }: Body): boolean[][] {
  const isMarked = ({ cache_control }: Marked): boolean => {
    if (cache_control !== undefined) expect(cache_control).toEqual(MARK);
    return cache_control !== undefined;
  };
  return [tools, system, ...messages.map(({ content }) => content)].map((blocks) => blocks.map(isMarked));
}

test("a conversation that continues is marked behind its tools, its system message and its last result", async () => {
  expect(marksOf(await sent("anthropic", [SEARCH, OPEN]))).toEqual([
    [false, true],
    [true],
    [false],
    [false, false],
    [false, true],
  ]);
  const first = await sent("anthropic", [SEARCH, OPEN], MESSAGES.slice(0, 2));
  expect(marksOf(first)).toEqual([[false, true], [true], [true]]);
});

test("one that ends with the call of its only tool is not kept as a whole", async () => {
  expect(marksOf(await sent("anthropic", [SEARCH]))).toEqual([[true], [true], [false], [false, false], [false, false]]);
});

test("control: other wires know no marks", async () => {
  expect(JSON.stringify(await sent("compatible", [SEARCH, OPEN]))).not.toContain("cache_control");
});

test("tokens that were read and kept are told apart", async () => {
  const usage = { input: 1_000, output: 20, cached: 600, kept: 300 };
  await using server = await scriptedServer([says("Yes.", { usage })]);
  const { reply } = await ask(server, { provider: "anthropic" });
  expect(reply?.usage).toEqual({
    input_tokens: 1_000,
    output_tokens: 20,
    cached_input_tokens: 600,
    cache_write_tokens: 300,
  });
});
