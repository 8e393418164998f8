// Words for each kind of halt: a short headline, a sentence, and what a person does first.
import type { HaltKind } from "../run/log/halt-kinds.ts";
import { isModelUnreachable, type KnownHalt, namedObstacles } from "../run/log/halt-details.ts";
import { factText, isSaidIn, shownFact } from "./fact-words.ts";
import { limitText } from "./usage-words.ts";
import { moment } from "./words.ts";

interface Words {
  /** Follows "stopped:". */
  headline: string;
  /** What happened and what it waits for. */
  sentence: string;
}

const WORDS: Record<HaltKind, Words> = {
  agent_required: {
    headline: "an outside agent has to do a step",
    sentence: "The run stopped: an outside agent has to do the next step.",
  },
  human_review: { headline: "a person has to review it", sentence: "The run stopped: a person has to review it." },
  gate_blocked: {
    headline: "a check did not pass",
    sentence: "The run stopped: a gate did not pass, or a step failed.",
  },
  no_evidence: {
    headline: "no evidence found",
    sentence: "The run stopped: nothing that was found answers the question.",
  },
  drift: {
    headline: "the documents or the settings changed",
    sentence: "The run stopped: the documents, the models or the tool are not those it was made with.",
  },
  tool_outcome_unknown: {
    headline: "the outcome of a tool call is unknown",
    sentence: "The run stopped: a tool call was cut off, and it is not known whether it took effect.",
  },
  budget: {
    headline: "budget reached",
    sentence: "The run stopped: a budget is reached. What was found so far is kept.",
  },
  quota: { headline: "quota used up", sentence: "The run stopped: a provider answers no more for now." },
  timeout: { headline: "time limit", sentence: "The run failed: a stage made no progress within its time limit." },
  internal: {
    headline: "a bug in deep-research",
    sentence: "A bug in deep-research stopped this run. Its finished steps are kept.",
  },
};

const MODEL_UNREACHABLE = "the model server does not answer";

export function haltHeadline(kind: HaltKind, isModelUnreachable: boolean): string {
  return isModelUnreachable ? MODEL_UNREACHABLE : WORDS[kind].headline;
}

export function headlineOfHalt(halt: KnownHalt): string {
  return haltHeadline(halt.kind, isModelUnreachable(halt));
}

export function haltSentence(halt: KnownHalt): string {
  return isModelUnreachable(halt) ? `The run stopped: ${MODEL_UNREACHABLE}.` : WORDS[halt.kind].sentence;
}

/** Why, in a few words: the reason, and what is in the way. */
export function haltReason(halt: KnownHalt): string {
  const { reason } = halt.details;
  const [name, obstacles = []] = namedObstacles(halt);
  return [
    reason,
    halt.kind === "budget" ? limitText(halt.details.budget, halt.details.limit) : undefined,
    halt.kind === "tool_outcome_unknown" ? halt.details.name : undefined,
    obstacles.length === 0 || isSaidIn(reason, obstacles) ? undefined : shownFact(name, obstacles),
  ]
    .flatMap((part) => (part === undefined || part === "" ? [] : [factText(part)]))
    .join(": ");
}

/** What a person has to do first, where no command does it. */
export function firstAfterHalt(halt: KnownHalt): string | null {
  if ((halt.kind === "gate_blocked" || halt.kind === "quota") && halt.details.help !== undefined)
    return halt.details.help;
  if (halt.kind === "internal") return "a bug stopped it: please report it with the facts above";
  return halt.retry_at === undefined
    ? null
    : `nothing to do: continues by itself after ${halt.retry_at.slice(11, 19)} UTC`;
}

/** When time ends the halt, or has ended it; nothing for all others. */
export function waitText({ retry_at }: KnownHalt, hasCome: boolean): string {
  if (retry_at === undefined) return "";
  return hasCome ? `its time has come, at ${moment(retry_at)}` : `until ${moment(retry_at)}`;
}
