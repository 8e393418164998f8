// Lines wait for their reader, and nothing else waits for it.
import { expect, test } from "bun:test";
import { GivenUp, OutputQueue } from "../../src/cli/terminal/output-queue.ts";
import { eventDisplay } from "../../src/cli/terminal/event-display.ts";
import type { Host } from "../../src/cli/host.ts";
import type { ModelChunk } from "../../src/ports/model.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import { SimulatedWorld } from "../simulation/world.ts";

function heldQueue(maxWaitingBytes = 100) {
  const { clock } = new SimulatedWorld({});
  const written: string[] = [];
  const told = { stalls: 0 };
  let gate = Promise.withResolvers<void>();
  const queue = new OutputQueue({
    stream: "stdout",
    clock,
    maxWaitingBytes,
    onStall: () => told.stalls++,
    host: {
      async writeLater(_stream, text) {
        await gate.promise;
        written.push(text);
      },
    },
  });
  return { queue, clock, written, told, open: () => gate.resolve(), fail: (error: Error) => gate.reject(error) };
}

test("every line is written, in order, once the reader takes them", async () => {
  const { queue, written, open } = heldQueue();
  for (const line of ["a\n", "b\n", "c\n"]) queue.push(line);
  open();
  await queue.whenEmpty();
  expect(written.join("")).toBe("a\nb\nc\n");
});

test("beyond the bound there is no room until the reader has taken enough", async () => {
  const { queue, open } = heldQueue(10);
  await queue.whenRoom();
  queue.push("more than ten bytes\n");
  let hasRoom = false;
  const room = queue.whenRoom().then(() => (hasRoom = true));
  await Bun.sleep(5);
  expect(hasRoom).toBe(false);
  open();
  await room;
});

test("that the reader takes nothing is told once", async () => {
  const { queue, clock, told, open } = heldQueue();
  queue.push("a\n");
  await clock.advance(4000);
  expect(told.stalls).toBe(0);
  await clock.advance(60_000);
  expect(told.stalls).toBe(1);
  open();
  await queue.whenEmpty();
});

test("a reader that is gone leaves room, and what it did not get is known", async () => {
  const { queue, fail } = heldQueue(1);
  queue.push("lost\n");
  const gone = new Error("EPIPE");
  fail(gone);
  await queue.whenRoom();
  await queue.whenEmpty();
  queue.push("later\n");
  await queue.whenEmpty();
  expect(queue.lost).toBe(gone);
});

test("once the work was told to stop, a reader that takes nothing is given up; until then it is waited for", async () => {
  const { queue, clock } = heldQueue();
  const stop = new AbortController();
  for (const line of ["a\n", "b\n", "c\n"]) queue.push(line);
  let isOver = false;
  const ending = queue.whenEmpty(stop.signal).then(() => (isOver = true));
  await clock.advance(60_000);
  expect(isOver).toBe(false);
  stop.abort();
  await clock.advance(1000);
  expect([isOver, queue.lost]).toEqual([false, null]);
  await clock.advance(3000);
  await ending;
  expect(queue.lost).toEqual(new GivenUp(3));
  await queue.whenEmpty();
});

test("a reader that takes its time gets everything after a stop as well", async () => {
  const { queue, clock, written, open } = heldQueue();
  for (const line of ["a\n", "b\n"]) queue.push(line);
  const ending = queue.whenEmpty(AbortSignal.abort());
  await clock.advance(1000);
  open();
  await ending;
  expect([written.join(""), queue.lost]).toEqual(["a\nb\n", null]);
});

test("what a model says as it comes is left out beyond the bound, and no record is", async () => {
  const { clock } = new SimulatedWorld({});
  const gate = Promise.withResolvers<void>();
  const written: string[] = [];
  const host: Pick<Host, "writeLater"> = {
    async writeLater(_stream, text) {
      await gate.promise;
      written.push(text);
    },
  };
  const display = eventDisplay(host, clock, new OutputQueue({ host, stream: "stderr", clock }));
  const chunk = { type: "text", text: "x".repeat(1024 * 1024) } as ModelChunk;
  for (let count = 0; count < 40; count++) display.observer.onChunk?.("wave1:x", chunk);
  const record = { kind: "halt.cleared", ts: "", seq: 7, digest: "", data: {} };
  display.observer.onRecord?.("/runs/a", record as unknown as AnyRecord);
  gate.resolve();
  await display.end();
  const events = written
    .join("")
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { seq?: number }).seq);
  expect(events).toEqual([...Array<undefined>(16).fill(undefined), 7]);
});
