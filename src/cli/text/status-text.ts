// A run's standing in text: what status, start, run, resume and tick show.
import { stageName } from "../../surface/stage-words.ts";
import { shownLine } from "../../kernel/shown-text.ts";
import type { Standing } from "../../operations/look/conditions.ts";
import type { StatusResult } from "../../operations/look/status.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { STAGES } from "../../run/stage.ts";
import { nextText } from "./next-text.ts";
import { fallbackWarning } from "./evidence-text.ts";
import { ownerText, problemText } from "../../surface/fact-words.ts";
import { firstIn, headlineOf, reasonOf, sentenceOf, type ShownState } from "../../surface/state-words.ts";
import type { Style } from "../terminal/style.ts";
import { oneLine, pairs, paragraph } from "../terminal/layout.ts";
import { count, moment } from "../../surface/words.ts";
import { budgetText, usageText } from "../../surface/usage-words.ts";

const QUESTION_WIDTH = 90;

export function stateText(shown: ShownState, style: Style): string {
  const { words, tone } = headlineOf(shown);
  return tone === "plain" ? words : style[tone](words);
}

export function statusText(run: RunLook, status: StatusResult, standing: Standing, style: Style): string {
  const name = style.bold(run.manifest.run_id);
  const head = paragraph(`${name}  ${stateText({ ...status, ...standing }, style)}`, style.width, "", "  ");
  return `${head}\n${standingRows(run, status, standing, style)}`;
}

/** The same without the line that names the run and its state. */
export function standingRows({ runRoot }: RunLook, status: StatusResult, standing: Standing, style: Style): string {
  const { stage, steps, lease, gates } = status;
  const position = `${STAGES.indexOf(stage.current) + 1} of ${STAGES.length}`;
  const failed = steps.failed === 0 ? "" : `, ${steps.failed} failed`;
  return `${pairs(
    [
      ["now", sentenceOf(standing)],
      ["reason", standing.condition === "halted" ? reasonOf(standing) || null : null],
      ["since", moment(standing.why.since)],
      ["a fork waits", standing.why.fork_waits ?? null],
      ["continued in", standing.why.went_on_in ?? null],
      ["question", oneLine(status.question, QUESTION_WIDTH)],
      [
        "stage",
        `${stageName(stage.current)} (${position})${steps.total === 0 ? "" : `, ${steps.completed} of ${count(steps.total, "step")} done${failed}`}`,
      ],
      ["gates", gatesText(gates, style)],
      ["sources", String(status.counters.sources)],
      ["evidence", fallbackWarning(status.fallbacks, style)],
      ["model", modelText(status)],
      ["spent", usageText(status.usage)],
      ["to come", status.expected_calls === null ? null : `about ${count(status.expected_calls, "call")}`],
      ["budget", budgetText(status.budgets, status.usage)],
      [
        "reports",
        status.current_report_version_index === null
          ? "none yet"
          : `${status.report_versions.length}, current ${status.current_report_version_index}`,
      ],
      ["worked on by", ownerText(lease) ?? "no process"],
      ["waiting", status.pending_requests.length === 0 ? null : status.pending_requests.join(", ")],
      [
        "failure",
        status.last_failure === null
          ? null
          : `${status.last_failure.kind}: ${oneLine(status.last_failure.message, QUESTION_WIDTH)}`,
      ],
      [
        "damaged",
        status.problems.length === 0 ? null : style.bad(`${status.problems.map(problemText).join("; ")} (see verify)`),
      ],
      ["created", moment(status.created_at)],
      ["last change", moment(status.updated_at)],
      ["folder", shownLine(runRoot)],
    ],
    style.width,
  )}${nextText({ first: firstIn(standing), steps: standing.next }, style)}`;
}

/** `compatible:small; verifier openai:gpt-5`; null for drivers that ask none. */
function modelText({ model, role_models }: StatusResult): string | null {
  if (model === null) return null;
  const others = Object.entries(role_models).map(([role, name]) => `${role} ${name}`);
  return shownLine([model, ...others].join("; "));
}

/** `A pass  B pass  C not run`. */
function gatesText(gates: Record<string, string>, style: Style): string {
  const colour = { pass: style.good, fail: style.bad };
  return Object.entries(gates)
    .map(
      ([gate, status]) =>
        `${gate} ${status === "pass" || status === "fail" ? colour[status](status) : style.dim("not run")}`,
    )
    .join("  ");
}
