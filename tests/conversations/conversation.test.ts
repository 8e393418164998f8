// A conversation whose journal is cut after every record: repaired, each call has one result, and nothing is done twice.
import { describe, expect, test } from "bun:test";
import { RunError } from "../../src/kernel/errors.ts";
import type { Tool } from "../../src/ports/driver.ts";
import type { Message } from "../../src/run/model/conversation.ts";
import { isStrict } from "../run/strict.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import type { Memory } from "../conformance/memory-log.ts";
import { asksFor, says, type Answer } from "../models/answers.ts";
import { portModels } from "../live/port-models.ts";
import {
  allowReplay,
  cutAfter,
  newMemory,
  recordsOf,
  RUN_ROOT,
  talk,
  withRecords,
  type Ended,
  type TalkOptions,
} from "./talking-run.ts";

const TURNS: Answer[] = [
  asksFor([look("a", "first"), look("b", "second")]),
  asksFor([{ id: "c", name: "post", arguments: { note: "once" } }, look("d", "third")]),
  asksFor([{ id: "e", name: "unknown", arguments: {} }]),
  says("That is all."),
];

function look(id: string, at: string) {
  return { id, name: "look", arguments: { at } };
}

interface Told {
  ended: Ended;
  /** Arguments of every call of a tool, and the turns that the model was asked for. */
  called: string[];
  asked: number[];
}

async function tell(memory: Memory, change: Partial<TalkOptions> = {}): Promise<Told> {
  const called: string[] = [];
  const asked: number[] = [];
  const tool = (name: string, isSafe: boolean): Tool => ({
    description: { name, description: name, input_schema: { type: "object" } },
    isSafe: () => isSafe,
    async run(args) {
      called.push(args);
      // The second look is too large for its record.
      const content = args.includes("second") ? "many words ".repeat(1_000) : `seen: ${args}`;
      return { content, is_error: false, state: { driver_alone: args } };
    },
  });
  const models = portModels(({ body }) => {
    const { messages } = body as { messages: { role: string }[] };
    expect(JSON.stringify(messages)).not.toContain("driver_alone");
    const turn = messages.filter(({ role }) => role === "assistant").length;
    asked.push(turn);
    return TURNS[turn] ?? says("");
  });
  const ended = await talk(memory, { models, tools: [tool("look", true), tool("post", false)], ...change });
  return { ended, called, asked };
}

async function told(): Promise<{ memory: Memory; whole: Told; records: AnyRecord[] }> {
  const memory = await newMemory();
  const whole = await tell(memory);
  return { memory, whole, records: recordsOf(memory) };
}

function isRisky(record: AnyRecord | undefined): boolean {
  return record?.kind === "tool.requested" && !record.data.is_safe;
}

function isGivenUp(record: AnyRecord): boolean {
  return record.kind === "tool.completed" && record.data.value?.includes("it was cut off 3 times") === true;
}

/** How often the risky tool may have run, by what the journal says was begun. */
function riskyRequests(records: readonly AnyRecord[]): number {
  return records.filter(isRisky).length;
}

