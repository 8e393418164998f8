// The execution states: every one of the 49 pairs, and what a reader is shown.
import { describe, expect, test } from "bun:test";
import {
  ALLOWED_CHANGES,
  activityOf,
  deriveState,
  executionStateSchema,
  isTerminal,
  mayChange,
  mayReportManually,
  type ExecutionState,
} from "../../src/run/log/lifecycle.ts";
import type { LeasePurpose } from "../../src/run/lease.ts";
import { stateChange } from "../../src/run/log/lifecycle.ts";

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

test("further reports may be asked for in every run that has begun and that nobody works on", () => {
  const rests: ExecutionState[] = ["paused", "interrupted", "completed", "aborted", "failed"];
  expect(STATES.filter((state) => mayReportManually(state, null))).toEqual(rests);
  expect(STATES.filter((state) => mayReportManually(state, {}))).toEqual(["running", ...rests]);
});

const NOBODY = { held: null, stale: null };

describe("what a reader is shown", () => {
  const OWNER = {};
  const LEASES = { held: { held: OWNER, stale: null }, stale: { held: null, stale: OWNER }, released: NOBODY };

  test("is `interrupted` for a running run whose owner died: with its tick open, or before it released the lease", () => {
    for (const execution_state of STATES)
      for (const is_open of [false, true])
        for (const halt of [null, {}])
          for (const [name, lease] of Object.entries(LEASES)) {
            const isLeft = name !== "held" && (is_open || (name === "stale" && halt === null));
            const expected = execution_state === "running" && isLeft ? "interrupted" : execution_state;
            expect(deriveState({ execution_state, tick: { is_open }, halt }, lease)).toBe(expected);
          }
  });

  test("names what a living owner does, and of other runs that none works", () => {
    for (const execution_state of STATES)
      for (const is_open of [false, true])
        for (const [name, lease] of Object.entries(LEASES)) {
          const works = execution_state === "running" && name === "held";
          const expected = works ? (is_open ? "ticking" : "held") : "none";
          const by = (purpose: LeasePurpose) => ({ held: lease.held === null ? null : { purpose } });
          expect(activityOf({ execution_state, tick: { is_open }, halt: null }, by("work"))).toBe(expected);
          const writes = name === "held" ? "reporting" : "none";
          expect(activityOf({ execution_state, tick: { is_open }, halt: null }, by("report"))).toBe(writes);
        }
  });
});
