// One call: what is a failure of the attempt, what halts the run, and what is charged for it.
import { describe, expect, test } from "bun:test";
import {
  ModelFailure,
  type ModelFailureFacts,
  type ModelFailureKind,
  type ModelReply,
  type ModelRequest,
  type Models,
} from "../../src/ports/model.ts";
import type { Observer } from "../../src/ports/observer.ts";
import { UNKNOWN_USAGE, type Usage } from "../../src/run/model/model.ts";
import type { RecordData } from "../../src/run/log/record.ts";
import type { Role } from "../../src/run/role.ts";
import { messageTokensAtMost } from "../../src/run/money/token-bound.ts";
import { PRICES } from "../live/live-run.ts";
import { portModels } from "../live/port-models.ts";
import { KnownServers } from "../../src/conversations/known-servers.ts";
import { halting } from "../../src/ports/interruption.ts";
import type { Tool } from "../../src/ports/driver.ts";
import { Ledger } from "../../src/conversations/ledger.ts";
import { ModelCaller } from "../../src/conversations/model-caller.ts";
import { CallThrottle } from "../../src/conversations/call-throttle.ts";
import { owning } from "../../src/orchestrator/owning.ts";
import { cutAfter, newMemory, PLACE, portsOver, recordsOf, RUN_ROOT, talk, type Ended } from "./talking-run.ts";

interface Called {
  ended: Ended;
  calls: number;
  settled: RecordData<"usage.settled">[];
  reserved: RecordData<"usage.reserved">[];
}

interface Asking {
  role?: Role;
  observer?: Observer;
  tools?: readonly Tool[];
}

async function calling(
  call: (nth: number, request: ModelRequest) => ModelReply,
  { role, observer, tools = [] }: Asking = {},
): Promise<Called> {
  let calls = 0;
  const models: Models = {
    ...portModels(() => ({ kind: "message" })),
    call: async (request) => call(++calls, request),
  };
  const memory = await newMemory();
  const asking = { ...(role === undefined ? {} : { role }), ...(observer === undefined ? {} : { observer }) };
  const ended = await talk(memory, { models, tools, ...asking });
  const settled = recordsOf(memory).flatMap((record) => (record.kind === "usage.settled" ? [record.data] : []));
  const reserved = recordsOf(memory).flatMap((record) => (record.kind === "usage.reserved" ? [record.data] : []));
  return { ended, calls, settled, reserved };
}

function reply(more: Partial<ModelReply> = {}): ModelReply {
  return {
    message: { role: "assistant", content: "All is said.", tool_calls: [] },
    usage: { input_tokens: 60, output_tokens: 40 },
    finish_reason: "stop",
    model_id: "m",
    ...more,
  };
}

const ANSWER = { message_id: 1, ...reply().message };

/** Of a tool that is not there: the answer says so, and the conversation continues. */
const ASKED = { tool_call_id: "c1", name: "open", arguments: "{}" };

async function failing(
  kind: ModelFailureKind,
  facts: Partial<ModelFailureFacts> = {},
  asking: Asking = {},
): Promise<Called> {
  return await calling(() => {
    throw new ModelFailure(kind, { reason: kind, ...facts });
  }, asking);
}

