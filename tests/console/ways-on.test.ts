// The ways on from a halt as requests: what a button can do with one press, and what somebody has to fill in first.
import { describe, expect, test } from "bun:test";
import { waysOn } from "../../src/console/ways-on.ts";
import type { NextStep } from "../../src/run/next-step.ts";

function requestOf(verb: string, ...flags: string[]): unknown {
  const next: NextStep[] = [{ verb, runRoot: "/runs/dr_1", flags, why: "because" }];
  return waysOn({ next }, () => "the command", "dr_1")[0]?.request;
}

describe("a next step", () => {
  test("is a command to copy, and the same in short", () => {
    const next: NextStep[] = [{ verb: "report show", runRoot: "/runs/dr_1", flags: [], why: "read it" }];
    expect(waysOn({ next }, () => "/opt/dr report show /runs/dr_1", "dr_1")).toEqual([
      {
        verb: "report show",
        why: "read it",
        command: "/opt/dr report show /runs/dr_1",
        shown: "deep-research report show dr_1",
        request: null,
      },
    ]);
  });

  test("has its flags as options of the request, numbers as numbers", () => {
    const body = { max_cost_usd: 4.5, on_drift: "continue" };
    expect(requestOf("resume", "--max-cost-usd", "4.5", "--on-drift", "continue")).toEqual({ action: "resume", body });
    expect(requestOf("run")).toEqual({ action: "resume", body: {} });
    expect(requestOf("tick")).toEqual({ action: "resume", body: {} });
    expect(requestOf("report generate")).toEqual({ action: "generate", body: {} });
  });

  test("is no request where a word is to be filled in, or no route does it", () => {
    expect(requestOf("resume", "--corpus", "PATH")).toBeNull();
    expect(requestOf("fork", "--question", '"..."')).toBeNull();
    expect(requestOf("settle", "--call", "c1", "--replay")).toBeNull();
    expect(requestOf("inspect")).toBeNull();
  });
});
