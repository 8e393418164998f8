// Every fault once: what to do about it, in words and in next steps.
import type { ErrorFacts, Fault, FaultFacts, RunError } from "../kernel/errors.ts";
import { RUN_ID_RULE } from "../kernel/ids.ts";
import { shellQuote } from "../kernel/shell.ts";
import { type HaltCode, type HaltKind, kindOfCode } from "../run/log/halt-kinds.ts";
import { haltFrom } from "../run/log/halt-details.ts";
import { executionStateSchema, isTerminal, mayReportManually } from "../run/log/lifecycle.ts";
import { haltSteps } from "../run/next-steps/halt-steps.ts";
import { type NextStep, type StepInput, stepsOn } from "../run/next-steps/next-step.ts";
import { type Advice, doNext, say } from "./advice.ts";
import { readHint, writeHint } from "./disk-words.ts";
import { firstAfterHalt } from "./halt-words.ts";

/** `isRepaired`: a repair has met all of this damage already, and could not undo it. */
type Advise<F extends Fault> = (facts: FaultFacts<F>, about: { isRepaired: boolean }) => Advice;

/** Steps that name no run. */
const alone = stepsOn(null);

/** What a caller has to name for a new run. */
const TO_START = { "": '"<question>"', corpus: "PATH" };
const DOCTOR = alone("doctor", "see every setting and where it comes from", { all: true });