describe("what a call comes to", () => {
  test("a reply that was cut by its length is asked for once more, shorter, and then as it was", async () => {
    const systems: string[] = [];
    const { ended, settled } = await calling((nth, { messages }) => {
      systems.push(messages[0]?.content ?? "");
      return reply(nth === 1 ? { finish_reason: "length" } : {});
    });
    expect(settled).toMatchObject([{ outcome: "failed", tokens: 100, cost_usd: 0.001 }, { outcome: "answered" }]);
    expect(systems[1]).toStartWith(systems[0] ?? "");
    expect(systems[1]).toContain("1000 tokens");
    const stored = ended.kind === "done" ? ended.messages.map(({ content }) => content) : [];
    expect(stored).toEqual(["You answer.", "What is said?", "All is said."]);
  });

  test("one that is cut again is not paid a third time: the run halts, and says what the step that continues needs", async () => {
    const cut = reply({ finish_reason: "length", usage: { input_tokens: 60, output_tokens: 1_000 } });
    const { ended, calls } = await calling(() => cut);
    expect(calls).toBe(2);
    expect(ended).toMatchObject({
      kind: "halted",
      halt: { kind: "gate_blocked", details: { resume_input: { max_output_tokens: 2000 } } },
    });
    const early = await calling(() => reply({ finish_reason: "length" }));
    expect(early.ended.kind === "halted" ? early.ended.halt.details : {}).toEqual({
      reason: "a reply of the researcher was cut off twice after 40 tokens, though it may have 1000",
      help: expect.stringContaining("OLLAMA_CONTEXT_LENGTH"),
    });
    const verifier = await calling(() => cut, { role: "verifier" });
    expect([verifier.calls, verifier.ended.kind]).toEqual([2, "failed"]);
    expect(verifier.ended.kind === "failed" ? verifier.ended.error.facts : {}).toMatchObject({
      kind: "reply_too_long",
      retryable: false,
    });
  });

  test("a reply that says nothing or cannot be read is asked for again, with a note; three in a row fail the attempt", async () => {
    for (const kind of ["empty", "malformed"] as const) {
      const systems: string[] = [];
      const slip = new ModelFailure(kind, { reason: "words of a server" });
      const { ended, calls } = await calling((nth, { messages }) => {
        systems.push(messages[0]?.content ?? "");
        if (nth === 1 || nth === 2 || nth === 4) throw slip;
        return reply(nth === 3 ? { message: { role: "assistant", content: "", tool_calls: [ASKED] } } : {});
      });
      expect([ended.kind, calls]).toEqual(["done", 5]);
      expect(systems[1]).toStartWith(`${systems[0]}\n\nYour last reply`);
      expect([systems[2], systems[3], systems[4]]).toEqual([systems[1], systems[0], systems[1]]);
      expect(systems.join()).not.toContain("words of a server");
      const failed = await failing(kind);
      expect([failed.ended.kind, failed.calls]).toEqual(["failed", 3]);
    }
  });

  test("only slips of one kind in a row end an attempt, and the failure says what the next one tells the model", async () => {
    const kinds = ["malformed", "empty", "malformed", "empty"] as const;
    const { ended, calls } = await calling((nth) => {
      const kind = kinds[nth - 1];
      if (kind !== undefined) throw new ModelFailure(kind, { reason: "words of a server" });
      return reply();
    });
    expect([ended.kind, calls]).toEqual(["done", 5]);
    const failed = await failing("empty");
    expect(failed.ended.kind === "failed" ? failed.ended.error.facts : {}).toMatchObject({
      goes_on: true,
      lesson: { conversation: "main", text: expect.stringContaining("said nothing") },
    });
  });

  describe("where a request has one tool", () => {
    const only: Tool = {
      description: { name: "submit", description: "Hands it in.", input_schema: { type: "object" } },
      isSafe: () => true,
      run: async () => ({ content: "accepted", is_error: false }),
    };
    const asks = { message: { role: "assistant" as const, content: "", tool_calls: [ASKED] } };

    /** How each request has to call it, and what the settlements say. `answer` may refuse; the third reply is prose. */
    async function asked(answer: (request: ModelRequest) => ModelReply | null, tools: readonly Tool[] = [only]) {
      const seen: (string | undefined)[] = [];
      let answered = 0;
      const { settled, ended } = await calling(
        (_nth, request) => {
          seen.push(request.only_tool);
          const said = answer(request);
          return said ?? reply(++answered < 3 ? asks : {});
        },
        { tools },
      );
      return { seen, refused: settled.flatMap(({ refused }) => refused ?? []), kind: ended.kind };
    }

    function refusing(ways: readonly (string | undefined)[], kind: ModelFailureKind = "bad_request") {
      return ({ only_tool }: ModelRequest): null => {
        if (ways.includes(only_tool)) throw new ModelFailure(kind, { reason: "not so" });
        return null;
      };
    }

    test("the reply is its arguments, or calls it, or is free, as its server takes it; that is found out once", async () => {
      const json = await asked(() => null);
      expect(json.seen).toEqual(["json_schema", "json_schema", "json_schema"]);
      const forced = await asked(refusing(["json_schema"]));
      expect(forced.seen).toEqual(["json_schema", "forced_call", "forced_call", "forced_call"]);
      expect(forced.refused).toEqual(["json_schema"]);
      const free = await asked(refusing(["json_schema", "forced_call"]));
      expect(free.seen).toEqual(["json_schema", "forced_call", undefined, undefined, undefined]);
      expect(free.refused).toEqual(["json_schema", "forced_call"]);
    });

    test("a server that does not heed the schema, or says nothing under it, is asked for a call", async () => {
      const prose = await asked(({ only_tool }) => (only_tool === "json_schema" ? reply() : null));
      expect([prose.seen, prose.refused]).toEqual([["json_schema"], ["json_schema"]]);
      const empty = await asked(refusing(["json_schema"], "empty"));
      expect(empty.seen).toEqual(["json_schema", "forced_call", "forced_call", "forced_call"]);
    });

    test("control: what fails for another reason is judged as ever, and with several tools none has to be called", async () => {
      const refused = await asked(refusing(["json_schema"], "quota"));
      expect([refused.seen, refused.refused, refused.kind]).toEqual([["json_schema"], [], "halted"]);
      const other = { ...only, description: { ...only.description, name: "other" } };
      expect((await asked(() => null, [only, other])).seen).toEqual([undefined, undefined, undefined]);
      const bad = await asked(refusing(["json_schema", "forced_call", undefined]));
      expect([bad.seen, bad.kind]).toEqual([["json_schema", "forced_call", undefined], "failed"]);
    });

    test("whoever takes the run up knows what was refused", async () => {
      const memory = await newMemory();
      const seen: (string | undefined)[] = [];
      const models: Models = {
        ...portModels(() => ({ kind: "message" })),
        async call(request) {
          seen.push(request.only_tool);
          if (request.only_tool === "json_schema") throw new ModelFailure("bad_request", { reason: "not so" });
          return reply(request.messages.length < 4 ? asks : {});
        },
      };
      await talk(memory, { models, tools: [only] });
      const answered = recordsOf(memory).findIndex(
        ({ kind, data }) => kind === "message.stored" && data.role === "tool",
      );
      const later = cutAfter(memory, answered + 1);
      await talk(later, { models, tools: [only] });
      expect(seen).toEqual(["json_schema", "forced_call", "forced_call", "forced_call"]);
    });
  });

  test("rate limits in a row are waited out for a while, then the run halts until later", async () => {
    const before = Date.now();
    const { ended, calls } = await failing("rate_limited", { retry_after_ms: 1, status: 429 });
    expect(calls).toBe(7);
    const { halt } = ended.kind === "halted" ? ended : { halt: undefined };
    expect(halt).toMatchObject({ kind: "quota", details: { status: 429, waits_in_a_row: 6 } });
    expect(Date.parse(halt?.retry_at ?? "")).toBeGreaterThan(before);
  });

  test("of a verifier they are a failed attempt: what cannot be checked now is not checked", async () => {
    const { ended, calls } = await failing("rate_limited", { retry_after_ms: 1 }, { role: "verifier" });
    expect([calls, ended.kind]).toEqual([7, "failed"]);
    expect(ended.kind === "failed" ? ended.error.facts : {}).toMatchObject({ kind: "rate_limited", retryable: true });
  });

  test("one rate limit is waited out, and the same request is sent again", async () => {
    const { ended, calls, settled } = await calling((nth) => {
      if (nth === 1) throw new ModelFailure("rate_limited", { reason: "slower", retry_after_ms: 0 });
      return reply();
    });
    expect([ended.kind, calls, settled.map(({ outcome }) => outcome)]).toEqual(["done", 2, ["failed", "answered"]]);
  });

  test("a quota, a long wait and a refused key halt the run; each was asked once", async () => {
    const quota = await failing("quota", { retry_at: "2036-01-01T00:00:00.000Z" });
    const long = await failing("rate_limited", { retry_after_ms: 3_600_000 });
    const auth = await failing("auth", { status: 402 });
    expect([quota, long, auth].map(({ calls }) => calls)).toEqual([1, 1, 1]);
    expect([quota, long, auth].map(({ ended }) => ended)).toMatchObject([
      { kind: "halted", halt: { kind: "quota", retry_at: "2036-01-01T00:00:00.000Z" } },
      { kind: "halted", halt: { kind: "quota", retry_at: expect.any(String) } },
      { kind: "halted", halt: { kind: "gate_blocked", details: { status: 402 } } },
    ]);
  });
});

