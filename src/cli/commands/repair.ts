// deep-research repair
import { shownLine } from "../../kernel/shown-text.ts";
import { foreseeCost, type RepairCost } from "../../operations/care/repair-cost.ts";
import { type RepairResult, repairRun } from "../../operations/care/repair-run.ts";
import { runCommand } from "../command.ts";
import { forPrograms } from "../../surface/advice.ts";
import { confirm, unconfirmed } from "../confirmation.ts";
import { CHANGE_EXITS, DAMAGED } from "../exits.ts";
import { flag } from "../../kernel/field.ts";
import type { Outcome } from "../../operations/outcome.ts";
import { isTerminal } from "../../run/log/lifecycle.ts";
import { nextText } from "../text/next-text.ts";
import { problemLines } from "../../surface/fact-words.ts";
import type { Style } from "../terminal/style.ts";
import { count } from "../../surface/words.ts";
import { wrappedBehind } from "../terminal/layout.ts";

export const command = runCommand({
  description:
    "Rebuilds what is derived from the journal, and moves damaged files to quarantine/. Where the journal is damaged, copy the run first.",
  seeAlso: ["verify", "fork"],
  fields: {
    dry_run: flag("only say what is wrong, and what a repair would cost"),
    yes: flag("do not ask for confirmation, also where records of the journal are lost"),
  },
  examples: [
    ["repair dr_2026 --dry-run", "what is wrong"],
    ["repair dr_2026", "repair it; nothing is deleted, damage goes to quarantine/"],
  ],
  notes: [
    "A repair that loses records, and their reports, names them and asks for confirmation. A script gives --yes.",
  ],
  exits: [...CHANGE_EXITS.filter((exit) => exit !== DAMAGED), [12, "something is missing that no repair can restore"]],
  async run({ host, ports, locate, common, write }, input) {
    const runRoot = await locate(input.run);
    const { dry_run: dryRun, yes } = input;
    const cost = dryRun || yes ? null : await foreseeCost(ports, runRoot);
    if (cost !== null) {
      const text = `${shownLine(runRoot)}\n${costLines(cost).join("\n")}\nCopy the run first, or use a backup if there is one. Repair it?`;
      const { kept_records, lost_records, lost_reports } = cost;
      const facts = { run_root: runRoot, kept_records, lost_records, lost_reports };
      if (!(await confirm(host, common.json, { verb: "repair", text, facts })))
        return unconfirmed("nothing was changed");
    }
    const outcome = await repairRun(ports, runRoot, { dryRun });
    const { result } = outcome;
    return {
      outcome: { ...outcome, result: forPrograms(write, result) },
      text: (style) => repairText({ ...outcome, dryRun }, style),
    };
  },
});

function repairText({ result, run, error, dryRun }: Outcome<RepairResult> & { dryRun: boolean }, style: Style): string {
  const { problems, notes, cost, next } = result;
  if (problems.length + notes.length === 0) return `${style.good("nothing to repair")}\n`;
  const found = [...problems.flatMap(problemLines), ...notes.map((note) => `note: ${note}`)];
  const first = dryRun && cost !== null ? "copy the run, or put a backup in its place; then" : null;
  const advice = nextText({ first, steps: next }, style);
  if (dryRun) {
    const foreseen = cost === null ? [] : costLines(cost).map((line) => style.warn(line));
    return linesText([...found, ...foreseen, "nothing was changed"], style) + advice;
  }
  const { quarantined, rebuilt, given_up, begun_anew, waiting } = result;
  const done = [
    ...rebuilt.map((path) => `rebuilt      ${path}`),
    ...quarantined.map((path) => `quarantined  ${path}`),
    ...given_up.map((path) => `given up     ${path}: a stored message; no result rests on it`),
    ...begun_anew.map((key) => `begun anew   ${key}: its conversations are lost`),
    ...waiting.map((key) =>
      style.warn(`waits        ${key}: resume begins it anew, with tools that it has called once`),
    ),
  ];
  const lost = lostLines(result, run !== null && isTerminal(run.state)).map((line) => style.warn(line));
  // After an error its own next steps are printed.
  return linesText([...found, ...done, ...lost], style) + (error === null ? advice : "");
}

function linesText(lines: readonly string[], { width }: Style): string {
  return `${lines.map((line) => wrappedBehind(line, width)).join("\n")}\n`;
}

/** What a repair would lose. */
function costLines({ kept_records, ends_too_early, lost_records, lost_reports }: RepairCost): string[] {
  const kept = `a repair would keep the first ${count(kept_records, "journal record")}`;
  if (ends_too_early) return [`${kept}; those behind them are missing already`];
  const lost = lost_records === null ? "what is behind them" : `the ${count(lost_records, "record")} behind them`;
  const reports = lost_reports.length === 0 ? [] : [`${reportsText(lost_reports, "would be")} gone`];
  return [`${kept} and lose ${lost}`, ...reports];
}

/** What the repair of the journal lost. */
function lostLines({ dropped_records, quarantined, cost }: RepairResult, hasEnded: boolean): string[] {
  if (dropped_records === 0) return [];
  if (cost?.ends_too_early === true)
    return [
      `${count(dropped_records, "record")} behind the first ${cost.kept_records} ${dropped_records === 1 ? "is" : "are"} missing; resume redoes what they held`,
    ];
  const path = quarantined.find((one) => one.startsWith("quarantine/journal")) ?? "quarantine/";
  const records =
    dropped_records === 1 ? "1 damaged record was" : `1 damaged record and the ${dropped_records - 1} behind it were`;
  const reports = cost?.lost_reports ?? [];
  const gone = reports.length === 0 ? "" : `; ${reportsText(reports, reports.length === 1 ? "is" : "are")} gone`;
  const redone = hasEnded ? (gone === "" ? "" : "; report generate makes another") : "; resume redoes what is lost";
  return [`${records} set aside in ${path}${gone}${redone}`];
}

function reportsText(versions: readonly number[], verb: string): string {
  return `${versions.length === 1 ? "report" : "reports"} ${versions.join(", ")} ${verb}`;
}
