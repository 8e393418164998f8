// Why a halted run stopped, in words: short ones for a headline, a sentence for who looks.
import type { HaltKind } from "../../run/halt.ts";

/** Behind "stopped:". */
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

export function haltSentence(kind: HaltKind, isModelUnreachable: boolean): string {
  return isModelUnreachable ? `The run stopped: ${MODEL_UNREACHABLE}.` : HALT_SENTENCES[kind];
}
