// Text about the end of work on a run: the place of the report, or why there is none and what to do.
import { stageName } from "../../surface/stage-words.ts";
import { shownLine } from "../../kernel/shown-text.ts";
import type { Outcome, RunResult } from "../../operations/outcome.ts";
import { standingOf } from "../../operations/look/standing.ts";
import { statusFrom } from "../../operations/look/status.ts";
import type { Ports } from "../../ports/ports.ts";
import { fallbacksOf } from "../../run/log/provenance.ts";
import { stepsOn } from "../../run/next-steps/next-step.ts";
import type { ReportVersion } from "../../run/report/report-version.ts";
import { fallbackWarning } from "./evidence-text.ts";
import { nextText } from "./next-text.ts";
import { stateText } from "./status-text.ts";
import type { Style } from "../terminal/style.ts";
import { count } from "../../surface/words.ts";
import { budgetText, usageText } from "../../surface/usage-words.ts";
import { pairs, paragraph } from "../terminal/layout.ts";

/** `further`: rows about what happened before the work. */
export async function runText(
  ports: Ports,
  { result, run, error }: Outcome<RunResult>,
  style: Style,
  further: readonly [string, string][] = [],
): Promise<string> {
  if (run === null) return "";
  const { manifest, runRoot, state } = run;
  const shown = { ...statusFrom(run), ...standingOf(ports, run) };
  const step = stepsOn(runRoot);
  const version = manifest.report_versions.at(-1);
  const report =
    version === undefined
      ? null
      : `${shownLine(result.report_md_path ?? version.report_file_path)} (${version.partial ? "partial, " : ""}${claimsText(version)} from ${count(version.sources, "source")})`;
  const title = `${style.bold(manifest.run_id)}  ${stateText(shown, style)}${result.already === undefined ? "" : " already"}`;
  const head = `${paragraph(title, style.width, "", "  ")}\n`;
  const facts = pairs(
    [
      ...further,
      [
        "did",
        `${count(result.steps_completed, "step")} in ${count(result.ticks, "tick")}${result.steps_adopted === 0 ? "" : `, ${result.steps_adopted} adopted`}`,
      ],
      ["stage", stageName(manifest.stage.current)],
      ["evidence", fallbackWarning(fallbacksOf(manifest.provenance), style)],
      ["spent", usageText(manifest.usage)],
      ["budget", budgetText(manifest.settings.budgets ?? null, manifest.usage)],
      ["ended", state === "completed" ? null : stopText(result.stopped_by, manifest.stage.current)],
      ["folder", shownLine(runRoot)],
      ...(result.answer === undefined ? [["report", report] satisfies [string, string | null]] : []),
    ],
    style.width,
  );
  const answer =
    result.answer === undefined ? "" : await answerText(result.answer, pairs([["report", report]], style.width), style);
  // The next steps after an error or a halt are printed with the error.
  if (error !== null) return head + facts;
  const steps = [
    ...(report === null
      ? []
      : [step("report show", "read the report"), step("verify", "check it down to the sources")]),
    ...(version?.not_checked === undefined ? [] : [step("verify", "judge what could not be checked", { retry: true })]),
    ...(state === "running" ? [step("run", "continue until it stops")] : []),
    ...(state === "paused" || state === "interrupted" ? [step("resume", "continue where it stopped")] : []),
  ];
  return head + facts + answer + nextText({ first: null, steps }, style);
}

/** What was requested, and below it where the whole is. */
async function answerText(answer: string, report: string, { width, hasColours, inAscii }: Style): Promise<string> {
  if (width === null) return `\n${answer}\n\n${report}`;
  const { renderedMarkdown } = await import("../terminal/rendered-markdown.ts");
  return `\n${renderedMarkdown(answer, { columns: width, hasColours, inAscii }).trimEnd()}\n\n${report}`;
}

/** `12 claims`, with those that are not supported. */
function claimsText({ claims, contradicted, not_checked, answered }: ReportVersion): string {
  if (answered === "nearest") return "no answer: what came nearest";
  const doubts = [
    ...(contradicted === undefined ? [] : [`${contradicted} contradicted`]),
    ...(not_checked === undefined ? [] : [`${not_checked} not checked`]),
  ];
  return `${count(claims, "claim")}${doubts.length === 0 ? "" : `, ${doubts.join(" and ")},`}`;
}

/** Why the work ended, and at which stage. */
export function stopText(stoppedBy: string, at: string): string {
  const stage = stageName(at);
  switch (stoppedBy) {
    case "stage_done":
    case "max_ticks":
      return `advanced to ${stage}`;
    case "max_steps":
      return `the steps allowed are done, in ${stage}`;
    case "until_stage":
      return `stopped at ${stage}, as requested`;
    case "handed_on":
      return "handed on: a worker of the store continues it";
    case "lifted":
      return "lifted, and not continued, as requested";
    default:
      return `${stoppedBy.replaceAll("_", " ")} in ${stage}`;
  }
}
