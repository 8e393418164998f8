// The findings of triage in words.
import { shownLine } from "../kernel/shown-text.ts";
import type { TriageAllResult, TriagedRun } from "../operations/triage-all.ts";
import type { Condition, Finding, TriageResult } from "../operations/triage-run.ts";
import type { BlockedUrl } from "../run/blocked-urls.ts";
import { HALT_CODES, type HaltKind } from "../run/halt.ts";
import { blockedText } from "./blocked-text.ts";
import { factText, isNothing } from "./fact-text.ts";
import { adviceOn } from "./halt-advice.ts";
import { shownFact, withBudgetInWords } from "./usage-text.ts";
import { nextText } from "./status-text.ts";
import type { Style } from "./style.ts";
import { count, moment, oneLine, pairs } from "./text.ts";

const SENTENCES: Record<Condition, string> = {
  not_started: "The run was made and not started yet.",
  working: "The run is being worked on and makes progress in time.",
  between_ticks: "The run is well; nobody works on it now. The next tick goes on, if what it searches is in its place.",
  late: "The run is being worked on and makes no progress: it is past its stage's time limit.",
  interrupted: "Work was cut off before it was done. Nothing that was acknowledged is lost.",
  paused: "The run is paused and everything is on disk.",
  halted: "The run stopped and waits.",
  completed: "The run is completed.",
  failed: "The run failed. Its finished steps can go on in a fork.",
  aborted: "The run was ended by a person.",
  request_waits: "A pause or an abort was asked for and is not done yet.",
  failed_attempts: "Steps failed; they are tried again when the run goes on.",
  not_reached: "Some of what was asked for was not reached:",
  damaged: "What is stored does not verify.",
  unreadable: "The run cannot be read.",
};

const HALT_KINDS = Object.keys(HALT_CODES) as HaltKind[];

/** What a halt waits for. */
const HALT_SENTENCES: Partial<Record<HaltKind, string>> = {
  budget: "A budget is reached. What was found so far is kept, and reported if it is anything.",
  quota: "The provider of a model or of documents answers no more for now.",
  tool_outcome_unknown: "A tool call was cut off, and nobody knows whether it took effect. A person has to say.",
  no_evidence: "Nothing that answers the question was found.",
  internal: "A bug in deep-research stopped this run. Its finished steps are kept, and a resume tries again.",
  drift: "The documents, the models or the tool are not what the run was made with.",
};

function kindOf({ kind }: Finding["why"]): HaltKind | undefined {
  return HALT_KINDS.find((known) => known === kind);
}

function sentenceOf({ condition, why }: Finding): string {
  if (why["time_has_come"] === true) return "The time that the run waited for has come: the next tick goes on.";
  const kind = kindOf(why);
  return (condition === "halted" && kind !== undefined ? HALT_SENTENCES[kind] : undefined) ?? SENTENCES[condition];
}

export function triageText({ findings }: TriageResult, style: Style): string {
  return findings.map((finding) => findingText(finding, style)).join("\n");
}

/** For who is woken at night: one block for each run, the first command that helps, and how many are well. */
export function triageAllText({ runs, counts }: TriageAllResult, style: Style): string {
  const blocks = runs.map((run) => blockText(run, style));
  const { looked_at, need_somebody, by_condition, failed_and_forked } = counts;
  const conditions = Object.entries(by_condition)
    .sort(([, a], [, b]) => b - a)
    .map(([condition, number]) => `${number} ${condition.replaceAll("_", " ")}`);
  const forked = failed_and_forked === 0 ? "" : `; ${failed_and_forked} of the failed went on in a fork`;
  const whole = `${count(looked_at, "run")}${conditions.length === 0 ? "" : `: ${conditions.join(", ")}${forked}`}`;
  if (need_somebody === 0) return `${blocks.join("")}${style.good("nobody is needed")}; ${whole}\n`;
  const verdict = style.warn(`${count(need_somebody, "run needs", "runs need")} somebody`);
  return `${blocks.join("")}${verdict}, of ${whole}\n`;
}

