// Every kind of journal record with its tone in the journal; a kind that is not named here does not compile.
import type { RecordKind } from "../../run/record.ts";

export type Tone = "plain" | "soft" | "good" | "warn" | "bad";

export const EVENT_TONES: Record<RecordKind | "report.published", Tone> = {
  "run.created": "plain",
  "settings.changed": "plain",
  "state.changed": "plain",
  "lease.taken": "soft",
  "tick.started": "soft",
  "tick.ended": "soft",
  "stage.planned": "soft",
  "stage.entered": "plain",
  "step.started": "soft",
  "step.completed": "good",
  "step.failed": "bad",
  "step.waiting": "warn",
  "step.answered": "plain",
  "step.reopened": "plain",
  "step.adopted": "good",
  "source.stored": "plain",
  "url.blocked": "warn",
  "engine.answered": "soft",
  "plan.approved": "good",
  "provider.resolved": "soft",
  "tool.declared": "soft",
  "gate.judged": "plain",
  "halt.raised": "bad",
  "halt.cleared": "good",
  "request.pause": "warn",
  "request.abort": "warn",
  "request.result": "soft",
  "message.stored": "soft",
  "tool.requested": "soft",
  "tool.completed": "soft",
  "tool.replay_allowed": "soft",
  "usage.reserved": "soft",
  "usage.settled": "soft",
  "report.published": "good",
  "report.selected": "plain",
  "manifest.patched": "plain",
  "drift.accepted": "warn",
  "damage.met": "bad",
  "repair.done": "warn",
};

/** Not durable: pieces of replies as they come, and waits of all calls. */
export const PASSING_EVENTS = ["text", "reasoning", "tool_call_delta", "wait"];

/** The fields that tell most, in the order in which they are read. */
const TELLING = [
  "key",
  "gate",
  "status",
  "from",
  "to",
  "kind",
  "name",
  "role",
  "model",
  "outcome",
  "stage",
  "tick",
  "stopped_by",
  "version_index",
  "url",
  "answered_provider_id",
  "resolved_provider_id",
  "tokens",
  "cost_usd",
  "reason",
];
const MAX_LENGTH = 160;

/** An event in one line. */
export function eventText(data: unknown): string {
  const fields = (data ?? {}) as Record<string, unknown>;
  const inner = (fields["source"] ?? fields["halt"] ?? fields["report"] ?? fields["error"] ?? {}) as typeof fields;
  const all = { ...inner, ...fields, name: fields["name"] ?? inner["title"] ?? inner["message"] };
  const words = TELLING.flatMap((name) => {
    const value = (all as typeof fields)[name];
    if (typeof value === "string" || typeof value === "number") return String(value);
    return [];
  });
  return words.join("  ").slice(0, MAX_LENGTH);
}