describe("cut after every record", () => {
  test("it ends in the same messages, strict, and nothing that is known is done again (C1, C2, C3)", async () => {
    const { memory, whole, records } = await told();
    expect(whole.ended.kind).toBe("done");
    expect(whole.called).toHaveLength(4);
    for (let count = 2; count <= records.length; count++) {
      const before = records.slice(0, count);
      const { ended, called, asked } = await tell(cutAfter(memory, count));
      if (isRisky(before.at(-1))) {
        expect(ended).toMatchObject({ kind: "halted", halt: { kind: "tool_outcome_unknown" } });
        expect(called).toEqual([]);
        continue;
      }
      expect(ended).toEqual(whole.ended);
      expect(ended.kind === "done" && isStrict(ended.messages)).toBe(true);
      const isKnown = before.filter(({ kind }) => kind === "tool.completed").length;
      expect(called).toEqual(whole.called.slice(isKnown));
      const replies = before.filter((record) => record.kind === "message.stored" && record.data.role === "assistant");
      expect(asked).toEqual(whole.asked.slice(replies.length));
    }
  });

  test("and when the repair is cut off as well, it ends in the same messages, and a risky tool still runs once", async () => {
    const { memory, whole, records } = await told();
    for (let first = 2; first < records.length; first++) {
      const once = cutAfter(memory, first);
      await tell(once);
      const repaired = recordsOf(once);
      for (let second = first + 1; second < repaired.length; second++) {
        const twice = cutAfter(once, second);
        const { ended } = await tell(twice);
        const last = recordsOf(twice);
        expect(riskyRequests(last)).toBeLessThanOrEqual(1);
        if (ended.kind === "halted") {
          expect(riskyRequests(last)).toBe(1);
          continue;
        }
        expect<Ended>(ended).toEqual(whole.ended);
      }
    }
  });

  test("the model is told of a safe tool that is cut off at each of three attempts", async () => {
    const { memory } = await told();
    let cut = memory;
    for (let attempt = 1; attempt <= 3; attempt++) {
      const requested = recordsOf(cut).findLastIndex(
        (record) => record.kind === "tool.requested" && record.data.is_safe,
      );
      cut = cutAfter(cut, requested + 1);
      const { ended } = await tell(cut);
      expect(ended.kind === "done" && isStrict(ended.messages)).toBe(true);
      expect(recordsOf(cut).some(isGivenUp)).toBe(attempt === 3);
    }
  });

  test("control: without what was requested a risky tool runs again; without what came, a tool does", async () => {
    const { memory, records } = await told();
    const requested = records.findIndex(isRisky) + 1;
    expect((await tell(cutAfter(memory, requested), { forgets: "tool.requested" })).called).toContain(
      '{"note":"once"}',
    );
    const completed = records.findIndex(({ kind }) => kind === "tool.completed") + 1;
    expect((await tell(cutAfter(memory, completed))).called).not.toContain('{"at":"first"}');
    expect((await tell(cutAfter(memory, completed), { forgets: "tool.completed" })).called).toContain('{"at":"first"}');
  });
});

test("what a tool leaves for its driver is with its result, and a name that no tool has is answered with those that do", async () => {
  const { whole } = await told();
  const results = whole.ended.kind === "done" ? whole.ended.messages.filter((message) => message.role === "tool") : [];
  expect(results[0]).toMatchObject({ content: 'seen: {"at":"first"}', state: { driver_alone: '{"at":"first"}' } });
  expect(results.at(-1)?.content).toBe('There is no tool "unknown". There are: look, post.');
});

test("a result that is missing before others is put right behind its call", async () => {
  const { memory, whole, records } = await told();
  const isMessage = (record: AnyRecord, id: number): boolean =>
    record.kind === "message.stored" && record.data.message_id === id;
  const first = records.findIndex((record) => isMessage(record, 3));
  const second = records.findIndex((record) => isMessage(record, 4));
  const { ended, called } = await tell(withRecords(memory, (_record, index) => index <= second && index !== first));
  const said = ({ messages }: { messages: readonly Message[] }): string[] => messages.map(({ content }) => content);
  if (ended.kind !== "done" || whole.ended.kind !== "done") throw new Error("it did not end");
  expect(said(ended)).toEqual(said(whole.ended));
  expect(isStrict(ended.messages)).toBe(true);
  expect(called).toEqual(whole.called.slice(2));
});

test("a replay that a person allowed is one replay: cut off again, it asks again", async () => {
  const { memory, records } = await told();
  const cut = cutAfter(memory, records.findIndex(isRisky) + 1);
  const { ended } = await tell(cut);
  if (ended.kind !== "halted") throw new Error("nobody was asked");
  await allowReplay(cut, ended);
  const again = recordsOf(cut).length;
  expect((await tell(cut)).ended.kind).toBe("done");
  const requested = recordsOf(cut).findIndex((record, index) => index >= again && isRisky(record)) + 1;
  expect((await tell(cutAfter(cut, requested))).ended.kind).toBe("halted");
});

