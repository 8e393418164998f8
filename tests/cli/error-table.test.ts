// The error table is total, has the exit statuses of the contract, and words for every code.
import { describe, expect, test } from "bun:test";
import { adviceLine } from "../../src/surface/advice.ts";
import { sentenceFor } from "../../src/surface/error-table.ts";
import { adviceOn } from "../../src/surface/fault-advice.ts";
import { exitOf } from "../../src/cli/exits.ts";
import { typedError } from "../../src/kernel/typed-error.ts";
import { AssertionError } from "../../src/kernel/assert.ts";
import { ERROR_CODES, RunError, type ErrorCode, type Fault } from "../../src/kernel/errors.ts";
import { HALTS } from "../../src/run/log/halt-kinds.ts";
import { fullCommand } from "../../src/run/next-steps/next-step.ts";

/** The hint in one line, as `--json` has it. */
function hintOf(fault: Fault, facts: Record<string, unknown>): string {
  const advice = adviceOn(new RunError<Fault>(fault, facts), { isRepaired: false });
  return adviceLine(advice, (step) => fullCommand({ cliInvocation: "dr" }, step));
}

function messageOf(fault: Fault, facts: Record<string, unknown>): string {
  return sentenceFor(new RunError<Fault>(fault, facts));
}

function exitOfCode(code: ErrorCode, facts: Record<string, unknown> = {}): number {
  return exitOf(new RunError<Fault>(code, facts));
}

/** Written out once more from the contract, so that a slip in the table shows. */
const EXITS: Record<number, ErrorCode[]> = {
  1: [
    "INVALID_STATE",
    "RUN_TERMINAL",
    "PAUSED",
    "REVISION_MISMATCH",
    "WATCHDOG_TIMEOUT",
    "WRITE_FAILED",
    "READ_FAILED",
    "MODEL_FAILED",
    "PROVIDER_FAILED",
    "WORKER_KILLED",
  ],
  2: [
    "INVALID_ARGS",
    "ALREADY_EXISTS",
    "SCHEMA_VALIDATION_FAILED",
    "AGENT_RESULT_INVALID",
    "PATH_TRAVERSAL",
    "INPUT_TOO_LARGE",
    "IMMUTABLE_FIELD",
    "REQUESTED_NEXT_NOT_ALLOWED",
    "SCHEMA_UNSUPPORTED",
  ],
  3: [
    "RUN_AGENT_REQUIRED",
    "HUMAN_REVIEW_REQUIRED",
    "GATE_BLOCKED",
    "NO_EVIDENCE",
    "SETTINGS_DRIFT",
    "TOOL_OUTCOME_UNKNOWN",
    "BUDGET_EXCEEDED",
  ],
  4: ["QUOTA_EXCEEDED", "REQUEST_PENDING", "UNAVAILABLE"],
  10: ["NOT_FOUND"],
  11: ["LOCK_HELD"],
  12: ["INTEGRITY_ERROR", "MISSING_ARTIFACT"],
  13: ["LOCK_LOST", "LOCK_NOT_HELD", "LOCK_NOT_OWNED"],
  70: ["INTERNAL"],
  130: ["INTERRUPTED_BY_SIGNAL"],
};

test("every code has the exit status of the contract, and no code is left out", () => {
  const expected = Object.entries(EXITS).flatMap(([exit, codes]) => codes.map((code) => [code, Number(exit)] as const));
  expect(expected.map(([code]) => code).sort()).toEqual([...ERROR_CODES].sort());
  for (const [code, exit] of expected) expect([code, exitOfCode(code)]).toEqual([code, exit]);
});

test("a signal decides between 130 and 143", () => {
  expect(exitOfCode("INTERRUPTED_BY_SIGNAL", { signal: "SIGINT" })).toBe(130);
  expect(exitOfCode("INTERRUPTED_BY_SIGNAL", { signal: "SIGTERM" })).toBe(143);
});