/** The steps of a halt serve every code of one that is not here. */
const ADVICE: { [F in Exclude<Fault, HaltCode>]: Advise<F> } & { [F in HaltCode]?: Advise<F> } = {
  // The run failed, or its state does not allow this.
  INVALID_STATE(facts) {
    if (hasNotBegun(facts))
      return doNext(
        facts.wanted === "aborted"
          ? on(facts, "remove", "delete it", { yes: true })
          : on(facts, "run", "start it, if you want to"),
      );
    return doNext(
      facts.state === "interrupted"
        ? on(facts, "resume", "continue where it stopped")
        : on(facts, "triage", "see what it waits for"),
    );
  },
  RUN_TERMINAL: (facts) =>
    doNext(
      ...(facts.state === "completed" ? [on(facts, "report show", "read its report")] : []),
      on(facts, "fork", "a new run that keeps the finished steps"),
    ),
  PAUSED: (facts) => doNext(on(facts, "resume", "end the pause and continue")),
  REVISION_MISMATCH: (facts) => doNext(on(facts, "status", "see what it is now, then repeat")),
  "WATCHDOG_TIMEOUT.several_runs": ({ run_roots }) =>
    doNext(...run_roots.map((run_root) => on({ run_root }, "triage", "see why, and how to continue with more time"))),
  WRITE_FAILED: (facts) => say(writeHint(facts)),
  READ_FAILED: (facts) => say(readHint(facts)),
  "READ_FAILED.vanished": () => say("put it back, then repeat the command"),
  "READ_FAILED.corpus": movedCorpus,
  MODEL_FAILED: ({ help }) =>
    say(help ?? "repeat the command; `doctor` with the same --model says whether the model answers"),
  PROVIDER_FAILED: ({ help }) => say(help ?? "repeat later; what was acknowledged is kept"),

  // Bad usage or input.
  INVALID_ARGS: usage,
  "INVALID_ARGS.wrong_value": usage,
  "INVALID_ARGS.several_runs": () => doNext(alone("list", "list the runs")),
  "INVALID_ARGS.unconfirmed": ({ mended }) => doNext(alone(mended, "the same, confirmed")),
  "INVALID_ARGS.token_file": () => doNext(alone("serve", "replace it", { new_token: true })),
  "INVALID_ARGS.token_folder": ({ token_folder }) =>
    say(`make it yours alone: chmod 700 ${shellQuote(token_folder)}, or set XDG_STATE_HOME`),
  "INVALID_ARGS.no_search_key": () => ({
    first: "set one of these variables, or name a page or SearXNG under providers in your configuration",
    steps: [DOCTOR],
  }),
  "INVALID_ARGS.no_mcp_server": () => ({
    first: "set the server up under providers in your own configuration",
    steps: [DOCTOR],
  }),
  "INVALID_ARGS.no_reranker": () => ({
    first: "set it up in your own configuration file, as rerank: {base_url, model}",
    steps: [DOCTOR],
  }),
  "INVALID_ARGS.out_of_reach": ({ stdio_servers }) =>
    say(
      `list what may be reached under allowed_hosts in your own configuration${stdio_servers === undefined ? "" : "; a server over stdio that opens no connection may be used when its settings say is_offline: true"}`,
    ),
  "INVALID_ARGS.unknown_price": () =>
    say("give its price under prices in your configuration, or limit --max-tokens or --max-calls instead"),
  "INVALID_ARGS.address": ({ address }) =>
    say(
      address.startsWith("file:")
        ? "name the path alone, without file://"
        : "save the page and name its file, or research the web: --provider web, with the address under providers.web.seeds in your configuration",
    ),
  "INVALID_ARGS.no_corpus": (facts) =>
    facts.command === "start" || facts.command === "init"
      ? doNext(alone(facts.command, "name what it may read", {}, TO_START))
      : help(facts),
  "INVALID_ARGS.corpus": movedCorpus,
  "INVALID_ARGS.no_config_file": () => say("name a file that exists: --config FILE"),
  "INVALID_ARGS.unreadable_corpus": ({ skipped = [] }) =>
    say(
      skipped.length > 0
        ? "save what it holds as .docx, .pdf, .csv or .txt in UTF-8, or name another folder or file: --corpus PATH"
        : "name a folder or a file that exists and that this user may read: --corpus PATH",
    ),
  "INVALID_ARGS.too_many_files": () => say("name a smaller folder, or files: --corpus PATH"),
  "INVALID_ARGS.unknown_field": ({ asked, takes }) => say(`${asked} takes ${takes.join(", ") || "no arguments"}`),
  "INVALID_ARGS.agent_may_not": ({ adds }) =>
    say(`for the person to decide, not for the agent: add ${adds}, or --trust-agent to the command of this server`),
  "INVALID_ARGS.workspace_may_not": () => ({
    first: "move it to the user's file or the command line, or trust this folder: --trust-workspace",
    steps: [DOCTOR],
  }),
  "INVALID_ARGS.in_file": (facts) =>
    facts.did_you_mean === undefined
      ? { first: `correct ${facts.file}`, steps: [DOCTOR] }
      : say(`did you mean ${facts.did_you_mean}?`),
  "INVALID_ARGS.unset_variable": ({ unset_variable }) => say(`set ${unset_variable} to the provider's key`),
  "INVALID_ARGS.store": () =>
    say("name it by postgres://ROLE@HOST/DATABASE, with its password in a file (--store-file) or in PGPASSFILE"),
  "INVALID_ARGS.stored_run": (facts) => ({
    first: "repair a copy of it as a folder, without a store, and take that back",
    steps: [
      stepsOn(facts.run_root)("store export", "write it as a folder; then repair that", {}, { "": "FOLDER" }),
      on(facts, "remove", "remove it from the store, as its operator"),
      alone("store import", "take the folder back", {}, { "": "FOLDER" }),
    ],
  }),
  "INVALID_ARGS.store_login": () =>
    say("check the role, its password and the database: they are in --store-file, DEEP_RESEARCH_STORE or PGPASSFILE"),
  "INVALID_ARGS.store_role": () =>
    say("repeat it with the role that ran `store migrate`: repair, remove, prune and store import are not for workers"),
  "INVALID_ARGS.variable": ({ variable, did_you_mean }) =>
    say(
      did_you_mean !== undefined
        ? `did you mean ${did_you_mean}?`
        : variable === "HOME"
          ? "set HOME, or DEEP_RESEARCH_RUNS_ROOT to a folder, or give --runs-root DIR"
          : `correct or unset ${variable}`,
    ),
  ALREADY_EXISTS: (facts) => ({
    first: "choose another --run-id, or leave it out",
    steps: facts.run_root === undefined ? [] : [on(facts, "resume", "continue the run of that id")],
  }),
  "ALREADY_EXISTS.bundle": () => say("name another folder"),
  "ALREADY_EXISTS.file": () => say("name another file, or replace it with --force"),
  SCHEMA_VALIDATION_FAILED: () => say("correct the input named above and repeat"),
  AGENT_RESULT_INVALID: () => say("correct the result and submit it again"),
  PATH_TRAVERSAL: () => say("name a path inside the folder, without .. and links"),
  "PATH_TRAVERSAL.run_id": () => say(`a run id ${RUN_ID_RULE}`),
  INPUT_TOO_LARGE: () => say("shorten it to the limit named above"),
  IMMUTABLE_FIELD: () => say("leave it out of the patch"),
  REQUESTED_NEXT_NOT_ALLOWED: (facts) => doNext(on(facts, "inspect", "see the stages")),
  SCHEMA_UNSUPPORTED: () => say("upgrade deep-research; this version leaves the run untouched"),
  "SCHEMA_UNSUPPORTED.store_older": () =>
    doNext(alone("store migrate", "bring its schema up to this version", {}, { "": "URL" })),
  "SCHEMA_UNSUPPORTED.store_newer": () => say("upgrade deep-research; this version leaves the store untouched"),
  "SCHEMA_UNSUPPORTED.bundle": () => say("upgrade deep-research; this version leaves the bundle untouched"),

  // Halted.
  "NO_EVIDENCE.no_report": (facts) =>
    facts.state === "halted"
      ? afterHalt("no_evidence", facts)
      : doNext(
          hasEnded(facts) ? on(facts, "fork", "continue in a new run") : on(facts, "resume", "continue the research"),
        ),
  QUOTA_EXCEEDED: (facts) => (facts.run_root === undefined ? say("repeat later") : afterHalt("quota", facts)),
  REQUEST_PENDING: (facts) => ({
    first: "the request is queued",
    steps: [on(facts, "status", "check whether it was done")],
  }),

  // The world.
  NOT_FOUND({ runs_root, runs }) {
    const first = "if `start` was interrupted early, run it again";
    const root = runs_root === undefined ? {} : { runs_root };
    return runs === 0
      ? { first, steps: [alone("start", "begin a run", root, TO_START)] }
      : { first, steps: [alone("list", "list the runs", root)] };
  },
  "NOT_FOUND.report"(facts) {
    if (facts.versions.length > 0) return doNext(on(facts, "report list", "list the versions"));
    // A run at rest can write a report; one at work makes it.
    if (facts.state !== "halted" && !mayReportManually(stateIn(facts) ?? "running", null))
      return doNext(on(facts, "run", "finish the run to get a report"));
    const generate = on(facts, "report generate", "write one from what was found");
    return doNext(generate, ...(hasEnded(facts) ? [] : [on(facts, "resume", "continue where it stopped")]));
  },
  "NOT_FOUND.step": (facts) => doNext(on(facts, "inspect", "list the steps")),
  "NOT_FOUND.waiting": (facts) => doNext(on(facts, "triage", "see what waits")),
  "NOT_FOUND.file": (facts) => doNext(on(facts, "show", "list the files")),
  LOCK_HELD: (facts) =>
    facts.is_reporting === true
      ? doNext(on(facts, "watch", "follow it"))
      : doNext(on(facts, "watch", "follow its work"), on(facts, "pause", "ask it to stop")),
  INTEGRITY_ERROR: repair,
  MISSING_ARTIFACT: repair,
  "INTEGRITY_ERROR.bundle": copyBundle,
  "MISSING_ARTIFACT.bundle": copyBundle,
  "INTEGRITY_ERROR.of_report": allowDamaged,
  "MISSING_ARTIFACT.of_report": allowDamaged,
  "INTEGRITY_ERROR.hard_linked": () =>
    say("copy the run's folder with a plain copy, not with hard links, and work on the copy"),
  "INTEGRITY_ERROR.journal_lost": (facts) => ({
    first: "put the journal back from a backup: nothing else can bring it back; without one",
    steps: [
      ...(facts.readable_reports === undefined ? [] : [on(facts, "report show", "read its report")]),
      on(facts, "remove", "delete what is left of the run"),
    ],
  }),
  UNAVAILABLE: (facts) =>
    facts.run_root === undefined
      ? say("repeat later")
      : { first: "what is finished is kept: repeat later", steps: [on(facts, "status", "see the state of the run")] },
  LOCK_LOST: (facts) =>
    facts.superseded === false
      ? {
          first: "no process took over; finished steps are kept",
          steps: [on(facts, "triage", "see what it waits for")],
        }
      : { first: "nothing of it was overwritten", steps: [on(facts, "status", "see which process has it")] },
  LOCK_NOT_HELD: owner,
  LOCK_NOT_OWNED: owner,
  INTERRUPTED_BY_SIGNAL(facts) {
    if (facts.command === "watch") return say("the run continues as before: only the watching ended");
    return facts.run_root === undefined
      ? say("nothing was begun, so nothing is lost: repeat the command")
      : { first: "everything finished is kept", steps: [on(facts, "resume", "continue where it stopped")] };
  },
  WORKER_KILLED: (facts) => ({
    first: "what its journal holds is kept: repeat",
    steps: facts.run_root === undefined ? [] : [on(facts, "status", "see the state of the run")],
  }),
  INTERNAL: () => say("please report it with the output of the same command under DEEP_RESEARCH_DEBUG=1"),
};