test("a call that was about to begin when another closed the throttle is not sent, and costs nothing", async () => {
  const memory = await newMemory();
  let calls = 0;
  const { store } = portsOver(memory);
  const halt = halting("quota", { reason: "used up" });
  const refused = await owning(portsOver(memory), RUN_ROOT, { reason: "test", observer: {} }, async (ownership) => {
    const { clock, random } = ownership.ports;
    const throttle = new CallThrottle(clock, random, () => null);
    const ledger = new Ledger(ownership.writer, () => 0);
    const reserve = ledger.reserve.bind(ledger);
    ledger.reserve = async (estimate) => {
      const reservation = await reserve(estimate);
      throttle.close(halt);
      return reservation;
    };
    const models: Models = { ...portModels(() => ({ kind: "message" })), call: async () => (calls++, reply()) };
    const caller = new ModelCaller({
      run: ownership,
      models,
      ledger,
      throttle,
      servers: new KnownServers([]),
      prices: [PRICES],
    });
    const place = { ...PLACE, conversation: "main" };
    const messages = [{ role: "user" as const, message_id: 0, content: "What is said?" }];
    const asked = { place, stage: PLACE.stage, role: "researcher" as const, tools: [], messages };
    return await caller.call(asked, ownership.signal).catch((error: unknown) => error);
  });
  expect([refused, calls]).toEqual([halt, 0]);
  const records = await store.records(RUN_ROOT);
  expect(records.findLast(({ kind }) => kind.startsWith("usage"))).toMatchObject({
    kind: "usage.settled",
    data: { outcome: "failed", tokens: 0, cost_usd: 0 },
  });
});

