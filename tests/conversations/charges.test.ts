// An answered call is charged also where its provider reports half of the usage, or nothing.
import { expect, test } from "bun:test";
import { chargedWhenAnswered } from "../../src/conversations/charges.ts";
import type { ModelRequest } from "../../src/ports/model.ts";
import type { Usage } from "../../src/run/model/model.ts";

const request: ModelRequest = {
  model: { provider: "compatible", name: "small", base_url: "http://127.0.0.1:1/v1" },
  messages: [],
  tools: [],
  max_output_tokens: 1_000,
  send_reasoning_back: false,
};

function charged(usage: Usage, overrun: number): number {
  const inputTokens = 4_000;
  const message = { role: "assistant" as const, content: "yes ".repeat(10), tool_calls: [] };
  const reservation = {
    reservation_id: "a#1.1",
    key: "a",
    stage: "wave1" as const,
    role: "researcher",
    model: "compatible:small",
    tokens: (inputTokens + request.max_output_tokens) * overrun,
    cost_usd: null,
  };
  const reply = { message, usage, finish_reason: "stop" as const, model_id: "small" };
  return chargedWhenAnswered(reply, { inputTokens, request, price: null, reservation }).tokens;
}

test("what a provider says is taken as it is; only the rest is guessed, and larger where estimates were too small", () => {
  const [once, twice] = [1, 2].map((overrun) => charged({ input_tokens: 6_000, output_tokens: null }, overrun));
  expect(once).toBeGreaterThan(6_000);
  expect(once).toBeLessThan(6_100);
  expect((twice ?? 0) - 6_000).toBe(((once ?? 0) - 6_000) * 2);
  expect(charged({ input_tokens: null, output_tokens: null }, 2)).toBeGreaterThan(8_000);
  expect(charged({ input_tokens: 6_000, output_tokens: 5 }, 2)).toBe(6_005);
});