/** What to do about an error, judged by its facts alone. */
export function adviceOn(error: RunError, about: { isRepaired: boolean }): Advice {
  const { fault, facts } = error;
  // A fault and its facts come together, which the type of the table cannot say of a fault that is not known.
  const advise = ADVICE[fault] as Advise<Fault> | undefined;
  return advise?.(facts, about) ?? afterHalt(kindOfCode(error.code as HaltCode), facts);
}

/** A step on the run that the facts name; without one, `RUN` is in its place. */
function on({ run_root }: { run_root?: string | undefined }, verb: string, why: string, input?: StepInput): NextStep {
  return run_root === undefined ? alone(verb, why, input, { "": "RUN" }) : stepsOn(run_root)(verb, why, input);
}

function usage(facts: ErrorFacts): Advice {
  const { option, did_you_mean } = facts;
  return did_you_mean === undefined ? help(facts) : say(`did you mean ${meant(option, did_you_mean)}?`);
}

/** The help of the command that met the error. */
function help({ command }: { command?: string | undefined }): Advice {
  return doNext(
    command === undefined ? alone("--help", "list the commands") : alone(command, "see its help", { help: true }),
  );
}

/** Puts a suggested value behind its option, unless the suggestion is an option itself. */
function meant(option: string | undefined, suggestion: string): string {
  return option === undefined || /^["-]/.test(suggestion) ? suggestion : `${option} ${suggestion}`;
}

function movedCorpus({ run_root }: { run_root?: string | undefined }): Advice {
  const named = { corpus: "PATH", ...(run_root === undefined ? { "": "RUN" } : {}) };
  return doNext(stepsOn(run_root ?? null)("resume", "continue, if the corpus lies elsewhere now", {}, named));
}

/** True for a run that was to be stopped before it was started. */
export function hasNotBegun({ state, wanted }: FaultFacts<"INVALID_STATE">): boolean {
  return state === "idle" && (wanted === "paused" || wanted === "aborted");
}

function stateIn({ state }: { state?: string }) {
  return executionStateSchema.safeParse(state).data;
}

function hasEnded(facts: { state?: string }): boolean {
  const state = stateIn(facts);
  return state !== undefined && isTerminal(state);
}

/** The steps of a halt that only the error names: a caller that knows the run reads the stored halt instead. */
function afterHalt(kind: HaltKind, facts: ErrorFacts): Advice {
  if (facts.run_root === undefined) return doNext(on(facts, "triage", "see what is wrong"));
  const halt = haltFrom(kind, facts);
  return { first: firstAfterHalt(halt), steps: haltSteps(halt, facts.run_root, null) };
}

function repair(facts: FaultFacts<"INTEGRITY_ERROR">, { isRepaired }: { isRepaired: boolean }): Advice {
  if (!isRepaired) return doNext(on(facts, "repair", "see what a repair would do", { dry_run: true }));
  const fork = on(facts, "fork", "continue in a new run without what is missing");
  return { first: "no repair brings this back: copy it from a backup, or", steps: [fork] };
}

function allowDamaged(facts: FaultFacts<"INTEGRITY_ERROR">, { isRepaired }: { isRepaired: boolean }): Advice {
  const see = isRepaired
    ? on(facts, "triage", "see what can be done")
    : on(facts, "verify", "see everything that is damaged");
  return { first: "to have it all the same, say --allow-damaged", steps: [see] };
}

function copyBundle(): Advice {
  return say("copy the bundle anew from where it came from, or capture the run again; nothing was written");
}

function owner(facts: { run_root?: string | undefined }): Advice {
  return doNext(on(facts, "status", "see which process has it"));
}
