// The execution states: every one of the 49 pairs, and what a reader is shown.
import { describe, expect, test } from "bun:test";
import {
  ALLOWED_CHANGES,
  deriveState,
  executionStateSchema,
  isTerminal,
  mayChange,
  mayReportManually,
  type ExecutionState,
} from "../../src/run/lifecycle.ts";
import { stateChange } from "../../src/run/fold.ts";

const STATES: ExecutionState[] = ["idle", "running", "paused", "interrupted", "completed", "aborted", "failed"];

/** As architecture.md has it: rows from, columns to, in the order of `STATES`. */
const TABLE = [".x.....", "..xxxxx", ".x...xx", ".xx..xx", ".......", ".......", "......."];

const PAIRS = STATES.flatMap((from, row) =>
  STATES.map((to, column): [ExecutionState, ExecutionState, boolean] => [from, to, TABLE[row]?.[column] === "x"]),
);

test("the states are these seven", () => {
  expect(executionStateSchema.options).toEqual(STATES);
  expect(Object.keys(ALLOWED_CHANGES)).toEqual(STATES);
});

test.each(PAIRS)("%s -> %s: %p", (from, to, isAllowed) => {
  expect(mayChange(from, to)).toBe(isAllowed);
  if (isAllowed) expect(stateChange(from, to, "a test").data).toEqual({ from, to, reason: "a test" });
  else expect(() => stateChange(from, to, "a test")).toThrow(isTerminal(from) ? "RUN_TERMINAL" : "INVALID_STATE");
});

test("three states are terminal", () => {
  expect(STATES.filter(isTerminal)).toEqual(["completed", "aborted", "failed"]);
});

test("further reports may be asked for in every state but idle and running", () => {
  expect(STATES.filter(mayReportManually)).toEqual(["paused", "interrupted", "completed", "aborted", "failed"]);
});

describe("what a reader is shown", () => {
  test("is `interrupted` exactly for a running run with an open tick and no live owner", () => {
    for (const recorded of STATES) {
      for (const tickIsOpen of [false, true]) {
        for (const leaseIsHeld of [false, true]) {
          const isInterrupted = recorded === "running" && tickIsOpen && !leaseIsHeld;
          expect(deriveState({ recorded, tickIsOpen, leaseIsHeld })).toBe(isInterrupted ? "interrupted" : recorded);
        }
      }
    }
  });
});
