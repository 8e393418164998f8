// The next steps of a halt, from its kind and its details: first the commands that go on, then those that only look.
import type { GateVerdict } from "../log/gate.ts";
import { haltKind, type Halt, type HaltKind } from "../log/halt.ts";
import type { Manifest } from "../log/manifest.ts";
import { stepsOn, type NextStep, type StepInput, type StepMaker } from "./next-step.ts";
import { olderResumeInput } from "./older-halts.ts";
import { otherAnswers } from "./other-answers.ts";
import { MAX_ROUNDS, DEFAULT_TIMEOUTS_S, MAX_STAGE_TIMEOUT_S } from "../stage.ts";
import type { Limits } from "../settings/settings.ts";

/** The facts of a halt that is stored or will be. */
export interface HaltFacts {
  kind: HaltKind;
  details: Readonly<Record<string, unknown>>;
  retry_at?: string | undefined;
}

/** The halted run; null where only the error of the halt is known. */
export type HaltedRun = Pick<
  Manifest,
  "mode" | "settings" | "limits" | "stage" | "steps" | "current_report_version_index"
> | null;

/** Reads a stored halt of any form. Older timeouts have their facts at the top level and no details. */
export function factsOfHalt(halt: Halt): HaltFacts {
  const kind = haltKind(halt);
  if (halt.schema_version === "halt.v1") return { kind, details: halt.details, retry_at: halt.retry_at };
  const { elapsed_s, timeout_s, details } = halt;
  return { kind, details: details ?? { elapsed_s, timeout_s } };
}

/** No step leads straight back to the halt: where a person has to do something first, `why` says what. */
export function haltSteps(halt: HaltFacts, runRoot: string, run: HaltedRun): NextStep[] {
  const step = stepsOn(runRoot);
  const looks = [step("inspect", "see every step and failure"), step("triage", "see what is wrong")];
  const ways = waysOn(halt, step, runRoot, run);
  // A failed run waits for nothing, so a person looks first why it failed.
  return halt.kind === "timeout" ? [...looks, ...ways] : [...ways, ...looks];
}

function waysOn({ kind, details, retry_at }: HaltFacts, step: StepMaker, runRoot: string, run: HaltedRun): NextStep[] {
  switch (kind) {
    case "timeout":
      return [
        step("fork", "a new run with more time; finished steps are kept", { stage_timeout: enoughTime(details, run) }),
      ];
    case "drift": {
      const asked = resumeInput(details);
      const accept = step("resume", "continue with what is there now", { ...asked, on_drift: "continue" });
      return run?.settings.policies.on_drift === "fork"
        ? [step("resume", "make a new run over what is there now", { ...asked, on_drift: "fork" }), accept]
        : [accept, step("fork", "make a new run over what is there now", asked)];
    }
    case "no_evidence":
      // A fork with the same question would search the same documents, and find nothing again.
      return [
        step("resume", searchesAgain(details)),
        step("fork", "ask again, in words that the documents use", {}, { question: '"..."' }),
      ];
    case "tool_outcome_unknown": {
      const { call } = details;
      if (typeof call !== "string") return [];
      return [
        step("settle", "if you find that the call did its work", { call, assume_done: true }),
        step("settle", "if not: call it once more", { call, replay: true }),
      ];
    }
    case "quota":
      return retry_at === undefined
        ? [step("resume", "try again, once the account allows it; the provider names no time")]
        : [step("resume", "try now, without waiting for that time")];
    case "budget":
      return budgetSteps(details, step, run);
    case "internal":
      return [
        step("resume", "try again, best after an upgrade"),
        step("fork", "go on in a new run; finished steps are kept"),
      ];
    case "agent_required":
      return [...answersDue(runRoot, waitingIn(details)), step("tick", "go on, once all answers are in")];
    case "human_review":
      return [
        step("approve", "go on with the plan as it stands"),
        step("approve", `go on with an edited copy of ${draftIn(details)}`, {}, { input: "FILE" }),
      ];
    case "gate_blocked":
      return blockedSteps(details, step, run);
  }
}

function searchesAgain({ searched }: HaltFacts["details"]): string {
  return Array.isArray(searched) && searched.length === 0
    ? "search again, once more providers are set up in your configuration"
    : "search again, once the corpus has more documents";
}

function draftIn({ draft }: HaltFacts["details"]): string {
  return typeof draft === "string" ? draft : "it";
}

function waitingIn({ waiting }: HaltFacts["details"]): WaitingStep[] {
  return Array.isArray(waiting) ? (waiting as WaitingStep[]) : [];
}

/** `name` is the name of the prompt within the step, `prompt` its file in the run. */
interface WaitingStep {
  key: string;
  name: string;
  prompt: string;
}

/** One step for each answer that is waited for. */
export function answersDue(runRoot: string, waiting: readonly WaitingStep[]): NextStep[] {
  const step = stepsOn(runRoot);
  return waiting.map(({ key, name, prompt }) => {
    const why = `hand in the answer to ${runRoot}/${prompt}`;
    return step("agent-result", why, { step: key, prompt: name }, { input: "-", agent_run_id: "ID" });
  });
}

