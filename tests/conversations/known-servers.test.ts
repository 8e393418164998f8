// A server's way to count tokens is learned from its replies, kept in the journal, and given up once a request was too long.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { ModelFailure, type ModelReply, type ModelRequest, type Models } from "../../src/ports/model.ts";
import type { Tool } from "../../src/ports/driver.ts";
import type { RecordData } from "../../src/run/log/record.ts";
import { messageTokensAtMost } from "../../src/run/money/token-bound.ts";
import { portModels } from "../live/port-models.ts";
import type { Memory } from "../conformance/memory-log.ts";
import { cutAfter, newMemory, recordsOf, talk, type Ended } from "./talking-run.ts";

setDefaultTimeout(600_000);

/** What a request may hold next to its reply (talking-run.ts). */
const ROOM = 99_000;
const TO_OPEN = 8;
const DOCUMENT = "stone ".repeat(6_000);

const open: Tool = {
  description: { name: "open", description: "Opens a document.", input_schema: { type: "object" } },
  isSafe: () => true,
  run: async () => ({ content: DOCUMENT, is_error: false }),
};

/** What a server may count of a request at the most. */
function boundOf({ messages }: ModelRequest): number {
  return messages.reduce((sum, message) => sum + messageTokensAtMost(message), 0);
}

interface Talked {
  memory: Memory;
  ended: Ended;
  /** Messages of each request, in order. */
  sent: number[];
}

/** Opens documents one by one. `counts` says what a request has, and may refuse it. */
async function talked(counts: (request: ModelRequest) => number, memory?: Memory): Promise<Talked> {
  const sent: number[] = [];
  const models: Models = {
    ...portModels(() => ({ kind: "message" })),
    async call(request): Promise<ModelReply> {
      sent.push(request.messages.length);
      const input_tokens = counts(request);
      const opened = request.messages.findLast(({ role }) => role === "tool");
      const nth = opened?.role === "tool" ? Number(opened.tool_call_id) + 1 : 1;
      const tool_calls = nth > TO_OPEN ? [] : [{ tool_call_id: String(nth), name: "open", arguments: "{}" }];
      const message = { role: "assistant" as const, content: "Well.", tool_calls };
      return { message, usage: { input_tokens, output_tokens: 5 }, finish_reason: "stop", model_id: "m" };
    },
  };
  const over = memory ?? (await newMemory());
  return { memory: over, ended: await talk(over, { models, tools: [open] }), sent };
}

function settledIn(memory: Memory): RecordData<"usage.settled">[] {
  return recordsOf(memory).flatMap((record) => (record.kind === "usage.settled" ? [record.data] : []));
}

const half = (request: ModelRequest): number => Math.ceil(boundOf(request) / 2);

describe("a server that counts half of the bound", () => {
  test("is sent twice as much from then on", async () => {
    const { ended, sent } = await talked(half);
    expect(ended.kind).toBe("done");
    expect(sent).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18]);
  });

  test("control: of one whose counts cannot be true, or that gives none, the bound counts", async () => {
    const trimmed = [2, 4, 6, 8, 10, 12, 12, 12, 12];
    expect((await talked(() => 100)).sent).toEqual(trimmed);
    expect((await talked(boundOf)).sent).toEqual(trimmed);
  });

  test("is sent the same by whoever takes the run up, wherever it was cut off", async () => {
    const whole = await talked(half);
    const stored = [...recordsOf(whole.memory).entries()].filter(([, { kind }]) => kind === "message.stored");
    for (const [at] of stored.slice(0, -1)) {
      const { ended, sent } = await talked(half, cutAfter(whole.memory, at + 1));
      expect([ended.kind, sent]).toEqual(["done", whole.sent.slice(-sent.length)]);
    }
  });
});

describe("a server that counts half of the bound, until a text has more", () => {
  const dense = (request: ModelRequest): number => {
    if (boundOf(request) <= ROOM) return half(request);
    throw new ModelFailure("context_too_long", { reason: "too long", status: 400 });
  };

  test("is sent less after it refused, and that is known to whoever takes the run up", async () => {
    const { memory, ended, sent } = await talked(dense);
    expect(ended.kind).toBe("done");
    expect(sent).toEqual([2, 4, 6, 8, 10, 12, 14, 12, 12, 12]);
    const settled = settledIn(memory);
    expect(settled.filter(({ outcome }) => outcome === "failed")).toMatchObject([{ refused: "length", tokens: 0 }]);
    const refusal = recordsOf(memory).findIndex(
      ({ kind, data }) => kind === "usage.settled" && data.refused !== undefined,
    );
    const later = await talked(dense, cutAfter(memory, refusal + 1));
    expect([later.ended.kind, later.sent]).toEqual(["done", [12, 12, 12]]);
  });

  test("fails as the server said it, where less does not help", async () => {
    const refuses = (request: ModelRequest): number => {
      if (boundOf(request) > ROOM * 0.3)
        throw new ModelFailure("context_too_long", { reason: "too long", status: 400 });
      return half(request);
    };
    const { ended, sent } = await talked(refuses);
    expect(sent).toEqual([2, 4, 6]);
    expect(ended.kind === "failed" ? ended.error.facts : {}).toMatchObject({ kind: "context_too_long", status: 400 });
  });
});