describe("a server that reads a part of the request alone", () => {
  const ASKING = { role: "assistant" as const, content: "", tool_calls: [ASKED] };
  const CUT = { input_tokens: 3_900, output_tokens: 40 };
  let answers = 0;
  /** Its first answer is long. */
  const tools: Tool[] = [
    {
      description: { name: ASKED.name, description: "Opens a document.", input_schema: { type: "object" } },
      isSafe: () => true,
      run: async () => ({ content: answers++ === 0 ? "stone ".repeat(6_000) : "Nothing.", is_error: false }),
    },
  ];

  test("fails the attempt for good, with what to do, and is paid as it says", async () => {
    answers = 0;
    const { ended, calls, settled } = await calling(
      (nth) => (nth === 1 ? reply({ message: ASKING }) : reply({ message: ASKING, usage: CUT })),
      { tools },
    );
    expect(calls).toBe(3);
    expect(ended.kind === "failed" ? ended.error.facts : {}).toMatchObject({
      kind: "context_too_long",
      retryable: false,
      reason: expect.stringContaining("read only 3900 tokens"),
      help: expect.stringMatching(/OLLAMA_CONTEXT_LENGTH=16384.* resume --context-tokens 4096$/),
    });
    expect(settled.map(({ outcome, tokens }) => [outcome, tokens])).toEqual([
      ["answered", 100],
      ["answered", 3_940],
      ["failed", 3_940],
    ]);
  });

  test("also where nothing can be made of what it says", async () => {
    answers = 0;
    const { ended, calls } = await calling(
      (nth) => {
        if (nth < 3) return reply(nth === 1 ? { message: ASKING } : { message: ASKING, usage: CUT });
        throw new ModelFailure("empty", { reason: "nothing", usage: CUT });
      },
      { tools },
    );
    expect([calls, ended.kind === "failed" ? ended.error.facts["kind"] : ended]).toEqual([3, "context_too_long"]);
  });
});

