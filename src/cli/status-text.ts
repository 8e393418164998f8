// A run's standing in text: what status, start, run, resume and tick show.
import type { StatusResult } from "../operations/status.ts";
import type { RunLook } from "../ports/run-store.ts";
import { commandsOfHalt } from "../run/next-commands.ts";
import { STAGES } from "../run/stage.ts";
import { clean } from "./fact-text.ts";
import type { Style } from "./style.ts";
import { count, moment, oneLine, pairs } from "./text.ts";
import { budgetText, usageText } from "./usage-text.ts";

const QUESTION_WIDTH = 90;

/** `running, halted: gate_blocked`; `running, no tick open`; else the state. */
export function stateText(
  status: Pick<StatusResult, "execution_state" | "halt" | "tick_is_open">,
  style: Style,
): string {
  const { execution_state: state, halt, tick_is_open } = status;
  if (halt !== null && halt !== "timeout") return style.warn(`${state}, halted: ${halt}`);
  switch (state) {
    case "running":
      return tick_is_open ? style.good(state) : "running, no tick open";
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
    (command) => !command.includes(` ${verb} `),
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
    ["model", status.model === null ? null : clean(status.model)],
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
    ["what stays", status.halt === "timeout" ? "every finished step: a fork goes on from them" : null],
    ["created", moment(status.created_at)],
    ["last change", moment(status.updated_at)],
    ["folder", runRoot],
  ])}${nextText(next, style)}`;
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

/** Commands as they stand, each on its own line. */
export function nextText(commands: readonly string[], style: Style): string {
  return commands.length === 0 ? "" : `${style.bold("next:")}\n${commands.map((command) => `  ${command}\n`).join("")}`;
}
