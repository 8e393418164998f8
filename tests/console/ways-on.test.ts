// The ways on from a halt as requests: what a button can do with one press, and what somebody has to fill in first.
import { describe, expect, test } from "bun:test";
import { waysOn } from "../../src/console/ways-on.ts";
import { stepsOn, type NextStep, type StepInput } from "../../src/run/next-steps/next-step.ts";

const RUN = { runRoot: "/runs/dr_1", runId: "dr_1" };

function requestOf(verb: string, input?: StepInput, asks?: NextStep["asks"]): unknown {
  const next = [stepsOn(RUN.runRoot)(verb, "because", input, asks)];
  return waysOn({ next }, () => "the command", RUN)[0]?.request;
}

describe("a next step", () => {
  test("is a command to copy, and the same in short", () => {
    const next = [stepsOn(RUN.runRoot)("report show", "read it")];
    expect(waysOn({ next }, () => "/opt/dr report show /runs/dr_1", RUN)).toEqual([
      {
        why: "read it",
        command: "/opt/dr report show /runs/dr_1",
        shown: "deep-research report show dr_1",
        elsewhere: null,
        request: null,
      },
    ]);
  });

  test("about another run names that one, leads there, and is no request to this one", () => {
    const on = (runRoot: string | null) =>
      waysOn({ next: [stepsOn(runRoot)("run", "begin it")] }, () => "the command", RUN)[0];
    expect(on("/runs/dr_fork")).toEqual({
      why: "begin it",
      command: "the command",
      shown: "deep-research run dr_fork",
      elsewhere: "dr_fork",
      request: null,
    });
    expect(on("/runs/a copy (2)")).toMatchObject({ elsewhere: "a%20copy%20(2)", request: null });
    // In another runs root its name alone would lead nowhere.
    expect(on("/elsewhere/dr_1")).toMatchObject({ shown: "the command", elsewhere: null, request: null });
    // Control: of this run it is a request.
    expect(on("/runs/dr_1")).toMatchObject({ elsewhere: null, request: { action: "resume" } });
  });

  test("has its input as the body of the request, and what its button says", () => {
    const body = { max_cost_usd: 4.5, on_drift: "continue" };
    expect(requestOf("resume", body)).toEqual({ action: "resume", label: "Resume", body });
    expect(requestOf("run")).toEqual({ action: "resume", label: "Run now", body: {} });
    expect(requestOf("tick")).toEqual({ action: "resume", label: "Continue", body: {} });
    expect(requestOf("report generate")).toEqual({ action: "generate", label: "Write a report", body: {} });
    expect(requestOf("approve")).toEqual({ action: "approve", label: "Approve", body: {} });
    const call = "wave1:it's a/main/6/call 2";
    expect(requestOf("settle", { call, assume_done: true })).toMatchObject({ label: "It was done", body: { call } });
    expect(requestOf("settle", { call, replay: true })).toMatchObject({ label: "Call again", body: { call } });
  });

  test("is the form of a new session where other words have to be found", () => {
    const asks = { question: '"..."' };
    expect(requestOf("fork", {}, asks)).toEqual({ action: "ask", label: "Ask again", body: {} });
  });

  test("is no request where a word is to be filled in, or no route does it", () => {
    expect(requestOf("resume", {}, { corpus: "PATH" })).toBeNull();
    expect(requestOf("fork", {}, { corpus: "PATH" })).toBeNull();
    expect(requestOf("approve", {}, { input: "FILE" })).toBeNull();
    expect(requestOf("inspect")).toBeNull();
  });
});
