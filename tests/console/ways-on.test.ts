// The ways on from a halt as requests: what a button can do with one press, and what somebody has to fill in first.
import { describe, expect, test } from "bun:test";
import { shellQuote } from "../../src/kernel/shell.ts";
import { waysOn } from "../../src/console/ways-on.ts";
import type { NextStep } from "../../src/run/next-step.ts";

const PAGE = { runId: "dr_1", runRoot: "/runs/dr_1" };

function requestOf(verb: string, ...flags: string[]): unknown {
  const next: NextStep[] = [{ verb, runRoot: "/runs/dr_1", flags, why: "because" }];
  return waysOn({ next }, () => "the command", PAGE)[0]?.request;
}

describe("a next step", () => {
  test("is a command to copy, and the same in short", () => {
    const next: NextStep[] = [{ verb: "report show", runRoot: "/runs/dr_1", flags: [], why: "read it" }];
    expect(waysOn({ next }, () => "/opt/dr report show /runs/dr_1", PAGE)).toEqual([
      {
        why: "read it",
        command: "/opt/dr report show /runs/dr_1",
        shown: "deep-research report show dr_1",
        request: null,
      },
    ]);
  });

  test("has its flags as options of the request, numbers as numbers, and what its button says", () => {
    const body = { max_cost_usd: 4.5, on_drift: "continue" };
    expect(requestOf("resume", "--max-cost-usd", "4.5", "--on-drift", "continue")).toEqual({
      action: "resume",
      label: "Resume",
      body,
    });
    expect(requestOf("run")).toEqual({ action: "resume", label: "Run now", body: {} });
    expect(requestOf("tick")).toEqual({ action: "resume", label: "Go on", body: {} });
    expect(requestOf("report generate")).toEqual({ action: "generate", label: "Write a report", body: {} });
    expect(requestOf("approve")).toEqual({ action: "approve", label: "Approve", body: {} });
  });

  test("says of a call that was cut off what became of it; its name is that of the call, not that of a shell", () => {
    const call = "wave1:it's a/main/6/call 2";
    expect(requestOf("settle", "--call", shellQuote(call), "--assume-done")).toEqual({
      action: "settle",
      label: "It was done",
      body: { call, assume_done: true },
    });
    expect(requestOf("settle", "--call", "c1", "--replay")).toEqual({
      action: "settle",
      label: "Call again",
      body: { call: "c1", replay: true },
    });
  });

  test("on another run names that run, and is no request of this page", () => {
    const next: NextStep[] = [{ verb: "run", runRoot: "/runs/dr_2", flags: [], why: "start the fork" }];
    expect(waysOn({ next }, () => "/opt/dr run /runs/dr_2", PAGE)).toEqual([
      { why: "start the fork", command: "/opt/dr run /runs/dr_2", shown: "deep-research run dr_2", request: null },
    ]);
  });

  test("is no request where a word is to be filled in, or no route does it", () => {
    expect(requestOf("resume", "--corpus", "PATH")).toBeNull();
    expect(requestOf("fork", "--question", '"..."')).toBeNull();
    expect(requestOf("approve", "--input", "FILE")).toBeNull();
    expect(requestOf("inspect")).toBeNull();
  });
});
