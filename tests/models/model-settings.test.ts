// Effort and temperature of a model, in the words of each wire.
import { expect, test } from "bun:test";
import { parseModel } from "../../src/run/model/model.ts";
import { SERVER_ERROR } from "./answers.ts";
import { ask } from "./asking.ts";
import { scriptedServer } from "./scripted-server.ts";

/** What is sent for a model as people write it. */
async function sent(text: string, max_output_tokens = 8_000): Promise<Record<string, unknown>> {
  await using server = await scriptedServer([SERVER_ERROR]);
  const model = parseModel(text, text.startsWith("compatible:") ? server.baseUrl : undefined);
  await ask(server, { request: { model, max_output_tokens } });
  return server.requests[0]?.body as Record<string, unknown>;
}

test("a compatible server is told both", async () => {
  expect(await sent("compatible:qwen3,effort=low,temperature=0.2")).toMatchObject({
    model: "qwen3",
    reasoning_effort: "low",
    temperature: 0.2,
  });
  expect(await sent("compatible:qwen3,effort=none")).toMatchObject({ reasoning_effort: "none" });
  const plain = await sent("compatible:qwen3");
  expect([plain["reasoning_effort"], plain["temperature"]]).toEqual([undefined, undefined]);
});

test("OpenAI is told the effort of its reasoning models, and the temperature of the others", async () => {
  expect(await sent("openai:gpt-5,effort=minimal")).toMatchObject({ reasoning: { effort: "minimal" } });
  expect(await sent("openai:gpt-4.1,temperature=0.2")).toMatchObject({ temperature: 0.2 });
});

test("Anthropic is told an effort, or a budget that is part of what a reply may have", async () => {
  expect(await sent("anthropic:claude-opus-4-7,effort=low")).toMatchObject({
    max_tokens: 8_000,
    thinking: { type: "adaptive" },
    output_config: { effort: "low" },
  });
  expect(await sent("anthropic:claude-haiku-4-5,effort=high")).toMatchObject({
    max_tokens: 8_000,
    thinking: { type: "enabled", budget_tokens: 4_800 },
  });
  expect(await sent("anthropic:claude-haiku-4-5,effort=low")).toMatchObject({ thinking: { budget_tokens: 1_600 } });
  expect(await sent("anthropic:claude-haiku-4-5,effort=high", 1_000)).toMatchObject({
    max_tokens: 1_000,
    thinking: { type: "disabled" },
  });
  expect(await sent("anthropic:claude-haiku-4-5,effort=none,temperature=0.5")).toMatchObject({
    thinking: { type: "disabled" },
    temperature: 0.5,
  });
  expect(await sent("anthropic:claude-haiku-4-5")).not.toHaveProperty("thinking");
});

test("Google is told a level or a budget, as the model knows it", async () => {
  expect(await sent("google:gemini-3-pro-preview,effort=low,temperature=0.2")).toMatchObject({
    generationConfig: { thinkingConfig: { thinkingLevel: "low" }, temperature: 0.2 },
  });
  expect(await sent("google:gemini-2.5-flash,effort=none")).toMatchObject({
    generationConfig: { thinkingConfig: { thinkingBudget: 0 } },
  });
});
