// The next steps of a halt, from its kind and its details: first the commands that continue, then the read-only ones.
import type { GateVerdict } from "../log/gate.ts";
import { failedStepsIn, type HaltDetails, type KnownHalt } from "../log/halt-details.ts";
import type { Manifest } from "../log/manifest.ts";
import { stepsOn, type NextStep, type StepInput, type StepMaker } from "./next-step.ts";
import { olderResumeInput } from "./older-halts.ts";
import { otherAnswers } from "./other-answers.ts";
import { MAX_ROUNDS, DEFAULT_TIMEOUTS_S, MAX_STAGE_TIMEOUT_S } from "../stage.ts";
import { hasPlanner, type Limits } from "../settings/settings.ts";

/** The halted run; null where only the error of the halt is known. */
export type HaltedRun = Pick<
  Manifest,
  "mode" | "settings" | "limits" | "stage" | "steps" | "current_report_version_index"
> | null;

/** No step leads straight back to the halt: where a person has to do something first, `why` says what. */
export function haltSteps(halt: KnownHalt, runRoot: string, run: HaltedRun): NextStep[] {
  const step = stepsOn(runRoot);
  const views = [step("inspect", "see every step and failure"), step("triage", "see what is wrong")];
  const ways = waysOn(halt, step, runRoot, run);
  // A failed run waits for nothing, so a person first wants to know why it failed.
  return halt.kind === "timeout" ? [...views, ...ways] : [...ways, ...views];
}

function waysOn(halt: KnownHalt, step: StepMaker, runRoot: string, run: HaltedRun): NextStep[] {
  switch (halt.kind) {
    case "timeout":
      return [
        step("fork", "a new run with more time; finished steps are kept", {
          stage_timeout: enoughTime(halt.details, run),
        }),
      ];
    case "drift": {
      const input = resumeInput(halt.details);
      const accept = step("resume", "continue with what is there now", { ...input, on_drift: "continue" });
      return run?.settings.policies.on_drift === "fork"
        ? [step("resume", "make a new run over what is there now", { ...input, on_drift: "fork" }), accept]
        : [accept, step("fork", "make a new run over what is there now", input)];
    }
    case "no_evidence":
      // A fork with the same question would search the same documents, and find nothing again.
      return [
        step("resume", searchesAgain(halt.details)),
        step("fork", "ask again, in words that the documents use", {}, { question: '"..."' }),
      ];
    case "tool_outcome_unknown": {
      const { call } = halt.details;
      if (call === undefined) return [];
      return [
        step("settle", "if you find that the call did its work", { call, assume_done: true }),
        step("settle", "if not: call it once more", { call, replay: true }),
      ];
    }
    case "quota":
      return halt.retry_at === undefined
        ? [step("resume", "try again, once the account allows it; the provider names no time")]
        : [step("resume", "try now, without waiting for that time")];
    case "budget":
      return budgetSteps(halt.details, step, run);
    case "internal":
      return [
        step("resume", "try again, best after an upgrade"),
        step("fork", "continue in a new run; finished steps are kept"),
      ];
    case "agent_required":
      return [...answersDue(runRoot, halt.details.waiting ?? []), step("tick", "continue, once all answers are in")];
    case "human_review":
      return [
        step("approve", "continue with the plan as it is"),
        step("approve", `continue with an edited copy of ${halt.details.draft ?? "it"}`, {}, { input: "FILE" }),
        ...(run !== null && hasPlanner(run.settings)
          ? [step("approve", "have it made again, as one sentence of yours says", {}, { "": '"..."' })]
          : []),
      ];
    case "gate_blocked":
      return blockedSteps(halt, step, run);
  }
}

function searchesAgain({ searched }: HaltDetails<"no_evidence">): string {
  return searched?.length === 0
    ? "search again, once more providers are set up in your configuration"
    : "search again, once the corpus has more documents";
}

/** One step for each answer that is waited for. */
export function answersDue(
  runRoot: string,
  waiting: NonNullable<HaltDetails<"agent_required">["waiting"]>,
): NextStep[] {
  const step = stepsOn(runRoot);
  return waiting.map(({ key, name, prompt }) => {
    const why = `submit the answer to ${runRoot}/${prompt}`;
    return step("agent-result", why, { step: key, prompt: name }, { input: "-", agent_run_id: "ID" });
  });
}

/** Twice the time that was too short, and never less than the default of the stage. */
function enoughTime({ elapsed_s = 0, timeout_s = 0 }: HaltDetails<"timeout">, run: HaltedRun): number {
  const standard =
    run === null ? Math.max(...Object.values(DEFAULT_TIMEOUTS_S)) : DEFAULT_TIMEOUTS_S[run.stage.current];
  return Math.min(MAX_STAGE_TIMEOUT_S, Math.ceil(Math.max(standard, elapsed_s * 2, timeout_s * 2)));
}

function budgetSteps(
  { unknown_price, budget, would_be }: HaltDetails<"budget">,
  step: StepMaker,
  run: HaltedRun,
): NextStep[] {
  const hasReport = run !== null && run.current_report_version_index !== null;
  const read = hasReport ? [step("report show", "read what was found so far")] : [];
  // No raised limit helps where a price is not known.
  if (unknown_price !== undefined)
    return [step("resume", `continue, once prices in your configuration has ${unknown_price}`), ...read];
  if (budget === undefined || would_be === undefined) return read;
  const more = Math.ceil(would_be * 2 * 100) / 100;
  const amount = budget.endsWith("_usd") ? more : Math.ceil(more);
  return [step("resume", "allow more and continue", { [budget]: amount }), ...read];
}

function blockedSteps(halt: KnownHalt<"gate_blocked">, step: StepMaker, run: HaltedRun): NextStep[] {
  const { gates } = halt.details;
  if (gates !== undefined) {
    const waysOut = run === null ? [] : gates.flatMap((gate) => waysThrough(gate, run.limits, step));
    if (waysOut.some(({ verb }) => verb === "verify")) return waysOut;
    const isOfReview = run !== null && gates.some(({ gate }) => gate === "E");
    return [...waysOut, ...(isOfReview ? otherAnswers(run, step) : []), startsAnew(step, run)];
  }
  const input = resumeInput(halt.details);
  if (Object.keys(input).length > 0) return [step("resume", "allow more and continue", input)];
  return [step("resume", triesAgain(halt)), step("fork", "continue in a new run; finished steps are kept")];
}

/** What the step that continues has to say again. */
function resumeInput(details: HaltDetails<"drift" | "gate_blocked">): StepInput {
  return details.resume_input ?? olderResumeInput(details);
}

/** A gate judges what is stored, so a resume, or a fork that keeps every finished step, would meet the same verdict. */
function startsAnew(step: StepMaker, run: HaltedRun): NextStep {
  return run === null || run.mode === "deep"
    ? step("fork", "ask again, in other words", {}, { question: '"..."' })
    : step("fork", "do the research anew, and more of it", { mode: "deep" });
}

function triesAgain(halt: KnownHalt<"gate_blocked">): string {
  if (halt.details.help !== undefined) return "then try again";
  if (halt.details.model !== undefined) return "try again, once its key and account are in order";
  const steps = failedStepsIn(halt);
  if (steps.length === 0) return "try again";
  // A model that answered and failed would fail again.
  return steps.some(({ error }) => error?.code === "MODEL_FAILED" && error.retryable === false)
    ? "try again; --model PROVIDER:NAME takes a model that may do better"
    : "try again, once the problem above is fixed";
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
  // Each limit takes away one reason. Only another draft, which the review requests, takes away the others.
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
