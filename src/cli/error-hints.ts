// What to do next about an error, where that depends on its facts.
import type { ErrorFacts } from "../kernel/errors.ts";
import { shellQuote } from "../kernel/shell.ts";
import { executionStateSchema, isTerminal, mayReportManually } from "../run/lifecycle.ts";
import { adviceOn } from "./halt-advice.ts";

/** A command on the run that the facts name, as it stands. */
export function on(facts: ErrorFacts, cliInvocation: string, verb: string, ...flags: string[]): string {
  const run = typeof facts["run_root"] === "string" ? shellQuote(facts["run_root"]) : "<run>";
  return [cliInvocation, verb, run, ...flags].join(" ");
}

/** The same of every run root that a sweep over many runs names. */
export function onEach(facts: ErrorFacts, cliInvocation: string, verb: string): string {
  const roots = Array.isArray(facts["run_roots"]) ? (facts["run_roots"] as string[]) : [facts["run_root"]];
  return roots.map((run_root) => on({ run_root }, cliInvocation, verb)).join("; ");
}

export function usageHint(facts: ErrorFacts, cli: string): string {
  const command = typeof facts["command"] === "string" ? ` ${facts["command"]}` : "";
  if (typeof facts["not_in_this_version"] === "string") {
    return `this belongs to ${facts["not_in_this_version"]}, which is not in this version; what is: ${cli}${facts["option"] === undefined ? "" : command} --help`;
  }
  if (typeof facts["provider"] === "string" && Array.isArray(facts["keys"]))
    return `set one of these variables, or a page or SearXNG under providers in your configuration: ${cli} doctor`;
  if (facts["provider"] !== undefined && facts["option"] === "--sensitivity")
    return `list what may be reached under allowed_hosts in your own configuration${facts["stdio_servers"] === undefined ? "" : "; a server over stdio that opens no connection may be used when its settings say is_offline: true"}`;
  if (facts["provider"] === "mcp" && facts["option"] === undefined && facts["unset_variable"] === undefined)
    return `set the server up under providers in your own configuration: ${cli} doctor`;
  if (facts["corpus_moved"] === true)
    return `if it lies elsewhere now: ${on(facts, cli, "resume", "--corpus", "PATH")}`;
  if (facts["option"] === "--config") return "name a file that is there: --config FILE";
  if (typeof facts["path"] === "string" && (typeof facts["errno"] === "string" || Array.isArray(facts["skipped"])))
    return "name a folder or a file that is there and that this user may read: --corpus PATH";
  if (typeof facts["file"] === "string" && facts["trust"] === true)
    return `say it in the user's file or on the command line, or trust this folder: --trust-workspace; all settings: ${cli} doctor`;
  if (typeof facts["file"] === "string" && facts["did_you_mean"] === undefined)
    return `correct ${facts["file"]}; all settings: ${cli} doctor`;
  if (typeof facts["did_you_mean"] === "string") return `did you mean ${meant(facts, facts["did_you_mean"])}?`;
  if (typeof facts["unset_variable"] === "string") return `set ${facts["unset_variable"]} to the provider's key`;
  if (facts["variable"] === "HOME") return "set HOME, or DEEP_RESEARCH_RUNS_ROOT to a folder, or give --runs-root DIR";
  if (typeof facts["variable"] === "string") return `correct or unset ${facts["variable"]}`;
  return `see ${cli}${command} --help`;
}

