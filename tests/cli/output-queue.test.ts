// Lines wait for their reader, and nothing else waits for it.
import { expect, test } from "bun:test";
import { OutputQueue } from "../../src/cli/output-queue.ts";
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

test("a reader that takes nothing is told of once", async () => {
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