test("a safe tool that threw is asked again; of a risky one nobody knows what it did", async () => {
  const broken = (name: string, isSafe: boolean): Tool => ({
    description: { name, description: name, input_schema: { type: "object" } },
    isSafe: () => isSafe,
    run: () => Promise.reject(new RunError("PROVIDER_FAILED", { reason: "it broke" })),
  });
  const safe = await newMemory();
  expect((await tell(safe, { tools: [broken("look", true)] })).ended.kind).toBe("failed");
  expect((await tell(safe)).ended.kind).toBe("done");
  const { memory, records } = await told();
  const risky = cutAfter(memory, records.findIndex(isRisky));
  const { ended } = await tell(risky, { tools: [broken("post", false)] });
  expect(ended).toMatchObject({ kind: "halted", halt: { kind: "tool_outcome_unknown" } });
  expect(ended.kind === "halted" && String(ended.halt.details["reason"])).toContain("it broke");
  expect((await tell(risky)).ended.kind).toBe("halted");
});

test("an owner that lost the run while it asked for a risky tool does not call it any more", async () => {
  const memory = await newMemory();
  const rivalTakes: TalkOptions["observer"] = {
    onRecord(_root, record) {
      const run = memory.get(RUN_ROOT);
      if (isRisky(record) && run?.claim) run.claim = { ...run.claim, epoch: run.claim.epoch + 1, owner_id: "a rival" };
    },
  };
  const { ended, called } = await tell(memory, { observer: rivalTakes });
  expect(ended).toMatchObject({ kind: "failed", error: { code: "LOCK_LOST" } });
  expect(called.filter((args) => args.includes("once"))).toEqual([]);
  expect((await tell(await newMemory())).called.filter((args) => args.includes("once"))).toHaveLength(1);
});

test("what was cut off is charged as it was reserved, once", async () => {
  const { memory, records } = await told();
  const reserved = records.findIndex(({ kind }) => kind === "usage.reserved") + 1;
  const cut = cutAfter(memory, reserved);
  await tell(cut);
  await tell(cut);
  const lost = recordsOf(cut).filter((record) => record.kind === "usage.settled" && record.data.outcome === "lost");
  expect(lost).toHaveLength(1);
  expect(cut.get(RUN_ROOT)?.records.length).toBeGreaterThan(records.length);
});

test("a risky call that was cut off halts the run, wherever its arguments are cut to be shown", async () => {
  for (const before of ["", "a"]) {
    const note = `${before}${"\u{1F600}".repeat(1_500)}`;
    const { memory } = await told();
    const asked = recordsOf(memory).findIndex(isRisky);
    const cut = cutAfter(memory, asked + 1);
    const stored = cut.get(RUN_ROOT)?.records.findLast(({ kind }) => kind === "message.stored");
    if (stored?.kind !== "message.stored" || stored.data.message?.role !== "assistant")
      throw new Error("no message that asks");
    const [risky, ...others] = stored.data.message.tool_calls;
    const tool_calls = [{ tool_call_id: "c", name: "post", ...risky, arguments: JSON.stringify({ note }) }, ...others];
    const data = { ...stored.data, message: { ...stored.data.message, tool_calls } };
    Object.assign(stored, { data });
    const { ended } = await tell(cut);
    expect(ended.kind === "halted" ? ended.halt.details["arguments"] : "").toSatisfy(
      (shown: unknown) => typeof shown === "string" && shown.length === 2_000 && shown.isWellFormed(),
    );
  }
});

test("another conversation under the same name is no damage: the attempt fails, and the next begins anew", async () => {
  const { memory } = await told();
  const { ended } = await tell(memory, { tools: [], models: portModels(() => says("")) });
  expect(ended.kind).toBe("done");
  const other = cutAfter(memory, recordsOf(memory).length);
  const stored = other
    .get(RUN_ROOT)
    ?.records.find((record) => record.kind === "message.stored" && record.data.role === "user");
  if (stored?.kind === "message.stored") {
    const data = { ...stored.data, message: { message_id: 1, role: "user" as const, content: "What else?" } };
    Object.assign(stored, { data });
  }
  expect((await tell(other)).ended).toMatchObject({
    kind: "failed",
    error: { code: "MODEL_FAILED", facts: { kind: "other_conversation" } },
  });
});
