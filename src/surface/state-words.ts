// Words for the state of a run and for why it stopped: a short headline, and a sentence.
import { HALT_KINDS, type HaltKind, isModelUnreachable } from "../run/log/halt.ts";
import type { Standing, StateCondition } from "../operations/look/standing.ts";
import type { StatusResult } from "../operations/look/status.ts";
import type { Condition, Finding } from "../operations/look/triage-run.ts";
import { diskSentence, firstOn, writeHint } from "./error-hints.ts";
import { moment } from "./words.ts";

/** Stand behind "stopped:". */
const HALT_HEADLINES: Record<HaltKind, string> = {
  agent_required: "an outside agent has to do a step",
  human_review: "a person has to review it",
  gate_blocked: "a check did not pass",
  no_evidence: "no evidence found",
  drift: "the documents or the settings changed",
  tool_outcome_unknown: "the outcome of a tool call is unknown",
  budget: "budget reached",
  quota: "quota used up",
  timeout: "time limit",
  internal: "a bug in deep-research",
};

const MODEL_UNREACHABLE = "the model server does not answer";

export function haltHeadline(kind: HaltKind, isModelUnreachable: boolean): string {
  return isModelUnreachable ? MODEL_UNREACHABLE : HALT_HEADLINES[kind];
}

export type ShownState = Pick<Standing, "condition" | "needs_attention"> &
  Pick<StatusResult, "halt" | "model_unreachable" | "problems" | "activity" | "answered">;

export interface Headline {
  words: string;
  /** Each surface has its own colours for it. */
  tone: "plain" | "good" | "warn" | "bad";
}

const HEADLINES: Record<StateCondition, Headline> = {
  not_started: { words: "not started", tone: "plain" },
  working: { words: "running", tone: "good" },
  held: { words: "running, held by a process", tone: "good" },
  silent: { words: "running, but its owner does not answer", tone: "warn" },
  late: { words: "running, past its time limit", tone: "warn" },
  between_ticks: { words: "waiting for the next tick", tone: "plain" },
  corpus_missing: { words: "waiting for its corpus", tone: "warn" },
  cannot_write: { words: "stopped: nothing can be written", tone: "warn" },
  interrupted: { words: "interrupted", tone: "warn" },
  paused: { words: "paused", tone: "warn" },
  halted: { words: "stopped", tone: "warn" },
  completed: { words: "completed", tone: "good" },
  failed: { words: "failed", tone: "bad" },
  aborted: { words: "aborted", tone: "warn" },
};

/** `stopped: no evidence found (needs you)`; `waiting for the next tick`; the same words in every look. */
export function headlineOf(shown: ShownState): Headline {
  const { words, tone } = headlineOfState(shown);
  if (shown.problems.length > 0) return { words: `${words}, damaged`, tone: "bad" };
  return shown.activity === "reporting" ? { words: `writing a report; ${words}`, tone: "good" } : { words, tone };
}

function headlineOfState({ condition, needs_attention, halt, model_unreachable, answered }: ShownState): Headline {
  const { words, tone } = HEADLINES[condition];
  if (condition === "completed" && answered === "nearest") return { words: `${words}, not answered`, tone: "warn" };
  if (condition === "failed" && halt === "timeout") return { words: `${words}: ${haltHeadline(halt, false)}`, tone };
  if (condition !== "halted") return { words, tone };
  const why = halt === null ? "" : `: ${haltHeadline(halt, model_unreachable)}`;
  return { words: `${words}${why}${needs_attention ? " (needs you)" : ""}`, tone };
}

/** What happened and what it waits for. */
const HALT_SENTENCES: Record<HaltKind, string> = {
  agent_required: "The run stopped: an outside agent has to do the next step.",
  human_review: "The run stopped: a person has to review it.",
  gate_blocked: "The run stopped: a gate did not pass, or a step failed.",
  no_evidence: "The run stopped: nothing that was found answers the question.",
  drift: "The run stopped: the documents, the models or the tool are not those it was made with.",
  tool_outcome_unknown: "The run stopped: a tool call was cut off, and nobody knows whether it took effect.",
  budget: "The run stopped: a budget is reached. What was found so far is kept.",
  quota: "The run stopped: a provider answers no more for now.",
  timeout: "The run failed: a stage made no progress within its time limit.",
  internal: "A bug in deep-research stopped this run. Its finished steps are kept.",
};

