// Progress of several runs at once: each line belongs to the run named above it, and each run counts its own steps.
import { expect, test } from "bun:test";
import { OutputQueue } from "../../src/cli/terminal/output-queue.ts";
import { progressDisplay } from "../../src/cli/terminal/progress.ts";
import { ProgressView } from "../../src/cli/terminal/progress-view.ts";
import { PLAIN } from "../../src/cli/terminal/style.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import { testPorts } from "../operations/made-run.ts";
import { FakeHost } from "./fake-host.ts";

function planned(...keys: string[]): AnyRecord {
  return { kind: "stage.planned", data: { stage: "wave1", keys } } as unknown as AnyRecord;
}

function completed(key: string): AnyRecord {
  return { kind: "step.completed", data: { key } } as unknown as AnyRecord;
}

test("two runs in the same stage", async () => {
  const host = new FakeHost([]);
  const { clock } = testPorts();
  const stderr = new OutputQueue({ host, stream: "stderr", clock });
  const display = progressDisplay({
    host,
    isLive: host.isTerminal("stderr"),
    stderr,
    clock,
    style: PLAIN,
    titlesOf: async () => new Map(),
  });
  const tell = (runRoot: string, ...records: AnyRecord[]): void => {
    for (const record of records) display.observer.onRecord?.(runRoot, record);
  };
  tell("/runs/a", planned("wave1:x", "wave1:y"), completed("wave1:x"));
  tell("/runs/b", planned("wave1:x"), completed("wave1:x"));
  tell("/runs/a", completed("wave1:y"));
  await display.end();
  expect(host.stderr).toBe(
    [
      "run /runs/a",
      "  wave1:x done (1 of 2 steps)",
      "run /runs/b",
      "  wave1:x done (1 of 1 step)",
      "run /runs/a",
      "  wave1:y done (2 of 2 steps)",
      "",
    ].join("\n"),
  );
});

test("a halt has the headline of status", () => {
  const lineOf = (halt: object): string | undefined =>
    new ProgressView(0).note({ kind: "halt.raised", data: { halt } } as unknown as AnyRecord)?.text;
  expect(lineOf({ schema_version: "halt.v1", kind: "no_evidence", details: {} })).toBe("  stopped: no evidence found");
  expect(lineOf({ schema_version: "halt.v1", kind: "gate_blocked", details: { unreachable: true } })).toBe(
    "  stopped: the model server does not answer",
  );
});

test("a run that was only made, by init or fork, is at work on no stage", () => {
  const view = new ProgressView(0);
  const entered = (from: string, to: string): AnyRecord =>
    ({ kind: "stage.entered", data: { from, to } }) as unknown as AnyRecord;
  expect(view.note(entered("init", "perspectives"))).toBeNull();
  expect(view.lines(0, 80, 9)[0]).toStartWith("[2/10] plan | ");
  expect(view.note(entered("perspectives", "wave1"))?.text).toBe("[3/10] first search");
});