describe("what is charged", () => {
  test("what the provider says", async () => {
    const { settled } = await calling(() => reply());
    expect(settled).toMatchObject([{ outcome: "answered", tokens: 100, cost_usd: 0.001 }]);
    expect(settled[0]).not.toHaveProperty("is_estimate");
  });

  async function chargedFor(content: string, usage: Usage = UNKNOWN_USAGE) {
    const message = { role: "assistant" as const, content, tool_calls: [] };
    const { settled, reserved } = await calling(() => reply({ message, usage }));
    expect(settled).toMatchObject([{ outcome: "answered", is_estimate: true }]);
    const [tokens, most] = [settled[0]?.tokens ?? -1, reserved[0]?.tokens ?? -1];
    // Ten dollars for a million tokens.
    expect(settled[0]?.cost_usd).toBe(tokens / 100_000);
    return { tokens, most, input: most - 1_000 };
  }

  test("where it says nothing, what was sent and what came at the most, and never more than was reserved", async () => {
    const short = await chargedFor("All is said.");
    expect(short.tokens).toBe(short.input + messageTokensAtMost({ ...ANSWER, content: "All is said." }));
    const long = await chargedFor("long ".repeat(5_000));
    expect(long.tokens).toBe(long.most);
  });

  test("where it says one of two figures, that one and the bound of the other", async () => {
    const { tokens } = await chargedFor("All is said.", { input_tokens: 7, output_tokens: null });
    expect(tokens).toBe(7 + messageTokensAtMost({ ...ANSWER, content: "All is said." }));
    const other = await chargedFor("All is said.", { input_tokens: null, output_tokens: 5 });
    expect(other.tokens).toBe(other.input + 5);
  });

  test("a bound is as much larger as one was exceeded before", async () => {
    const asks = {
      role: "assistant" as const,
      content: "",
      tool_calls: [{ tool_call_id: "1", name: "no", arguments: "{}" }],
    };
    const { settled, reserved } = await calling((nth) =>
      nth === 1
        ? reply({ message: asks, usage: { input_tokens: 10_000, output_tokens: 0 } })
        : reply({ usage: UNKNOWN_USAGE }),
    );
    const overrun = 10_000 / (reserved[0]?.tokens ?? 1);
    const bound = (reserved[1]?.tokens ?? 0) / overrun - 1_000 + messageTokensAtMost(ANSWER);
    expect(settled[1]?.tokens).toBeGreaterThanOrEqual(Math.floor(bound * overrun));
    expect(settled[1]?.tokens).toBeLessThanOrEqual(Math.ceil(bound * overrun) + 10);
  });

  const cases: [ModelFailureKind, Partial<ModelFailureFacts>, "nothing" | "reserved" | Usage][] = [
    ["bad_request", { status: 400 }, "nothing"],
    ["transient", { status: 503 }, "nothing"],
    ["transient", { timed_out: true }, "reserved"],
    ["transient", { status: 500, begun: true }, "reserved"],
    ["rate_limited", { status: 429, begun: true, retry_after_ms: 3_600_000 }, "reserved"],
    ["truncated", {}, "reserved"],
    ["malformed", {}, "reserved"],
    ["empty", { usage: { input_tokens: 10, output_tokens: 0 } }, { input_tokens: 10, output_tokens: 0 }],
  ];
  for (const [kind, facts, charged] of cases) {
    test(`a failed call (${kind}, ${JSON.stringify(facts)}) is charged ${typeof charged === "string" ? charged : "as said"}`, async () => {
      const { settled, reserved } = await failing(kind, facts);
      const expected = charged === "nothing" ? 0 : charged === "reserved" ? (reserved[0]?.tokens ?? -1) : 10;
      expect(settled[0]).toMatchObject({ outcome: "failed", tokens: expected });
      expect(settled[0]?.is_estimate).toBe(charged === "reserved" ? true : undefined);
    });
  }
});