export const SENTENCES: Record<Condition, string> = {
  not_started: "Made and not started yet: waits for `run`.",
  working: "Being worked on, and making progress in time.",
  held: "A process holds the run and works on no step yet: it reads the corpus, or makes one small change.",
  silent: "The process that works on the run does not answer. Once its lease has run out, another one may continue.",
  between_ticks: "Healthy, between ticks. The next tick continues it.",
  corpus_missing: "The run waits for its corpus.",
  cannot_write: "The run cannot go on: nothing can be written where it lies.",
  late: "Being worked on without progress: the stage is past its time limit.",
  // The sentence is true also after a repair that lost records.
  interrupted: "Its work was cut off. What its journal holds is kept.",
  paused: "Paused, and everything is on disk: waits for `resume`.",
  halted: "The run stopped and waits.",
  completed: "Completed.",
  failed: "The run failed. Its finished steps are kept for a fork.",
  aborted: "A person ended the run.",
  request_waits: "A pause, an abort or an answer that was handed in waits to be taken up.",
  failed_attempts: "Steps failed; they are tried again when the run continues.",
  not_reached: "Some of what was asked for was not reached:",
  damaged: "What is stored does not verify.",
  unreadable: "The run cannot be read.",
};

/** The kind of the halt that a finding is about. */
export function kindOf({ kind }: Finding["why"]): HaltKind | undefined {
  return HALT_KINDS.find((known) => known === kind);
}

/** What happened, and what the run waits for. */
export function sentenceOf({ condition, why }: Pick<Finding, "condition" | "why">): string {
  if (why["is_reporting"] === true)
    return `A report is being written from what was found. The run itself stays as it is: ${HEADLINES[condition as StateCondition].words}.`;
  if (why["time_has_come"] === true) return "The time that the run waited for has come: the next tick continues it.";
  if (condition === "corpus_missing") {
    const corpus = `its corpus: ${String(why["path"])} ${why["found"] === "empty" ? "is empty" : "is not there"}`;
    return why["state"] === "idle"
      ? `Not started yet: it waits for ${corpus}. Once it is back, \`run\` starts it.`
      : `The run waits for ${corpus}. Once it is back, the next tick goes on.`;
  }
  const disk = condition === "cannot_write" ? diskSentence(why, "written") : null;
  if (disk !== null) return `The run cannot go on: ${disk}.`;
  const { forked_from } = why;
  if (condition === "not_started" && typeof forked_from === "string")
    return `A fork of ${forked_from} that was not started: it waits for \`run\`, and no tick begins it.`;
  if (condition === "interrupted") {
    const waits =
      why["policy"] === "hold" ? 'Its policy is "hold": it waits for `resume`.' : "The next tick continues it.";
    return `${SENTENCES.interrupted} ${waits}`;
  }
  if (condition === "silent" && typeof why["until"] === "string")
    return `The process that works on the run does not answer. Its lease holds until ${moment(why["until"])}; then another process may continue.`;
  const kind = kindOf(why);
  if (condition !== "halted" || kind === undefined) return SENTENCES[condition];
  return isModelUnreachable(why) ? `The run stopped: ${MODEL_UNREACHABLE}.` : HALT_SENTENCES[kind];
}

/** What a person has to do, or that nothing is to be done; null where the commands say it. */
export function firstIn({ condition, why }: Pick<Finding, "condition" | "why">): string | null {
  if (condition === "cannot_write") return writeHint({ ...why, command: "resume" });
  if (condition !== "halted") return null;
  const { details, retry_at, time_has_come, state } = why;
  if (time_has_come === true) return "nothing to do: the next tick continues it";
  const waits = state === undefined && typeof retry_at === "string" ? retry_at : undefined;
  return firstOn({ details: (details ?? {}) as Record<string, unknown>, retry_at: waits });
}
