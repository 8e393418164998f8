// deep-research triage
import { stageName } from "../../surface/stage-words.ts";
import { triageAll, type TriageAllResult, type TriagedRun } from "../../operations/look/triage-all.ts";
import type { Finding } from "../../operations/look/conditions.ts";
import { type TriageResult, triageRun } from "../../operations/look/triage-run.ts";
import { STAGES } from "../../run/stage.ts";
import { runCommand } from "../command.ts";
import { forPrograms } from "../../surface/advice.ts";
import { LOOK_EXITS } from "../exits.ts";
import { flag } from "../../kernel/field.ts";
import { refuseBesideAll } from "../options/options.ts";
import { blockedText } from "../text/evidence-text.ts";
import { isNothing, isSaidIn, shownFact } from "../../surface/fact-words.ts";
import { nextText, stepLines } from "../text/next-text.ts";
import { headlineOfHalt } from "../../surface/halt-words.ts";
import { firstIn, reasonOf, sentenceOf, shortHeadline } from "../../surface/state-words.ts";
import { withBudgetInWords } from "../../surface/usage-words.ts";
import type { Style } from "../terminal/style.ts";
import { oneLine, pairs, paragraph } from "../terminal/layout.ts";
import { RunError } from "../../kernel/errors.ts";
import { shownLine } from "../../kernel/shown-text.ts";
import { count, moment } from "../../surface/words.ts";

export const command = runCommand({
  description:
    "Says what is wrong, with the facts behind it and commands to paste. It reads the journal of a run; verify reads everything.",
  seeAlso: ["status", "inspect", "resume", "repair"],
  fields: {
    all: flag("every run that needs attention, the worst first"),
    deep: flag("with --all: read also the journals of runs that have ended"),
  },
  examples: [
    ["triage", "the newest run"],
    ["triage --all", "every run that needs attention, the worst first, and how many are well"],
    ["triage --all --deep", "the same, and damage in the journals of runs that have ended"],
  ],
  exits: LOOK_EXITS,
  async run(context, input) {
    const inFull = (finding: Finding) => forPrograms(context.write, finding);
    if (input.all) {
      refuseBesideAll(input);
      const outcome = await triageAll(context.ports, context.runsRoot(), { deep: input.deep });
      const { runs, counts } = outcome.result;
      const full = runs.map((run) => ({ ...run, findings: run.findings.map(inFull) }));
      return {
        outcome: { ...outcome, result: { runs: full, counts } },
        text: (style) => triageAllText(outcome.result, style),
      };
    }
    if (input.deep)
      throw new RunError("INVALID_ARGS", {
        reason: "one run is always read whole: --deep goes with --all",
        option: "--deep",
      });
    const runRoot = await context.locate(input.run);
    const outcome = await triageRun(context.ports, runRoot);
    const findings = outcome.result.findings.map(inFull);
    const name = shownLine(outcome.run?.manifest.run_id ?? runRoot);
    return { outcome: { ...outcome, result: { findings } }, text: (style) => triageText(outcome.result, style, name) };
  },
});

/** `run`: what the run is called, where it is to be named. */
export function triageText({ findings }: TriageResult, style: Style, run: string | null = null): string {
  return findings.map((finding, index) => findingText(finding, style, index === 0 ? run : null)).join("\n");
}

/** A block for each run that needs attention, with the first command that helps; then how many runs are well. */
export function triageAllText({ runs, counts }: TriageAllResult, style: Style): string {
  const blocks = runs.map((run) => blockText(run, style));
  const { looked_at, need_somebody, by_condition, went_on_in_fork } = counts;
  const conditions = Object.entries(by_condition)
    .sort(([, a], [, b]) => b - a)
    .map(([condition, number]) => `${number} ${condition.replaceAll("_", " ")}`);
  const forked = went_on_in_fork === 0 ? "" : `; ${went_on_in_fork} of them continued in a fork`;
  const whole = `${count(looked_at, "run")}${conditions.length === 0 ? "" : `: ${conditions.join(", ")}${forked}`}`;
  const verdict =
    need_somebody === 0
      ? `${style.good("no run needs attention")}; ${whole}`
      : `${style.warn(`${count(need_somebody, "run needs", "runs need")} attention`)}, of ${whole}`;
  return `${blocks.join("")}${paragraph(verdict, style.width)}\n`;
}

function blockText({ run_id, findings }: TriagedRun, style: Style): string {
  const [main, ...others] = findings;
  const { condition, needs_attention, why, next } = main;
  const what = condition === "halted" ? `stopped: ${headlineOfHalt(why)},` : shortHeadline(main);
  const head = needs_attention ? style.warn(what) : what;
  const also = others.flatMap((finding) => (finding.needs_attention ? [sentenceOf(finding)] : []));
  const first = firstIn(main);
  const steps = first !== null && condition === "halted" && !needs_attention ? [] : next.slice(0, 1);
  const lines = [oneLine(reasonOf(main), MAX_REASON), ...also, first ?? ""].filter((line) => line !== "");
  return [
    `${paragraph(`${style.bold(run_id)}  ${head}${where(main)}`, style.width, "", "  ")}\n`,
    ...lines.map((line) => `${paragraph(line, style.width, "  ")}\n`),
    stepLines(steps, style),
    "\n",
  ].join("");
}

const MAX_REASON = 110;

function where({ why }: Finding): string {
  const stage = STAGES.find((one) => "stage" in why && why.stage === one);
  const place = stage === undefined ? "" : ` in ${stageName(stage)}`;
  return `${place}${why.since === undefined ? "" : `, since ${moment(why.since)}`}`;
}

function findingText(finding: Finding, style: Style, run: string | null): string {
  const { condition, needs_attention, why, next } = finding;
  const words = paragraph(sentenceOf(finding), style.width);
  const sentence = needs_attention ? style.warn(words) : words;
  if (condition === "not_reached") return `${sentence}\n${blockedText(why.urls, style)}`;
  const { details, ...rest }: { details?: object } = condition === "halted" ? { ...why } : { ...why, details: {} };
  // The details of a halt are facts like the others.
  const all: Readonly<Record<string, unknown>> = { ...rest, ...details };
  const facts = Object.entries({ reason: undefined, ...withBudgetInWords(withStageLimit(all)) }).filter(
    ([name, value]) => name !== "unreachable" && !isNothing(value) && !isSaidIn(all["reason"], value),
  );
  const rows = facts.map(([name, value]): [string, string] => [
    name.replaceAll("_", " "),
    isTime(value) ? moment(value) : shownFact(name, value),
  ]);
  const shown = rows.filter(([, words]) => words !== "");
  return `${sentence}\n${pairs([["run", run], ...shown], style.width)}${nextText({ first: firstIn(finding), steps: next }, style)}`;
}

/** Programs get how the time of a stage is measured; people see how much of it is used. */
function withStageLimit(facts: Record<string, unknown>): Record<string, unknown> {
  const { timed_out, elapsed_s, timeout_s, timer_origin_field, timer_origin, measured, ...others } = facts;
  const isMeasured = timed_out !== undefined && [timer_origin_field, timer_origin, measured].every(Boolean);
  return isMeasured
    ? { ...others, stage_limit: `${Math.round(Number(elapsed_s))} of ${String(timeout_s)} s used` }
    : facts;
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value);
}