/** A value stands behind its option, unless it names one itself. */
function meant({ option }: ErrorFacts, suggestion: string): string {
  return typeof option === "string" && !/^["-]/.test(suggestion) ? `${option} ${suggestion}` : suggestion;
}

export function notFoundHint(facts: ErrorFacts, cli: string): string {
  if (Array.isArray(facts["versions"]))
    return facts["versions"].length > 0
      ? `see the versions: ${on(facts, cli, "report list")}`
      : noReportHint(facts, cli);
  if (facts["waiting"] !== undefined) return `see which one waits: ${on(facts, cli, "triage")}`;
  if (facts["step"] !== undefined) return `see the steps: ${on(facts, cli, "inspect")}`;
  const root = typeof facts["runs_root"] === "string" ? ` --runs-root ${shellQuote(facts["runs_root"])}` : "";
  return facts["runs"] === 0
    ? `begin one (a start that was cut off before it made its run is simply repeated): ${cli} start "<question>" --corpus PATH`
    : `see what there is: ${cli} list${root}; a start that was cut off before it made its run is simply repeated`;
}

/** A run that rests may be asked for a report, one that works brings it. */
function noReportHint(facts: ErrorFacts, cli: string): string {
  const state = executionStateSchema.options.find((one) => one === facts["state"]) ?? "running";
  if (!mayReportManually(state)) return `a run that goes on brings one: ${on(facts, cli, "run")}`;
  const generate = `write one from what was found: ${on(facts, cli, "report generate")}`;
  return isTerminal(state) ? generate : `${generate}; or go on: ${on(facts, cli, "resume")}`;
}

export function haltHint(facts: ErrorFacts, cli: string): string {
  return `see why and what to do: ${on(facts, cli, "triage")}`;
}

/** A gate, replies of a model that were cut off, or a provider of models that refuses the key or the account. */
export function gateHint(facts: ErrorFacts, cli: string): string {
  if (typeof facts["help"] === "string") return `${facts["help"]}, then: ${on(facts, cli, "resume")}`;
  if (typeof facts["resume_with"] === "string")
    return `allow more and go on: ${on(facts, cli, "resume", facts["resume_with"])}`;
  if (Array.isArray(facts["steps"])) return stepsHint(facts, cli);
  if (typeof facts["model"] !== "string") return haltHint(facts, cli);
  return `see to the key and the account (doctor with the same --model tries them), then: ${on(facts, cli, "resume")}`;
}

/** Of steps that failed: why and what to do; where a model did not do its work, that another may. */
function stepsHint(facts: ErrorFacts, cli: string): string {
  const advice = adviceOn("gate_blocked", facts);
  return `${haltHint(facts, cli)}${advice === null ? "" : `; ${advice}, then: ${on(facts, cli, "resume")}`}`;
}

export function settleHint(facts: ErrorFacts, cli: string): string {
  if (typeof facts["call"] !== "string") return haltHint(facts, cli);
  const settle = on(facts, cli, "settle", "--call", shellQuote(facts["call"]));
  return `look whether it did its work, then: ${settle} --assume-done; or let it run once more: ${settle} --replay`;
}

export function budgetHint(facts: ErrorFacts, cli: string): string {
  const { next_commands, report_version } = facts;
  const advice = adviceOn("budget", facts);
  if (advice !== null) return `${advice}, then: ${on(facts, cli, "resume")}`;
  const raise = Array.isArray(next_commands) ? next_commands[0] : undefined;
  if (typeof raise !== "string") return haltHint(facts, cli);
  const report = typeof report_version === "number" ? `; what was found so far: ${on(facts, cli, "report show")}` : "";
  return `allow more and go on: ${raise}${report}`;
}

export function quotaHint(facts: ErrorFacts, cli: string): string {
  if (typeof facts["run_root"] !== "string") return "repeat later";
  const advice = adviceOn("quota", facts);
  return advice !== null
    ? `${advice}, then: ${on(facts, cli, "resume")}`
    : `cron goes on by itself after the time named above; or: ${on(facts, cli, "tick")}`;
}

export function noEvidenceHint(facts: ErrorFacts, cli: string): string {
  return `${adviceOn("no_evidence", facts)}, then: ${on(facts, cli, "resume")}; or ask in its words: ${on(facts, cli, "fork", "--question", '"..."')}`;
}

export function repairHint(facts: ErrorFacts, cli: string): string {
  if (facts["hard_linked"] === true)
    return "copy the run's folder with a plain copy, not with hard links, and work on the copy";
  if (facts["repaired"] === true)
    return `no repair brings this back: copy it from a backup, or go on in a new run: ${on(facts, cli, "fork")}`;
  return `see what a repair would do: ${on(facts, cli, "repair", "--dry-run")}`;
}
