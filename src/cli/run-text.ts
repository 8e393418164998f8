// What work on a run came to, in text: where the report is, or why there is none and what to do.
import type { RunLook } from "../ports/run-store.ts";
import type { Outcome, RunResult } from "../operations/outcome.ts";
import { fallbacksOf } from "../run/fallbacks.ts";
import { activityOf } from "../run/lifecycle.ts";
import { commandFor, commandsOfHalt } from "../run/next-commands.ts";
import type { ReportVersion } from "../run/report.ts";
import { fallbackWarning } from "./evidence-text.ts";
import { adviceOnHalt } from "./halt-advice.ts";
import { stateText, nextText } from "./status-text.ts";
import type { Style } from "./style.ts";
import { count, pairs } from "./text.ts";
import { budgetText, usageText } from "./usage-text.ts";

/** `further` are rows about what came before the work. */
export function runText(
  { result, run }: Outcome<RunResult>,
  cliInvocation: string,
  style: Style,
  further: readonly [string, string][] = [],
): string {
  if (run === null) return "";
  const { manifest, runRoot, state } = run;
  const halt = manifest.halt;
  const activity = activityOf(manifest, run.lease);
  const standing = stateText({ execution_state: state, halt: haltName(run), activity }, style);
  const next = (verb: string): string => commandFor({ cliInvocation }, verb, runRoot);
  const version = manifest.report_versions.at(-1);
  const report =
    version === undefined
      ? null
      : `${result.report_md_path ?? version.report_file_path} (${version.partial ? "partial, " : ""}${claimsText(version)} from ${count(version.sources, "source")})`;
  const head = `${style.bold(manifest.run_id)}  ${standing}${result.already === undefined ? "" : " already"}\n`;
  const facts = pairs([
    ...further,
    [
      "did",
      `${count(result.steps_completed, "step")} in ${count(result.ticks, "tick")}${result.steps_adopted === 0 ? "" : `, ${result.steps_adopted} adopted`}`,
    ],
    ["stage", manifest.stage.current],
    ["evidence", fallbackWarning(fallbacksOf(manifest.provenance), style)],
    ["spent", usageText(manifest.usage)],
    ["budget", budgetText(manifest.settings.budgets ?? null, manifest.usage)],
    ["stopped by", state === "completed" ? null : stopText(result.stopped_by)],
    ["folder", runRoot],
    ["report", report],
    ["read it", report === null ? null : next("report show")],
    ["verify it", report === null ? null : next("verify")],
    ["check again", version?.not_checked === undefined ? null : `${next("verify")} --retry`],
  ]);
  if (halt !== null) return head + facts + nextText(commandsOfHalt(halt, runRoot), style, adviceOnHalt(halt));
  if (state === "running" || state === "paused" || state === "interrupted")
    return head + facts + nextText([next(state === "running" ? "run" : "resume")], style);
  return head + facts;
}

/** `12 claims`, with those that are not supported. */
function claimsText({ claims, contradicted, not_checked }: ReportVersion): string {
  const doubts = [
    ...(contradicted === undefined ? [] : [`${contradicted} contradicted`]),
    ...(not_checked === undefined ? [] : [`${not_checked} not checked`]),
  ];
  return `${count(claims, "claim")}${doubts.length === 0 ? "" : `, ${doubts.join(" and ")},`}`;
}

const STOPS: Readonly<Record<string, string>> = {
  stage_done: "the end of a stage",
  max_steps: "the limit of steps",
  max_ticks: "the limit of ticks",
  until_stage: "the stage that was asked for",
  lifted: "nothing: it was only lifted",
  halted: "a halt",
  paused: "a pause",
  aborted: "an abort",
  interrupted: "an interruption",
  failed: "a failure",
};

/** Why work ended, as it reads behind "stopped by". */
export function stopText(stoppedBy: string): string {
  return STOPS[stoppedBy] ?? stoppedBy.replaceAll("_", " ");
}

function haltName({ manifest }: RunLook): Parameters<typeof stateText>[0]["halt"] {
  const { halt } = manifest;
  if (halt === null) return null;
  return halt.schema_version === "halt.timeout.v1" ? "timeout" : halt.kind;
}