function blockText({ run_id, findings }: TriagedRun, style: Style): string {
  const [{ condition, needs_attention, why, next_commands }] = findings;
  const what = condition === "halted" ? `halted: ${String(why["kind"])}` : condition.replaceAll("_", " ");
  const head = needs_attention ? style.warn(what) : what;
  const also = findings.slice(1).flatMap((finding) => (finding.needs_attention ? [SENTENCES[finding.condition]] : []));
  const reason = oneLine(reasonText(why), BLOCK_WIDTH);
  const advice = adviceOnFinding(findings[0]);
  return [
    `${style.bold(run_id)}  ${head}${where(why)}`,
    ...(reason === "" ? [] : [`  ${reason}`]),
    ...also.map((sentence) => `  ${sentence}`),
    ...(advice === null ? [] : [`  first ${shownLine(advice)}, then:`]),
    ...next_commands.slice(0, 1).map((command) => `  ${command}`),
    "",
    "",
  ].join("\n");
}

const BLOCK_WIDTH = 110;

function where({ stage, since, ended_at }: Finding["why"]): string {
  const when = since ?? ended_at;
  const place = typeof stage === "string" ? ` in ${stage}` : "";
  return `${place}${typeof when === "string" ? `, since ${moment(when)}` : ""}`;
}

/** Lists of which each halt has one at the most. */
const LISTS = ["reasons", "gates", "differences", "steps", "looked_for"] as const;

/** Why, from the general to the particular: the failure or the reason, then what a gate or a halt names. */
function reasonText({ failure, details, reason, files, ...rest }: Finding["why"]): string {
  const facts = (details ?? {}) as Record<string, unknown>;
  const { budget, limit, name } = facts;
  const parts = [
    isNothing(rest["retry_at"]) ? undefined : waitText(rest),
    failure ?? facts["reason"] ?? reason ?? files,
    isNothing(limit) ? undefined : `${String(budget)} ${String(limit)}`.replaceAll("_", " "),
    name,
    LISTS.map((list) => facts[list]).find((one) => !isNothing(one)),
  ].filter((part) => !isNothing(part));
  if (parts.length > 0) return parts.map(factText).join(": ");
  if (rest["timed_out"] === true)
    return `no progress for ${String(rest["elapsed_s"])} s, at most ${String(rest["timeout_s"])} s are allowed`;
  return isNothing(rest["lease"]) ? "" : `its lease: ${factText(rest["lease"]).replaceAll("_", " ")}`;
}

function waitText({ retry_at, time_has_come }: Finding["why"]): string {
  const time = moment(String(retry_at));
  return time_has_come === true ? `its time has come, at ${time}` : `until ${time}`;
}

function adviceOnFinding({ condition, why }: Finding): string | null {
  const kind = kindOf(why);
  if (condition !== "halted" || kind === undefined) return null;
  return adviceOn(kind, { ...(why["details"] as object | undefined), retry_at: why["retry_at"] });
}

function findingText(finding: Finding, style: Style): string {
  const { needs_attention, why, next_commands } = finding;
  const sentence = needs_attention ? style.warn(sentenceOf(finding)) : sentenceOf(finding);
  if (finding.condition === "not_reached") return `${sentence}\n${blockedText(why["urls"] as BlockedUrl[])}`;
  const { details, ...rest } = why;
  // The details of a halt are facts like the others.
  const all = { ...rest, ...(details as Record<string, unknown> | undefined) };
  const facts = Object.entries(withBudgetInWords(all)).filter(([, value]) => !isNothing(value));
  return `${sentence}\n${pairs(facts.map(([name, value]) => [name.replaceAll("_", " "), shownFact(name, value)]))}${nextText(next_commands, style, adviceOnFinding(finding))}`;
}
