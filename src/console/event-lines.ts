// The line of an event in the journal of the page. A kind of record without a tone does not compile.
import type { RecordKind } from "../run/log/record.ts";

export type Tone = "plain" | "soft" | "good" | "warn" | "bad";

const EVENT_TONES: Record<RecordKind | "report.published", Tone> = {
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

/** The most useful fields, in the order in which they are shown. */
const SHOWN_FIRST = [
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

export interface EventLine {
  tone: Tone;
  text: string;
}

export function lineOf({ event, data }: { event: string; data: unknown }): EventLine {
  return event in EVENT_TONES ? { tone: toneOf(event, data), text: textOf(data) } : { tone: "soft", text: "" };
}

function toneOf(event: string, data: unknown): Tone {
  const { status, outcome, to } = data as Record<string, unknown>;
  if (status === "fail" || outcome === "failed" || to === "failed") return "bad";
  if (status === "pass" || to === "completed") return "good";
  if (to === "interrupted" || to === "paused" || to === "aborted") return "warn";
  return EVENT_TONES[event as keyof typeof EVENT_TONES];
}

function textOf(data: unknown): string {
  const fields = (data ?? {}) as Record<string, unknown>;
  const inner = (fields["source"] ?? fields["halt"] ?? fields["report"] ?? fields["error"] ?? {}) as typeof fields;
  const all = { ...inner, ...fields, name: fields["name"] ?? inner["title"] ?? inner["message"] };
  const words = SHOWN_FIRST.flatMap((name) => {
    const value = (all as typeof fields)[name];
    if (typeof value === "string" || typeof value === "number") return String(value);
    return [];
  });
  return words.join("  ").slice(0, MAX_LENGTH);
}