/** Twice the time that was too short, and never less than the default of the stage. */
function enoughTime({ elapsed_s, timeout_s }: HaltFacts["details"], run: HaltedRun): number {
  const known = [elapsed_s, timeout_s].map((seconds) => (typeof seconds === "number" ? seconds : 0));
  const standard =
    run === null ? Math.max(...Object.values(DEFAULT_TIMEOUTS_S)) : DEFAULT_TIMEOUTS_S[run.stage.current];
  return Math.min(MAX_STAGE_TIMEOUT_S, Math.ceil(Math.max(standard, ...known.map((seconds) => seconds * 2))));
}

function budgetSteps(details: HaltFacts["details"], step: StepMaker, run: HaltedRun): NextStep[] {
  const { unknown_price, budget, would_be } = details;
  const hasReport = run !== null && run.current_report_version_index !== null;
  const read = hasReport ? [step("report show", "read what was found so far")] : [];
  // No raised limit helps where a price is not known.
  if (typeof unknown_price === "string")
    return [step("resume", `continue, once prices in your configuration has ${unknown_price}`), ...read];
  if (typeof budget !== "string" || typeof would_be !== "number") return read;
  const more = Math.ceil(would_be * 2 * 100) / 100;
  const amount = budget.endsWith("_usd") ? more : Math.ceil(more);
  return [step("resume", "allow more and continue", { [budget]: amount }), ...read];
}

function blockedSteps({ gates, ...details }: HaltFacts["details"], step: StepMaker, run: HaltedRun): NextStep[] {
  if (Array.isArray(gates)) {
    const waysOut = run === null ? [] : gates.flatMap((gate: GateVerdict) => waysThrough(gate, run.limits, step));
    if (waysOut.some(({ verb }) => verb === "verify")) return waysOut;
    const isOfReview = run !== null && gates.some(({ gate }: GateVerdict) => gate === "E");
    return [...waysOut, ...(isOfReview ? otherAnswers(run, step) : []), startsAnew(step, run)];
  }
  const input = resumeInput(details);
  if (Object.keys(input).length > 0) return [step("resume", "allow more and continue", input)];
  return [step("resume", triesAgain(details)), step("fork", "go on in a new run; finished steps are kept")];
}

/** What the step that continues has to say again. */
function resumeInput(details: HaltFacts["details"]): StepInput {
  // It was judged when it was given, or made by us.
  return (details["resume_input"] as StepInput | undefined) ?? olderResumeInput(details);
}

/** A gate judges what is stored, so a resume, or a fork that keeps every finished step, would meet the same verdict. */
function startsAnew(step: StepMaker, run: HaltedRun): NextStep {
  return run === null || run.mode === "deep"
    ? step("fork", "ask again, in other words", {}, { question: '"..."' })
    : step("fork", "do the research anew, and more of it", { mode: "deep" });
}

function triesAgain(details: HaltFacts["details"]): string {
  if (typeof details["help"] === "string") return "then try again";
  if (typeof details["model"] === "string") return "try again, once its key and account are in order";
  const { steps } = details;
  if (!Array.isArray(steps)) return "try again";
  return steps.some(failedByModel)
    ? "try again; --model PROVIDER:NAME takes a model that may do better"
    : "try again, once the problem above is fixed";
}

/** The model answered and failed, so asking the same model again helps little. */
function failedByModel(step: unknown): boolean {
  const error = (step as { error?: { code?: unknown; retryable?: unknown } | null }).error;
  return error?.code === "MODEL_FAILED" && error.retryable === false;
}

const MORE_ROUNDS = 2;

/** The ways through a failed gate: judge what was not checked, or change limits. Empty where neither helps. */
function waysThrough({ gate, metrics, reasons }: GateVerdict, limits: Limits, step: StepMaker): NextStep[] {
  const figure = (name: string): number => Number(metrics[name] ?? Number.NaN);
  const share = (figure("contradicted") + figure("not_checked")) / figure(gate === "C" ? "citations" : "claims");
  const use = figure("citations_used") / figure("citations_verified");
  const input: Partial<Limits> = {};
  if (share > limits.max_unsupported_share) input.max_unsupported_share = figure("unsupported_share");
  if (use < limits.min_citation_use) input.min_citation_use = figure("citation_use");
  // Each limit takes away one reason. Only another draft, which the review asked for, takes away the others.
  if (Object.keys(input).length < reasons.length) {
    if (metrics["accepted"] !== false || figure("rounds") >= MAX_ROUNDS) return [];
    input.max_rounds = Math.min(figure("rounds") + MORE_ROUNDS, MAX_ROUNDS);
  }
  return [
    ...(gate === "C" && figure("not_checked") > 0
      ? [step("verify", "judge what could not be checked", { retry: true })]
      : []),
    step("resume", "allow this and continue", input),
  ];
}
