// The words of a session. The server writes them, so that the script of the page stays small.
import type { RunLook } from "../ports/run-log.ts";
import type { StatusResult } from "../operations/look/status.ts";
import { STAGES } from "../run/stage.ts";
import { STAGE_NAMES } from "../surface/stage-words.ts";
import { budgetText, usageText } from "../surface/usage-words.ts";
import { count, duration, fallbackText, moment } from "../surface/words.ts";

const GATE_NAMES: Record<string, string> = {
  A: "The plan covers the question",
  B: "Every subject has findings",
  C: "Every quote is in its source",
  D: "Every subject has a summary",
  E: "Every claim rests on evidence",
  F: "Everything that is stored verifies",
};
const GATE_STATES: Record<string, string> = { pass: "passed", fail: "failed", not_run: "open" };
const MAX_BLOCKERS = 12;

/** `halt`: its retry time and its blockers. */
export function shownOf(
  run: RunLook,
  status: StatusResult,
  halt: { retry_at?: string | undefined; blockers?: readonly unknown[] | undefined } | null,
) {
  const { usage, counters, fallbacks, budgets } = status;
  const { steps_completed: done, steps_adopted: adopted } = counters;
  const provider = run.manifest.provenance.at(-1);
  return {
    stages: stagesOf(run, status),
    gates: Object.entries(status.gates).map(([gate, state]) => ({
      gate,
      state,
      name: GATE_NAMES[gate] ?? "",
      words: GATE_STATES[state] ?? state,
    })),
    /** What was used so far, and how much of each budget. */
    usage: [
      ["Models", usageText(usage) ?? "none called"],
      ["Budget", budgetText(budgets, usage)],
      ["Worked", `${duration((usage.worked_ms ?? 0) + openTickMs(run, status))} in ${count(status.ticks, "tick")}`],
      ["Steps", `${done} done${adopted > 0 ? `, ${adopted} adopted` : ""}`],
    ].flatMap(([name = "", words]) => (words == null ? [] : [{ name, words }])),
    provider:
      provider === undefined
        ? null
        : {
            name: provider.resolved_provider_id,
            why:
              provider.resolved_from === "default" ? "by default" : `by the settings of the ${provider.resolved_from}`,
          },
    /** Which provider replaced which. */
    fallbacks: fallbackText(fallbacks),
    /** Why it does not continue, beyond the sentence on its state, a line each. */
    reasons: reasonsOf(run, status, halt),
  };
}

/** What a tick has worked counts once it has ended; until then the clock counts. */
function openTickMs({ manifest: { tick }, now_ms }: RunLook, { activity }: StatusResult): number {
  return activity === "ticking" && tick.started_at !== null ? Math.max(0, now_ms - Date.parse(tick.started_at)) : 0;
}

function stagesOf({ state }: RunLook, { stage, steps }: StatusResult) {
  const at = STAGES.indexOf(stage.current);
  return STAGES.map((id, index) => {
    const isCurrent = index === at && state !== "completed";
    const far = isCurrent && steps.total > 0 ? `${steps.completed} of ${steps.total}` : "";
    return { name: STAGE_NAMES[id], state: isCurrent ? "current" : index <= at ? "done" : "", far };
  });
}

function reasonsOf({ manifest, state }: RunLook, { last_failure }: StatusResult, halt: Parameters<typeof shownOf>[2]) {
  const { retry_at, blockers = [] } = halt ?? {};
  const { reason } = manifest.state_history.at(-1) ?? {};
  return [
    ...(state === "failed" && last_failure !== null ? [last_failure.message] : []),
    ...(state === "aborted" && reason !== undefined ? [`Reason: ${reason}`] : []),
    ...(retry_at === undefined ? [] : [`It continues by itself at ${moment(retry_at)}.`]),
    ...blockers.slice(0, MAX_BLOCKERS).map(blockerText),
  ];
}

/** What is in the way, as the halt says it. */
function blockerText(blocker: unknown): string {
  if (typeof blocker !== "object" || blocker === null) return String(blocker);
  const facts = Object.entries(blocker).filter(([, value]) => typeof value !== "object");
  return facts.map(([name, value]) => `${name}: ${value}`).join(", ");
}
