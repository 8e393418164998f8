// A run's standing in text: what status, start, run, resume and tick show.
import { shownLine } from "../kernel/shown-text.ts";
import type { StatusResult } from "../operations/status.ts";
import type { RunLook } from "../ports/run-store.ts";
import { commandsOfHalt, isBareCommand } from "../run/next-commands.ts";
import { STAGES } from "../run/stage.ts";
import { fallbackWarning } from "./evidence-text.ts";
import { adviceOnHalt } from "./halt-advice.ts";
import type { Style } from "./style.ts";
import { count, moment, oneLine, pairs } from "./text.ts";
import { budgetText, usageText } from "./usage-text.ts";

const QUESTION_WIDTH = 90;

/** `running, halted: gate_blocked`; `running, reading its corpus`; `running, no tick open`; else the state. */
export function stateText(status: Pick<StatusResult, "execution_state" | "halt" | "activity">, style: Style): string {
  const { execution_state: state, halt, activity } = status;
  if (halt !== null && halt !== "timeout") return style.warn(`${state}, halted: ${halt}`);
  switch (state) {
    case "running":
      if (activity === "none") return "running, no tick open";
      return style.good(activity === "ticking" ? state : "running, reading its corpus");
    case "completed":
      return style.good(state);
    case "failed":
      return style.bad(halt === "timeout" ? "failed: timeout" : state);
    case "interrupted":
    case "paused":
    case "aborted":
      return style.warn(state);
    case "idle":
      return "idle, not started";
  }
}

/** `verb` is the command that shows this: it is not named as the next one. */
export function statusText(
  { manifest, runRoot }: RunLook,
  status: StatusResult,
  style: Style,
  verb: "status" | "inspect" = "status",
): string {
  const { stage, steps, lease, gates } = status;
  const position = `${STAGES.indexOf(stage.current) + 1} of ${STAGES.length}`;
  const next = (manifest.halt === null ? [] : commandsOfHalt(manifest.halt, runRoot)).filter(
    (command) => !isBareCommand(command, verb, runRoot),
  );
  const failed = steps.failed === 0 ? "" : `, ${steps.failed} failed`;
  return `${style.bold(manifest.run_id)}  ${stateText(status, style)}\n${pairs([
    ["question", oneLine(status.question, QUESTION_WIDTH)],
    [
      "stage",
      `${stage.current} (${position})${steps.total === 0 ? "" : `, ${steps.completed} of ${count(steps.total, "step")} done${failed}`}`,
    ],
    ["gates", gatesText(gates, style)],
    ["sources", String(status.counters.sources)],
    ["evidence", fallbackWarning(status.fallbacks, style)],
    ["model", modelText(status)],
    ["spent", usageText(status.usage)],
    ["budget", budgetText(status.budgets, status.usage)],
    [
      "reports",
      status.current_report_version_index === null
        ? "none yet"
        : `${status.report_versions}, current ${status.current_report_version_index}`,
    ],
    [
      "worked on by",
      lease.held_by === null
        ? "nobody"
        : `process ${lease.held_by.pid} on ${lease.held_by.hostname ?? "an unknown host"}`,
    ],
    ["waiting", status.pending_requests.length === 0 ? null : status.pending_requests.join(", ")],
    [
      "failure",
      status.last_failure === null
        ? null
        : `${status.last_failure.kind}: ${oneLine(status.last_failure.message, QUESTION_WIDTH)}`,
    ],
    [
      "damaged",
      status.problems.length === 0
        ? null
        : style.bad(
            `${status.problems.map(({ path, found }) => `${path}: ${shownLine(found)}`).join("; ")} (see verify)`,
          ),
    ],
    ["what stays", status.halt === "timeout" ? "every finished step: a fork goes on from them" : null],
    ["created", moment(status.created_at)],
    ["last change", moment(status.updated_at)],
    ["folder", runRoot],
  ])}${nextText(next, style, manifest.halt === null ? null : adviceOnHalt(manifest.halt))}`;
}

/** `compatible:small; verifier openai:gpt-5`; null for drivers that ask none. */
function modelText({ model, role_models }: StatusResult): string | null {
  if (model === null) return null;
  const others = Object.entries(role_models).map(([role, name]) => `${role} ${name}`);
  return shownLine([model, ...others].join("; "));
}

/** `A pass  B pass  C not run`. */
export function gatesText(gates: Record<string, string>, style: Style): string {
  const colour = { pass: style.good, fail: style.bad };
  return Object.entries(gates)
    .map(
      ([gate, status]) =>
        `${gate} ${status === "pass" || status === "fail" ? colour[status](status) : style.dim("not run")}`,
    )
    .join("  ");
}

/** Commands as they stand, each on its own line; `advice` is what a person sees to before the first of them. */
export function nextText(commands: readonly string[], style: Style, advice: string | null = null): string {
  if (commands.length === 0) return "";
  const head = `${style.bold("next:")}${advice === null ? "" : ` ${shownLine(advice)}, then`}`;
  return `${head}\n${commands.map((command) => `  ${command}\n`).join("")}`;
}