test("every code has a sentence and a next step, with and without facts", () => {
  const facts = {
    run_root: "/runs/with space",
    runs_root: "/runs",
    errno: "ENOSPC",
    versions: [1],
    runs: 0,
    command: "status",
    reason: "told",
  };
  for (const code of ERROR_CODES) {
    for (const known of [{}, facts]) {
      for (const words of [messageOf(code, known), hintOf(code, known)]) {
        expect(words).not.toMatch(/undefined|null|\[object/);
        expect(words.length).toBeGreaterThan(8 - (known === facts ? 6 : 0));
      }
    }
    const isOfDisk = code === "WRITE_FAILED" || code === "READ_FAILED";
    expect(messageOf(code, facts)).toBe(
      isOfDisk
        ? `/runs/with space could not be ${code === "READ_FAILED" ? "read" : "written"}: the disk is full`
        : "told",
    );
  }
});

test("what could not be written is named, with why and what helps", () => {
  const message = (facts: Record<string, unknown>): string => messageOf("WRITE_FAILED", facts);
  const told = (facts: Record<string, unknown>): string =>
    `${message({ run_root: "/runs/a", ...facts })}; ${hintOf("WRITE_FAILED", facts)}`;
  expect(told({ errno: "ENOSPC", path: "/runs/a/sources" })).toBe(
    "/runs/a/sources could not be written: the disk is full; make room on the disk, or choose another --runs-root, then repeat the command; what was acknowledged is kept",
  );
  expect(told({ errno: "EROFS", command: "tick" })).toBe(
    "/runs/a could not be written: the file system is read-only; mount it so that it can be written; then repeat",
  );
  expect(told({ errno: "EACCES", output: "/out/x.md", command: "report export" })).toBe(
    "/out/x.md could not be written: permission denied; allow this user to write there, or name another --output; then repeat",
  );
  expect(message({ reason: "a short write", path: "/runs/a" })).toBe("a short write");
});

test("a run without a report is asked for one where it rests, and continues where it works", () => {
  const hint = (facts: Record<string, unknown>): string => hintOf("NOT_FOUND.report", facts);
  const about = (state: string): string => hint({ run_root: "/r", versions: [], state });
  expect(about("running")).toBe("finish the run to get a report: dr run /r");
  expect(about("idle")).toContain("dr run /r");
  expect(about("failed")).toBe("write one from what was found: dr report generate /r");
  expect(about("paused")).toBe(
    "write one from what was found: dr report generate /r; continue where it stopped: dr resume /r",
  );
  expect(about("halted")).toBe(about("paused"));
  expect(hint({ run_root: "/r", versions: [1], state: "completed" })).toBe("list the versions: dr report list /r");
});

test("the causes of one code lead to different steps, and none is named to programs", () => {
  const hints: [Fault, Record<string, unknown>, string][] = [
    ["INVALID_ARGS.unset_variable", { unset_variable: "X_KEY" }, "set X_KEY to the provider's key"],
    ["INVALID_ARGS.variable", { variable: "X_FLAG" }, "correct or unset X_FLAG"],
    ["INVALID_ARGS.variable", { variable: "X_FLAG", did_you_mean: "live" }, "did you mean live?"],
    ["INVALID_ARGS.wrong_value", { option: "--mode", did_you_mean: "deep" }, "did you mean --mode deep?"],
    ["INVALID_ARGS.in_file", { file: "/c.json", did_you_mean: "mode" }, "did you mean mode?"],
    ["INVALID_ARGS.too_many_files", { path: "/docs", max_files: 1 }, "name a smaller folder, or files: --corpus PATH"],
    ["INVALID_ARGS.no_corpus", { command: "search" }, "see its help: dr search --help"],
    [
      "READ_FAILED.corpus",
      { run_root: "/r", path: "/docs" },
      "continue, if the corpus lies elsewhere now: dr resume /r --corpus PATH",
    ],
    ["INTEGRITY_ERROR.hard_linked", { run_root: "/r" }, "copy the run's folder with a plain copy"],
  ];
  for (const [fault, facts, hint] of hints) expect(hintOf(fault, facts)).toStartWith(hint);
  const error = new RunError("INVALID_ARGS.unset_variable", { reason: "no key", unset_variable: "X_KEY" });
  expect([error.code, error.message]).toEqual(["INVALID_ARGS", "INVALID_ARGS: no key"]);
  expect(JSON.parse(JSON.stringify({ error }))).toEqual({
    error: { code: "INVALID_ARGS", facts: { reason: "no key", unset_variable: "X_KEY" } },
  });
  const further = error.with({ run_root: "/r" });
  expect([further.fault, further.facts, further.cause]).toEqual([
    error.fault,
    { ...error.facts, run_root: "/r" },
    error,
  ]);
});

test("an id that several runs begin with is looked up in the list of runs", () => {
  expect(hintOf("INVALID_ARGS.several_runs", { command: "status", run_ids: ["dr_a1", "dr_a2"] })).toBe(
    "list the runs: dr list",
  );
});

test("a run that holds after an interruption continues by resume", () => {
  const hint = (facts: Record<string, unknown>): string => hintOf("INVALID_STATE", facts);
  expect(hint({ run_root: "/r", state: "interrupted" })).toBe("continue where it stopped: dr resume /r");
  expect(hint({ run_root: "/r", state: "running" })).toBe("see what it waits for: dr triage /r");
});

test("a run that is completed is read, one that failed continues in a fork", () => {
  const hint = (facts: Record<string, unknown>): string => hintOf("RUN_TERMINAL", facts);
  expect(hint({ run_root: "/r", state: "completed" })).toStartWith("read its report: dr report show /r");
  expect(hint({ run_root: "/r", state: "failed" })).toEndWith("dr fork /r");
});

test("a step that a model did not do offers another model; any other failed step names its cause", () => {
  const about = (error: object): string =>
    hintOf("GATE_BLOCKED", { run_root: "/r", steps: [{ key: "wave1:a", error }] });
  expect(about({ code: "MODEL_FAILED", message: "no result", retryable: false })).toStartWith(
    "try again; --model PROVIDER:NAME takes a model that may do better: dr resume /r; ",
  );
  for (const other of [
    { code: "MODEL_FAILED", message: "unreachable", retryable: true },
    { code: "READ_FAILED", message: "no disk", retryable: false },
  ])
    expect(about(other)).toStartWith("try again, once the problem above is fixed: dr resume /r; ");
});

test("hints name the run, quoted for sh", () => {
  expect(hintOf("PAUSED", { run_root: "/runs/with space" })).toContain("dr resume '/runs/with space'");
  expect(hintOf("PAUSED", {})).toContain("dr resume RUN");
});

test("a command that was stopped before it made a run is repeated, not resumed", () => {
  expect(hintOf("INTERRUPTED_BY_SIGNAL", {})).toContain("repeat the command");
  expect(hintOf("INTERRUPTED_BY_SIGNAL", { run_root: "/runs/a" })).toContain("dr resume /runs/a");
  expect(hintOf("NOT_FOUND", { runs: 1 })).toContain("run it again");
});

test("where the runs root is a file, another folder is asked for; where the folder of an output is missing, that folder", () => {
  expect(hintOf("READ_FAILED", { errno: "ENOTDIR" })).toContain("--runs-root");
  expect(hintOf("WRITE_FAILED", { errno: "ENOTDIR" })).toContain("--runs-root");
  expect(hintOf("WRITE_FAILED", { errno: "ENOENT", output: "/no/x.md" })).toContain("make the folder");
});

test("a sweep names each run that it ended", () => {
  const hint = hintOf("WATCHDOG_TIMEOUT.several_runs", { run_roots: ["/runs/a", "/runs/b"] });
  expect(hint).toMatch(/dr triage \/runs\/a; .*dr triage \/runs\/b$/);
});

test("each halt ends with the exit status of its kind", () => {
  const exits = Object.fromEntries(Object.entries(HALTS).map(([kind, { code }]) => [kind, exitOfCode(code)]));
  expect(exits).toEqual({
    agent_required: 3,
    human_review: 3,
    gate_blocked: 3,
    no_evidence: 3,
    drift: 3,
    tool_outcome_unknown: 3,
    budget: 3,
    quota: 4,
    timeout: 1,
    internal: 70,
  });
});

describe("anything thrown becomes a typed error", () => {
  test("a typed error stays", () => {
    const error = new RunError("PAUSED", { a: 1 });
    expect(typedError(error)).toBe(error);
  });

  test("a full disk is no bug", () => {
    const { code, facts } = typedError(Object.assign(new Error("no space"), { code: "ENOSPC", path: "/x" }));
    expect([code, facts["errno"], facts["path"]]).toEqual(["WRITE_FAILED", "ENOSPC", "/x"]);
  });

  test("the rest is a bug, a false assertion among it", () => {
    for (const thrown of [
      new AssertionError("why"),
      new TypeError("x is not a function"),
      "words",
      undefined,
      { code: "EWHATEVER" },
    ]) {
      expect(typedError(thrown).code).toBe("INTERNAL");
    }
  });
});
