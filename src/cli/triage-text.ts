// The findings of triage in words.
import type { Condition, Finding, TriagedRun, TriageResult } from "../operations/triage-run.ts";
import { factText, isNothing } from "./fact-text.ts";
import { nextText } from "./status-text.ts";
import type { Style } from "./style.ts";
import { count, pairs } from "./text.ts";

const SENTENCES: Record<Condition, string> = {
  not_started: "The run was made and not started yet.",
  working: "The run is being worked on and makes progress in time.",
  between_ticks: "The run is well; nobody works on it now. The next tick goes on.",
  late: "The run is being worked on and makes no progress: it is past its stage's time limit.",
  interrupted: "Work was cut off before it was done. Nothing that was acknowledged is lost.",
  paused: "The run is paused and everything is on disk.",
  halted: "The run stopped and waits.",
  completed: "The run is completed.",
  failed: "The run failed. Its finished steps can go on in a fork.",
  aborted: "The run was ended by a person.",
  request_waits: "A request waits for the owner of the run.",
  failed_attempts: "Steps failed and are tried again by the next tick.",
  damaged: "What is stored does not verify.",
};

export function triageText({ findings }: TriageResult, style: Style): string {
  return findings.map((finding) => findingText(finding, style)).join("\n");
}

export function triageAllText({ runs, looked_at }: { runs: TriagedRun[]; looked_at: number }, style: Style): string {
  const shown = runs.map(
    ({ run_id, run_root, findings }) => `${style.bold(run_id ?? run_root)}\n${triageText({ findings }, style)}\n`,
  );
  return `${shown.join("")}${runs.length} of ${count(looked_at, "run")} need${runs.length === 1 ? "s" : ""} somebody\n`;
}

function findingText({ condition, needs_attention, why, next_commands }: Finding, style: Style): string {
  const sentence = needs_attention ? style.warn(SENTENCES[condition]) : SENTENCES[condition];
  const { details, ...rest } = why;
  // The details of a halt are facts like the others.
  const all = { ...rest, ...(details as Record<string, unknown> | undefined) };
  const facts = Object.entries(all).filter(([, value]) => !isNothing(value));
  return `${sentence}\n${pairs(facts.map(([name, value]) => [name.replaceAll("_", " "), factText(value)]))}${nextText(next_commands, style)}`;
}
