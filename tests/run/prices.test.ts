// Costs of calls: unknown is never zero, a user's price goes first, and an estimate is an upper bound.
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Message } from "../../src/run/model/conversation.ts";
import { BUILT_IN_PRICES } from "../../src/run/money/built-in-prices.ts";
import { costOf, mostCostOf, priceOf, pricesSchema, tokenEstimateOf } from "../../src/run/money/prices.ts";
import { tokensAtMost } from "../../src/run/money/token-bound.ts";

const PRICE = { provider: "openai", name: "m", input: 2, output: 8, cached_input: 0.5 } as const;

describe("a cost", () => {
  test("counts cached tokens at their own price", () => {
    const usage = { input_tokens: 1_000_000, output_tokens: 500_000, cached_input_tokens: 400_000 };
    expect(costOf(usage, PRICE)).toBeCloseTo(0.6 * 2 + 0.4 * 0.5 + 0.5 * 8);
    const { cached_input: _cached, ...withoutCached } = PRICE;
    expect(costOf(usage, withoutCached)).toBeCloseTo(2 + 4);
  });

  test("counts tokens that were kept as the provider does, or at their own price", () => {
    const usage = {
      input_tokens: 1_000_000,
      output_tokens: 0,
      cached_input_tokens: 400_000,
      cache_write_tokens: 500_000,
    };
    const rest = 0.1 * 2 + 0.4 * 0.5;
    expect(costOf(usage, PRICE)).toBeCloseTo(rest + 0.5 * 2);
    expect(costOf(usage, { ...PRICE, provider: "anthropic" })).toBeCloseTo(rest + 0.5 * 2.5);
    expect(costOf(usage, { ...PRICE, cache_write: 3 })).toBeCloseTo(rest + 0.5 * 3);
  });

  test("is at most the price of caching the whole request or nothing of it", () => {
    const tokens = { input_tokens: 1_000_000, output_tokens: 500_000 };
    expect(mostCostOf(tokens, PRICE)).toBe(6);
    expect(mostCostOf(tokens, { ...PRICE, provider: "anthropic" })).toBe(6.5);
    expect(mostCostOf(tokens, { ...PRICE, cache_write: 0 })).toBe(6);
    expect(mostCostOf(tokens, null)).toBeNull();
  });

  test.each([
    ["the price", { input_tokens: 1, output_tokens: 1 }, null],
    ["what went in", { input_tokens: null, output_tokens: 1 }, PRICE],
    ["what came out", { input_tokens: 1, output_tokens: null }, PRICE],
  ])("is unknown when %s is", (_name, usage, price) => {
    expect(costOf(usage, price)).toBeNull();
  });

  test("is zero where a user says that a model costs nothing", () => {
    expect(costOf({ input_tokens: 9, output_tokens: 9 }, { ...PRICE, input: 0, output: 0, cached_input: 0 })).toBe(0);
  });

  test("never falls below zero, whatever a provider says of its cache", () => {
    expect(costOf({ input_tokens: 10, output_tokens: 1, cached_input_tokens: 1_000 }, PRICE)).toBeGreaterThan(0);
  });
});

describe("the price table", () => {
  test("fits its schema, has no model twice, and no price that a cache makes higher", () => {
    expect(pricesSchema.parse(BUILT_IN_PRICES)).toEqual(BUILT_IN_PRICES);
    const names = BUILT_IN_PRICES.models.map(({ provider, name }) => `${provider}:${name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { input, output, cached_input = input } of BUILT_IN_PRICES.models) {
      expect(cached_input).toBeLessThanOrEqual(input);
      expect(input).toBeLessThan(output);
    }
  });

  test("of a user goes before the built-in one", () => {
    const own = { schema_version: "prices.v1" as const, as_of: "2026-01-01", models: [{ ...PRICE, name: "gpt-5" }] };
    expect(priceOf({ provider: "openai", name: "gpt-5" }, BUILT_IN_PRICES, own)).toMatchObject({ input: 2 });
    expect(priceOf({ provider: "openai", name: "gpt-5" }, BUILT_IN_PRICES)).toMatchObject({ input: 1.25 });
  });

  test("knows a model by its provider and its whole name only", () => {
    expect(priceOf({ provider: "compatible", name: "gpt-5" }, BUILT_IN_PRICES)).toBeNull();
    expect(priceOf({ provider: "openai", name: "gpt-5-2099-01-01" }, BUILT_IN_PRICES)).toBeNull();
  });

  test.each([
    ["a price below zero", { ...PRICE, input: -1 }],
    ["no price for what comes out", { provider: "openai", name: "m", input: 1 }],
    ["a provider that there is not", { ...PRICE, provider: "azure" }],
  ])("with %s is refused", (_name, model) => {
    const table = { schema_version: "prices.v1", as_of: "2026-01-01", models: [model] };
    expect(pricesSchema.safeParse(table).success).toBe(false);
  });
});

describe("an estimate", () => {
  const message = (content: string): Message => ({ message_id: 0, role: "user", content });
  const request = (content: string) => ({ messages: [message(content)], tools: [], max_output_tokens: 1_000 });

  test("is unknown when the price is", () => {
    expect(costOf(tokenEstimateOf(request("x")), null)).toBeNull();
  });

  test("holds all that may come out, and more than goes in", () => {
    const english = "The journal is the only truth of a run, and everything else is derived from it. ".repeat(50);
    // Tokenizers make about a token of four letters of English.
    expect(tokenEstimateOf(request(english)).input_tokens).toBeGreaterThan(english.length / 4);
    expect(tokenEstimateOf(request("")).output_tokens).toBe(1_000);
  });

  test("counts digits and other scripts one by one: tokenizers may", () => {
    expect(tokensAtMost("0123456789")).toBe(10);
    expect(tokensAtMost("日本")).toBe(6);
    expect(tokensAtMost("😀")).toBeGreaterThanOrEqual(4);
  });

  test("grows with every message, tool, call and reasoning", () => {
    const call = { tool_call_id: "a", name: "search", arguments: '{"query":"x"}' };
    const tool = { name: "search", description: "Finds.", input_schema: { type: "object" } };
    const assistant = (more: object): Message => ({
      message_id: 1,
      role: "assistant",
      content: "",
      tool_calls: [],
      ...more,
    });
    const sizes = [
      request("x"),
      { ...request("x"), tools: [tool] },
      { ...request("x"), tools: [tool], messages: [message("x"), assistant({})] },
      { ...request("x"), tools: [tool], messages: [message("x"), assistant({ tool_calls: [call] })] },
      {
        ...request("x"),
        tools: [tool],
        messages: [message("x"), assistant({ tool_calls: [call], reasoning: [{ text: "hm" }] })],
      },
      {
        ...request("x"),
        tools: [tool],
        messages: [
          message("x"),
          assistant({
            tool_calls: [{ ...call, provider_metadata: { google: { thoughtSignature: "s".repeat(100) } } }],
            reasoning: [{ text: "hm" }],
          }),
        ],
      },
    ].map((each) => tokenEstimateOf(each).input_tokens);
    expect(sizes).toEqual([...new Set(sizes)].toSorted((left, right) => left - right));
  });

  test("of a longer text is never smaller", () => {
    const text = fc.string({ unit: fc.constantFrom("a", " ", "1", "{", "é", "日", "😀") });
    fc.assert(
      fc.property(text, text, (left, right) => {
        expect(tokensAtMost(left + right)).toBeGreaterThanOrEqual(Math.max(tokensAtMost(left), tokensAtMost(right)));
      }),
    );
  });
});
