// Live lines while a corpus is read: the file, how far, and about how long.
import { expect, test } from "bun:test";
import { OutputQueue } from "../../src/cli/terminal/output-queue.ts";
import { progressDisplay } from "../../src/cli/terminal/progress.ts";
import { ProgressView, Reading } from "../../src/cli/terminal/progress-view.ts";
import { PLAIN } from "../../src/cli/terminal/style.ts";
import type { AnyRecord } from "../../src/run/record.ts";
import { testPorts } from "../operations/made-run.ts";
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

test("stands in the live lines until something else is done, and nowhere else", async () => {
  const view = new ProgressView(0);
  view.noteIndex(at(0), 0);
  view.noteIndex(at(100), 10_000);
  expect(view.lines(10_000, 80, 9)).toEqual(["10 s | about 2 min left | reading 1 of 2: docs/zsh.pdf"]);
  view.note({ kind: "stage.entered", data: { from: "init", to: "perspectives" } } as unknown as AnyRecord);
  expect(view.lines(10_000, 80, 9)).toEqual(["[2/10] perspectives | 10 s"]);
  const quiet = new FakeHost([]);
  const { clock } = testPorts();
  const stderr = new OutputQueue({ host: quiet, stream: "stderr", clock });
  const display = progressDisplay({
    host: quiet,
    isLive: false,
    stderr,
    clock,
    style: PLAIN,
    titlesOf: async () => new Map(),
  });
  display.observer.onIndex?.(at(100));
  await display.end();
  expect(quiet.stderr).toBe("");
});
