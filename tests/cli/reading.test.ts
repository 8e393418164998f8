// Live lines while a corpus is read: the file, how far, and about how long.
import { expect, test } from "bun:test";
import { OutputQueue } from "../../src/cli/terminal/output-queue.ts";
import { progressDisplay } from "../../src/cli/terminal/progress.ts";
import { ProgressView, Reading } from "../../src/cli/terminal/progress-view.ts";
import { PLAIN } from "../../src/cli/terminal/style.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import { SimulatedClock } from "../simulation/clock.ts";
import { FakeHost } from "./fake-host.ts";

const at = (bytes_read: number, more: object = {}) => ({
  kind: "reading" as const,
  corpus: "docs",
  read: 0,
  total: 2,
  path: "zsh.pdf",
  bytes_read,
  bytes_total: 1_000,
  ...more,
});

test("the file, its page and its place among all; an estimate once there is something to go by", () => {
  const reading = new Reading();
  expect(reading.words(0)).toEqual({ left: "", doing: "" });
  reading.note(at(0), 1_000);
  expect(reading.words(60_000)).toEqual({ left: "", doing: "reading 1 of 2: docs/zsh.pdf" });
  reading.note(at(100, { page: 51, pages: 503 }), 11_000);
  expect(reading.words(11_000)).toEqual({
    left: "about 2 min left",
    doing: "reading 1 of 2, page 51 of 503: docs/zsh.pdf",
  });
  // It runs down while nothing new is heard.
  expect(reading.words(61_000).left).toBe("about 40 s left");
  expect(reading.words(600_000).left).toBe("a few seconds left");
  reading.note(at(110), 211_000);
  expect(reading.words(211_000).left).toBe("about 28 min left");
});

test("one file as the corpus is named once; another corpus is another estimate", () => {
  const reading = new Reading();
  reading.note(at(0), 0);
  reading.note(at(500), 10_000);
  reading.note(at(0, { corpus: "paper.pdf", path: "paper.pdf", total: 1, page: 2, pages: 9 }), 20_000);
  expect(reading.words(20_000)).toEqual({ left: "", doing: "reading, page 2 of 9: paper.pdf" });
});

test.each([
  ["paper.pdf/paper.pdf", "paper.pdf"],
  ["my paper.pdf/my paper.pdf", "my paper.pdf"],
  ["docs/paper.pdf", "docs/paper.pdf"],
])("what a step reads: %s as %s", (origin, shown) => {
  const view = new ProgressView(0);
  view.workers.say("wave1:overview", `reading ${origin}`);
  expect(view.lines(0, 80, 9).at(-1)).toBe(`  overview  reading ${shown}`);
});

test("writing, and waiting with its limit", () => {
  const reading = new Reading();
  reading.note({ kind: "writing", corpus: "docs" }, 0);
  expect(reading.words(0).doing).toBe("writing the index of docs");
  reading.note({ kind: "waiting", corpus: "docs", most_ms: 120_000 }, 0);
  expect(reading.words(0).doing).toBe("waiting, at most 2 min 0 s, for another process that reads docs");
});

test("is in the live lines until something else is done", () => {
  const view = new ProgressView(0);
  view.noteIndex(at(0), 0);
  view.noteIndex(at(100), 10_000);
  expect(view.lines(10_000, 80, 9)).toEqual(["10 s | about 2 min left | reading 1 of 2: docs/zsh.pdf"]);
  expect(view.readingLine(10_000)).toBe("10 s | about 2 min left | reading 1 of 2: docs/zsh.pdf");
  view.note({ kind: "stage.entered", data: { from: "init", to: "perspectives" } } as unknown as AnyRecord);
  expect(view.lines(10_000, 80, 9)).toEqual(["[2/10] plan | 10 s"]);
  expect(view.readingLine(10_000)).toBeNull();
});

test("without a terminal a line tells of each corpus when its reading begins, and one each minute how far it is", async () => {
  const clock = new SimulatedClock({ uptimeMs: 0 });
  const host = new FakeHost([]);
  const stderr = new OutputQueue({ host, stream: "stderr", clock });
  const display = progressDisplay({
    host,
    isLive: false,
    stderr,
    clock,
    style: PLAIN,
    titlesOf: async () => new Map(),
  });
  const linesAfter = async (ms: number): Promise<string[]> => {
    const before = host.stderr.length;
    await clock.advance(ms);
    await stderr.whenEmpty();
    return host.stderr.slice(before).split("\n").slice(0, -1);
  };
  display.observer.onIndex?.(at(0));
  await stderr.whenEmpty();
  expect(host.stderr).toBe("reading 2 files of docs\n");
  for (let bytes = 1; bytes <= 59; bytes++) {
    display.observer.onIndex?.(at(bytes));
    expect(await linesAfter(1_000)).toEqual([]);
  }
  expect(await linesAfter(1_000)).toEqual(["1 min 0 s | about 15 min left | reading 1 of 2: docs/zsh.pdf"]);
  expect(await linesAfter(120_000)).toEqual([
    "2 min 0 s | about 14 min left | reading 1 of 2: docs/zsh.pdf",
    "3 min 0 s | about 13 min left | reading 1 of 2: docs/zsh.pdf",
  ]);
  display.observer.onIndex?.({ kind: "writing", corpus: "docs" });
  expect(await linesAfter(60_000)).toEqual(["4 min 0 s | writing the index of docs"]);
  display.observer.onIndex?.({ kind: "waiting", corpus: "lo\u001bgs", most_ms: 90_000 });
  display.observer.onIndex?.(at(0, { corpus: "logs", path: "a.log", total: 1 }));
  expect(await linesAfter(59_000)).toEqual([
    expect.stringMatching(/^waiting, at most 1 min 30 s, for another process that reads lo.*gs$/),
    "reading: logs/a.log",
  ]);
  display.observer.onRecord?.("/runs/a", {
    kind: "stage.entered",
    data: { from: "perspectives", to: "wave1" },
  } as unknown as AnyRecord);
  await linesAfter(0);
  expect(await linesAfter(600_000)).toEqual([]);
  await display.end();
  expect(clock.timers).toBe(0);
});
