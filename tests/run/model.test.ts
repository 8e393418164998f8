// Models as people write them, and the URLs that may and may not be in a run.
import { describe, expect, test } from "bun:test";
import { RunError } from "../../src/kernel/errors.ts";
import { isOnThisMachine, modelSchema, parseModel } from "../../src/run/model/model.ts";
import { modelName, plainModelName } from "../../src/run/settings/model-names.ts";

function refusal(text: string, baseUrl?: string): RunError {
  try {
    parseModel(text, baseUrl);
  } catch (error) {
    if (error instanceof RunError) return error;
  }
  throw new Error(`${text} was not refused`);
}

describe("PROVIDER:NAME", () => {
  test("is split at the first colon: names hold more of them", () => {
    expect(parseModel("openai:gpt-5")).toEqual({ provider: "openai", name: "gpt-5" });
    expect(parseModel("compatible:llama3.1:8b", "http://127.0.0.1:11434/v1/")).toEqual({
      provider: "compatible",
      name: "llama3.1:8b",
      base_url: "http://127.0.0.1:11434/v1",
    });
    expect(parseModel("compatible:org/model@1", "https://gateway.test/api?")).toMatchObject({
      name: "org/model@1",
      base_url: "https://gateway.test/api",
    });
  });

  test.each([
    ["gpt-5", undefined, "PROVIDER:NAME"],
    ["", undefined, "PROVIDER:NAME"],
    ["mistral:large", undefined, '"mistral" is no model provider'],
    ["openai:", undefined, "printable"],
    ["openai:two words", undefined, "printable"],
    [`openai:${"x".repeat(201)}`, undefined, "printable"],
    ["openai:gpt-5", "http://127.0.0.1/v1", "compatible only"],
    ["compatible:m", undefined, "needs the URL"],
    ["compatible:m", "ftp://host/", "no http or https URL"],
    ["compatible:m", "localhost:11434", "no http or https URL"],
    ["compatible:m", "https://host/v1?key=abc", "query"],
    ["compatible:m", "https://host/v1#part", "fragment"],
  ])("%p with the URL %p is refused", (text, baseUrl, why) => {
    const error = refusal(text, baseUrl);
    expect(error.code).toBe("INVALID_ARGS");
    expect(error.facts["reason"]).toContain(why);
  });

  test("may have settings behind its name, which are part of it", () => {
    const text = "anthropic:claude-haiku-4-5,effort=none,temperature=0.2";
    const model = parseModel(text);
    expect(model).toEqual({ provider: "anthropic", name: "claude-haiku-4-5", effort: "none", temperature: 0.2 });
    expect([modelName(model), plainModelName(model)]).toEqual([text, "anthropic:claude-haiku-4-5"]);
    expect(modelSchema.parse(model)).toEqual(model);
    expect(parseModel("compatible:a:b,effort=low", "http://127.0.0.1/v1")).toMatchObject({
      name: "a:b",
      effort: "low",
    });
  });

  test.each([
    ["openai:gpt-5,effort=extreme", "effort=none|minimal|low|medium|high"],
    ["anthropic:claude-haiku-4-5,effort=minimal", "anthropic takes an effort of none, low, medium or high"],
    ["anthropic:claude-haiku-4-5,temperature=1.5", "from 0 to 1"],
    ["anthropic:claude-haiku-4-5,temperature=0.5,effort=high", "leave out one of both"],
    ["google:gemini-2.5-flash,temperature=warm", "temperature=0 to 2"],
    ["openai:gpt-5,hot", '"hot" is no setting'],
    ["openai:gpt-5,", '"" is no setting'],
  ])("%p is refused with what the provider takes", (text, why) => {
    const { code, facts } = refusal(text);
    expect([code, facts["option"]]).toEqual(["INVALID_ARGS", "--model"]);
    expect(facts["reason"]).toContain(why);
  });

  test("a setting that the provider does not take is refused in a stored run, too", () => {
    const model = { provider: "anthropic", name: "claude-haiku-4-5" };
    expect(modelSchema.safeParse({ ...model, effort: "low" }).success).toBe(true);
    expect(modelSchema.safeParse({ ...model, effort: "minimal" }).success).toBe(false);
  });

  test("a misspelt provider is guessed", () => {
    expect(refusal("antropic:x").facts).toMatchObject({ option: "--model", did_you_mean: "anthropic:x" });
  });

  test.each([
    ["ollama:llama3.1:8b", "compatible:llama3.1:8b --model-base-url http://localhost:11434/v1"],
    ["LM-Studio:qwen3", "compatible:qwen3 --model-base-url http://localhost:1234/v1"],
    ["vllm:two words", "compatible:NAME --model-base-url http://localhost:8000/v1"],
  ])("%p names a server of local models: said is how such a model is written", (text, expected) => {
    expect(refusal(text).facts["did_you_mean"]).toBe(expected);
  });

  test("a local model without its URL is shown with one", () => {
    const { option, did_you_mean } = refusal("compatible:qwen3").facts;
    expect([option, did_you_mean]).toEqual(["--model-base-url", "http://localhost:11434/v1"]);
  });

  test("a password in a URL is refused and repeated nowhere", () => {
    const error = refusal("compatible:m", "https://me:hunter2secret@host/v1");
    expect(error.facts["reason"]).toContain("environment");
    expect(JSON.stringify(error.facts) + error.message).not.toContain("hunter2secret");
  });
});

describe("a stored model", () => {
  test.each([
    ["compatible without a URL", { provider: "compatible", name: "m" }],
    [
      "another provider with one, which would get its key",
      { provider: "openai", name: "m", base_url: "https://evil.test" },
    ],
    ["a URL with a password", { provider: "compatible", name: "m", base_url: "https://a:b@host" }],
    ["a provider that there is not", { provider: "azure", name: "m" }],
    ["a name with a line end", { provider: "openai", name: "m\nx" }],
  ])("with %s is refused", (_name, model) => {
    expect(modelSchema.safeParse(model).success).toBe(false);
  });

  test("is what parsing gives", () => {
    const model = parseModel("compatible:m", "http://[::1]:8080/v1");
    expect(modelSchema.parse(model)).toEqual(model);
  });
});

test.each([
  ["http://localhost:11434/v1", true],
  ["http://127.0.0.1/v1", true],
  ["http://127.1/v1", true],
  ["http://[::1]:8080/v1", true],
  ["http://models.localhost/v1", true],
  ["http://localhost.evil.test/v1", false],
  ["http://127.0.0.1.evil.test/v1", false],
  ["http://192.168.1.4/v1", false],
  ["https://api.openai.com/v1", false],
  ["nonsense", false],
])("%s is on this machine: %p", (endpoint, expected) => {
  expect(isOnThisMachine(endpoint)).toBe(expected);
});
