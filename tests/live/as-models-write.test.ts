// Tests of models that know what to do and write it in a form of their own: no call is lost. What is refused again and again
// ends the attempt within a handful of calls.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Answer, MessageAnswer, ScriptedCall, SeenRequest } from "../models/answers.ts";
import { asksFor } from "../models/answers.ts";
import { LiveRun } from "./live-run.ts";
import { named, taskOf, wellBehaved, type SeenTask } from "./well-behaved.ts";

setDefaultTimeout(600_000);

async function run(script: (request: SeenRequest) => Answer) {
  await using live = await LiveRun.open({ script, mode: "quick" });
  const { result } = await live.start();
  const messages = (await live.histories()).flat();
  return { stopped: result.stopped_by, calls: live.server.requests.length, messages };
}

/** The well-behaved model, whose calls are written in another form. */
function written(change: (call: ScriptedCall) => ScriptedCall) {
  return (request: SeenRequest): Answer => {
    const answer = wellBehaved(request) as MessageAnswer;
    return { ...answer, tool_calls: (answer.tool_calls ?? []).map(change) };
  };
}

const inText = (change: (text: string) => string) =>
  written((call) => ({ ...call, arguments: change(JSON.stringify(call.arguments)) }));
const inner = (change: (value: unknown) => unknown) =>
  written((call) => ({
    ...call,
    arguments: Object.fromEntries(Object.entries(Object(call.arguments)).map(([key, value]) => [key, change(value)])),
  }));
const stringified = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : value;

test.each<[string, (request: SeenRequest) => Answer]>([
  ["lists and objects as texts", inner(stringified)],
  ["members of lists as texts", inner((value) => (Array.isArray(value) ? value.map(stringified) : value))],
  ["arguments that are encoded twice", inText((text) => JSON.stringify(text))],
  ["arguments in a fence", inText((text) => `\`\`\`json\n${text}\n\`\`\``)],
  ["a comma too many", inText((text) => text.replace(/([}\]])$/, ",$1"))],
  ["an escape that is none", inText((text) => text.replace(/"statement":"/, '"statement":"\\upcite{r} '))],
  [
    "words of a list and ids in capitals",
    inText((text) => text.replace(/"(supported|facet|overview|parsing|s\d+|d\d+)"/g, (word) => word.toUpperCase())),
  ],
  ["no reasons", inText((text) => text.replaceAll('"why":"so it says",', "").replaceAll(',"why":"so it says"', ""))],
  ...["functions.", "default_api:", "tools.", "mcp__research__", "tool/"].map(
    (prefix): [string, (request: SeenRequest) => Answer] => [
      `the name of a tool behind ${prefix}`,
      written((call) => ({ ...call, name: prefix + call.name })),
    ],
  ),
  ["the name of a tool before a channel", written((call) => ({ ...call, name: `${call.name}<|channel|>json` }))],
])("costs no call: %s", async (_what, script) => {
  const [plain, other] = [await run(wellBehaved), await run(script)];
  expect(other.stopped).toBe("completed");
  expect(other.calls).toBe(plain.calls);
  expect(other.messages.filter((one) => one.role === "tool" && one.is_error === true)).toEqual([]);
});

describe("a researcher that is refused again and again", () => {
  /** Researches well, but for what it says in place of quotes. */
  const quoting =
    (calls: (good: ScriptedCall[], turn: number, task: SeenTask) => ScriptedCall[]) =>
    (request: SeenRequest): Answer => {
      const task = taskOf(request);
      const answer = wellBehaved(request) as MessageAnswer;
      const good = answer.tool_calls ?? [];
      if (task.who !== "research" || !good.some(({ name }) => name === "quote")) return answer;
      const turn = task.messages.filter(({ role }) => role === "assistant").length;
      return { ...answer, tool_calls: named(task, calls(good.slice(0, 1), turn, task)) };
    };
  const with_ = (call: ScriptedCall | undefined, more: object): ScriptedCall => ({
    name: "quote",
    arguments: { ...Object(call?.arguments), ...more },
  });
  const search = (turn: number): ScriptedCall => ({ name: "search", arguments: { query: `options ${turn}` } });

  test.each<[string, number, (request: SeenRequest) => Answer]>([
    [
      "the same quote that stands nowhere",
      11,
      quoting(([good]) => [with_(good, { text: "Nobody ever wrote this sentence." })]),
    ],
    [
      "the same quote under new statements",
      11,
      quoting(([good], turn) => [
        with_(good, { text: "Nobody ever wrote this sentence.", statement: `It is ${turn}.` }),
      ]),
    ],
    [
      "the same quote beside searches that are answered",
      11,
      quoting(([good], turn) => [search(turn), with_(good, { text: "Nobody ever wrote this sentence." })]),
    ],
    [
      "another invented quote each time",
      17,
      quoting(([good], turn) => [with_(good, { text: `Nobody ever wrote sentence number ${turn}.` })]),
    ],
    ["arguments that are no JSON", 11, quoting(() => [{ name: "quote", arguments: '{"document":"d1","text":' }])],
    ["a tool that is not there", 11, quoting(() => [{ name: "remember", arguments: { text: "this" } }])],
  ])("has failed soon: %s", async (_what, most, script) => {
    const { stopped, calls } = await run(script);
    expect(stopped).toBe("halted");
    expect(calls).toBeLessThanOrEqual(most);
  });

  test("ends also when it says something else between", async () => {
    const script = quoting(([good]) => [with_(good, { text: "Nobody ever wrote this sentence." })]);
    const { stopped, calls } = await run((request) => {
      const task = taskOf(request);
      const last = task.messages.at(-1);
      const isAfterRefusal = task.who === "research" && last?.role === "tool" && last.content.includes("is not in");
      return isAfterRefusal ? { kind: "message", text: "Then I will quote it once more." } : script(request);
    });
    expect(stopped).toBe("halted");
    expect(calls).toBeLessThanOrEqual(15);
  });

  test.each<[string, (request: SeenRequest) => Answer]>([
    [
      "is refused twice and then quotes what stands there",
      quoting(([good], turn) => [
        turn < 4 ? with_(good, { text: "Nobody ever wrote this sentence." }) : (good as ScriptedCall),
      ]),
    ],
    [
      "mends something each time",
      quoting(([good], turn) => [
        [
          with_(good, { text: "Nobody ever wrote this sentence." }),
          with_(good, { part_ids: ["nothing"] }),
          with_(good, { document: "d77" }),
          with_(good, { text: "Nor was that sentence ever written." }),
        ][turn - 2] ?? (good as ScriptedCall),
      ]),
    ],
  ])("goes on while it learns: it %s", async (_what, script) => {
    expect((await run(script)).stopped).toBe("completed");
  });
});

test("a planner that is refused the same three times has failed", async () => {
  const { stopped, calls } = await run((request) => {
    const task = taskOf(request);
    return task.who === "plan"
      ? asksFor(named(task, [{ name: "submit", arguments: { parts: 7 } }]))
      : wellBehaved(request);
  });
  expect([stopped, calls]).toEqual(["halted", 3]);
});
