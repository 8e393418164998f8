// Gives up stored messages that are lost: the attempts that would read them fail, and nothing else rests on them.
import { knownHalt } from "../run/log/halt-details.ts";
import type { AnyRecord, RecordDraft } from "../run/log/record.ts";
import { isTerminal } from "../run/log/lifecycle.ts";
import { isOfConversation } from "../run/log/layout.ts";
import type { Manifest } from "../run/log/manifest.ts";
import type { StepError } from "../run/log/step.ts";
import { ConversationLog, mayHaveActed, type CallFacts } from "./conversation-log.ts";

export interface GivenUp {
  /** Files that nothing needs any more. */
  paths: string[];
  /** The records by which the attempts fail that would have read one of the files. */
  drafts: RecordDraft[];
  /** Steps that begin their conversations anew. */
  begun_anew: string[];
  /** Steps that begin them anew only when a person resumes the run. */
  waiting: string[];
}

/** `missing`: content files of any kind that are gone, relative to the run root. */
export function giveUpLost(
  manifest: Readonly<Manifest>,
  records: readonly AnyRecord[],
  missing: readonly string[],
): GivenUp {
  const given: GivenUp = { paths: missing.filter(isOfConversation), drafts: [], begun_anew: [], waiting: [] };
  if (isTerminal(manifest.execution_state)) return given;
  const { underWay } = new ConversationLog(records);
  for (const [key, { stage, state, attempts: attempt, inputs_digest }] of Object.entries(manifest.steps)) {
    const own = underWay.filter(({ place }) => place.key === key && place.inputs_digest === inputs_digest);
    const isLost = own.some(({ paths }) => paths.some((path) => given.paths.includes(path)));
    if (state === "completed" || !isLost) continue;
    const risky = own.flatMap(({ calls }) => calls).filter(mayHaveActed);
    (risky.length === 0 ? given.begun_anew : given.waiting).push(key);
    given.drafts.push(...haltOver(manifest, key), {
      kind: "step.failed",
      data: { key, stage, attempt, error: lossOf(risky) },
    });
  }
  return given;
}

function lossOf(risky: readonly CallFacts[]): StepError {
  const lost = "a stored message of this attempt is lost";
  const calls = risky.map(({ call, completed }) => `${call.name}: ${completed?.outcome ?? "its outcome is not known"}`);
  const message =
    calls.length === 0
      ? `${lost}; the next one begins its conversations anew`
      : `${lost}, and it has called a tool that is not safe to repeat (${calls.join(", ")}), so it begins anew only when a person requests it`;
  return { code: "MISSING_ARTIFACT", message, retryable: calls.length === 0 };
}

/** Lifts the halt over a call of the lost conversation, since that call can no longer be settled. */
function haltOver({ halt }: Readonly<Manifest>, key: string): RecordDraft[] {
  const known = halt === null ? null : knownHalt(halt);
  if (known?.kind !== "tool_outcome_unknown" || known.details.key !== key) return [];
  return [{ kind: "halt.cleared", data: { kind: known.kind, reason: "its conversation is lost" } }];
}
