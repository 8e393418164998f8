// Hints for errors whose next step depends on the facts.
import type { ErrorFacts } from "../kernel/errors.ts";
import { shellQuote } from "../kernel/shell.ts";
import type { HaltKind } from "../run/log/halt.ts";
import { haltSteps } from "../run/next-steps/halt-steps.ts";
import { executionStateSchema, isTerminal, mayReportManually } from "../run/log/lifecycle.ts";
import { type StepInput, stepsOn } from "../run/next-steps/next-step.ts";
import { type Advice, doNext, say } from "./advice.ts";

/** Makes steps on the run that the facts name; without one, `RUN` stands in its place. */
export function on({ run_root }: ErrorFacts): ReturnType<typeof stepsOn> {
  if (typeof run_root === "string") return stepsOn(run_root);
  return (verb, why, input, asks) => alone(verb, why, input, { "": "RUN", ...asks });
}

/** Steps that name no run. */
const alone = stepsOn(null);

/** The same step on every run root that a sweep over many runs names. */
export function onEach(facts: ErrorFacts, verb: string, why: string, input?: StepInput): Advice {
  const roots = Array.isArray(facts["run_roots"]) ? (facts["run_roots"] as string[]) : [facts["run_root"]];
  return doNext(...roots.map((run_root) => on({ run_root })(verb, why, input)));
}

/** What somebody has to say for a new run. */
const TO_START = { "": '"<question>"', corpus: "PATH" };
const DOCTOR = alone("doctor", "see every setting and where it comes from", { all: true });

export function usageHint(facts: ErrorFacts): Advice {
  const command = typeof facts["command"] === "string" ? facts["command"] : null;
  const help = command === null ? alone("--help", "list the commands") : alone(command, "see its help", { help: true });
  if (Array.isArray(facts["run_ids"])) return doNext(alone("list", "list the runs"));
  if (typeof facts["token_file"] === "string") return doNext(alone("serve", "replace it", { new_token: true }));
  if (typeof facts["token_folder"] === "string")
    return say(`make it yours alone: chmod 700 ${shellQuote(facts["token_folder"])}, or set XDG_STATE_HOME`);
  if (typeof facts["mended"] === "string") return doNext(alone(facts["mended"], "the same, confirmed"));
  if (typeof facts["provider"] === "string" && Array.isArray(facts["keys"]))
    return {
      first: "set one of these variables, or name a page or SearXNG under providers in your configuration",
      steps: [DOCTOR],
    };
  if (facts["provider"] !== undefined && facts["option"] === "--sensitivity")
    return say(
      `list what may be reached under allowed_hosts in your own configuration${facts["stdio_servers"] === undefined ? "" : "; a server over stdio that opens no connection may be used when its settings say is_offline: true"}`,
    );
  if (facts["provider"] === "mcp" && facts["option"] === undefined && facts["unset_variable"] === undefined)
    return { first: "set the server up under providers in your own configuration", steps: [DOCTOR] };
  if (facts["option"] === "--max-cost-usd" && facts["model"] !== undefined)
    return say("give its price under prices in your configuration, or limit --max-tokens or --max-calls instead");
  if (typeof facts["address"] === "string")
    return say(
      facts["address"].startsWith("file:")
        ? "name the path alone, without file://"
        : "save the page and name its file, or research the web: --provider web, with the address under providers.web.seeds in your configuration",
    );
  const corpus = corpusHint(facts);
  if (corpus !== null) return corpus;
  if (facts["missing"] === "corpus" && (command === "start" || command === "init"))
    return doNext(alone(command, "name what it may read", {}, TO_START));
  if (facts["option"] === "--config") return say("name a file that exists: --config FILE");
  if (Array.isArray(facts["skipped"]) && facts["skipped"].length > 0)
    return say(
      "save what it holds as .docx, .pdf, .csv or .txt in UTF-8, or name another folder or file: --corpus PATH",
    );
  if (typeof facts["path"] === "string" && (typeof facts["errno"] === "string" || Array.isArray(facts["skipped"])))
    return say("name a folder or a file that exists and that this user may read: --corpus PATH");
  if (typeof facts["asked"] === "string" && Array.isArray(facts["takes"]))
    return say(`${facts["asked"]} takes ${facts["takes"].join(", ") || "no arguments"}`);
  if (typeof facts["adds"] === "string")
    return say(
      `for the person to decide, not for the agent: add ${facts["adds"]}, or --trust-agent to the command of this server`,
    );
  if (typeof facts["file"] === "string" && facts["trust"] === true)
    return {
      first: "move it to the user's file or the command line, or trust this folder: --trust-workspace",
      steps: [DOCTOR],
    };
  if (typeof facts["file"] === "string" && facts["did_you_mean"] === undefined)
    return { first: `correct ${facts["file"]}`, steps: [DOCTOR] };
  if (typeof facts["did_you_mean"] === "string") return say(`did you mean ${meant(facts, facts["did_you_mean"])}?`);
  if (typeof facts["unset_variable"] === "string") return say(`set ${facts["unset_variable"]} to the provider's key`);
  if (facts["variable"] === "HOME")
    return say("set HOME, or DEEP_RESEARCH_RUNS_ROOT to a folder, or give --runs-root DIR");
  if (typeof facts["variable"] === "string") return say(`correct or unset ${facts["variable"]}`);
  return doNext(help);
}

/** Advice for a run whose corpus cannot be read any more. */
export function corpusHint(facts: ErrorFacts): Advice | null {
  if (facts["corpus_moved"] !== true) return null;
  return doNext(on(facts)("resume", "continue, if the corpus lies elsewhere now", {}, { corpus: "PATH" }));
}

export function corpusSentence({ corpus_moved, reason, path }: ErrorFacts): string | null {
  return corpus_moved === true && typeof path === "string" ? `${String(reason)}: ${path}` : null;
}

/** Puts a suggested value behind its option, unless the suggestion is an option itself. */
function meant({ option }: ErrorFacts, suggestion: string): string {
  return typeof option === "string" && !/^["-]/.test(suggestion) ? `${option} ${suggestion}` : suggestion;
}

export function notFoundHint(facts: ErrorFacts): Advice {
  if (Array.isArray(facts["versions"]))
    return facts["versions"].length > 0 ? doNext(on(facts)("report list", "list the versions")) : noReportHint(facts);
  if (facts["waiting"] !== undefined) return doNext(on(facts)("triage", "see what waits"));
  if (facts["step"] !== undefined) return doNext(on(facts)("inspect", "list the steps"));
  if (facts["file"] !== undefined) return doNext(on(facts)("show", "list the files"));
  const root = typeof facts["runs_root"] === "string" ? { runs_root: facts["runs_root"] } : {};
  const first = "if `start` was interrupted early, run it again";
  return facts["runs"] === 0
    ? { first, steps: [alone("start", "begin a run", root, TO_START)] }
    : { first, steps: [alone("list", "list the runs", root)] };
}

/** True for a run that was to be stopped before it was started. */
export function hasNotBegun({ state, wanted }: ErrorFacts): boolean {
  return state === "idle" && (wanted === "paused" || wanted === "aborted");
}

export function stateHint(facts: ErrorFacts): Advice {
  const step = on(facts);
  if (hasNotBegun(facts))
    return doNext(
      facts["wanted"] === "aborted"
        ? step("remove", "delete it", { yes: true })
        : step("run", "start it, if you want to"),
    );
  return doNext(
    facts["state"] === "interrupted"
      ? step("resume", "continue where it stopped")
      : step("triage", "see where it stands"),
  );
}

/** A run that rests may be asked for a report, one that works brings it. */
function noReportHint(facts: ErrorFacts): Advice {
  const state = executionStateSchema.options.find((one) => one === facts["state"]) ?? "running";
  const step = on(facts);
  if (!mayReportManually(state, facts["is_halted"] === true ? facts : null))
    return doNext(step("run", "finish the run to get a report"));
  const generate = step("report generate", "write one from what was found");
  return doNext(generate, ...(isTerminal(state) ? [] : [step("resume", "continue where it stopped")]));
}

/** Judges by the facts of the error alone: a caller that knows the run reads its stored halt instead. */
export function haltHint(kind: HaltKind): (facts: ErrorFacts) => Advice {
  return (facts) => {
    const { run_root, retry_at } = facts;
    if (typeof run_root !== "string")
      return kind === "quota" ? say("repeat later") : doNext(on(facts)("triage", "see what is wrong"));
    // Asked for a report too early, or of a run that ended without anything.
    const state = executionStateSchema.safeParse(facts["state"]).data;
    if (kind === "no_evidence" && state !== undefined && facts["is_halted"] !== true) {
      const step = on(facts);
      return doNext(isTerminal(state) ? step("fork", "go on in a new run") : step("resume", "continue the research"));
    }
    const known = { kind, details: facts, retry_at: typeof retry_at === "string" ? retry_at : undefined };
    return { first: firstOn(known), steps: haltSteps(known, run_root, null) };
  };
}

/** What a person has to do first, where no command does it. */
export function firstOn({
  details,
  retry_at,
}: Pick<Parameters<typeof haltSteps>[0], "details" | "retry_at">): string | null {
  if (typeof details["help"] === "string") return details["help"];
  if (details["stack"] !== undefined) return "a bug stopped it: please report it with the facts above";
  return retry_at === undefined ? null : `nothing to do: continues by itself after ${retry_at.slice(11, 19)} UTC`;
}

export function repairHint(facts: ErrorFacts): Advice {
  if (facts["bundle"] !== undefined)
    return say("copy the bundle anew from where it came from, or capture the run again; nothing was written");
  if (facts["hard_linked"] === true)
    return say("copy the run's folder with a plain copy, not with hard links, and work on the copy");
  const step = on(facts);
  if (facts["journal_lost"] === true) {
    const shown = Array.isArray(facts["readable_reports"]) ? [step("report show", "read its report")] : [];
    return {
      first: "put the journal back from a backup: nothing else can bring it back; without one",
      steps: [...shown, step("remove", "delete what is left of the run")],
    };
  }
  if (facts["may_be_allowed"] === true)
    return {
      first: "to have it all the same, say --allow-damaged",
      steps: [
        facts["repaired"] === true
          ? step("triage", "see what can be done")
          : step("verify", "see everything that is damaged"),
      ],
    };
  if (facts["repaired"] !== true) return doNext(step("repair", "see what a repair would do", { dry_run: true }));
  const fork = step("fork", "continue in a new run without what is missing");
  return { first: "no repair brings this back: copy it from a backup, or", steps: [fork] };
}

/** Words for the error of the operating system. */
const ERRNO_WORDS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "this user has no room left on the disk",
  EROFS: "the file system is read-only",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EIO: "the disk failed",
  ENOENT: "its folder is not there",
  ENOTDIR: "a part of its path is no folder",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EFBIG: "a file may not grow that large here",
};

/** Says which file or folder failed and why; null where the facts do not say both. */
export function diskSentence(facts: ErrorFacts, done: "written" | "read"): string | null {
  const { output, path, run_root, errno } = facts;
  const place = [output, path, run_root].find((one) => typeof one === "string");
  const words = typeof errno === "string" ? ERRNO_WORDS[errno] : undefined;
  return place === undefined || words === undefined ? null : `${place} could not be ${done}: ${words}`;
}

/** Commands that may put what they write elsewhere. */
const MAKES_RUNS: ReadonlySet<unknown> = new Set(["start", "init", "fork"]);

export function writeHint(facts: ErrorFacts): string {
  const elsewhere =
    facts["output"] !== undefined
      ? ", or name another --output"
      : facts["command"] === undefined || MAKES_RUNS.has(facts["command"])
        ? ", or choose another --runs-root"
        : "";
  if (facts["taken"] !== undefined)
    return "the disk is probably full: make room, then repeat; what was acknowledged is kept";
  switch (facts["errno"]) {
    case "ENOSPC":
    case "EDQUOT":
      return `make room on the disk${elsewhere}, then repeat the command; what was acknowledged is kept`;
    case "EACCES":
    case "EPERM":
      return `allow this user to write there${elsewhere}; then repeat`;
    case "EROFS":
      return `mount it so that it can be written${elsewhere}; then repeat`;
    case "ENOENT":
    case "ENOTDIR":
      return facts["output"] === undefined
        ? "choose another --runs-root, in a folder that is there; then repeat"
        : "make the folder first, or name a file in one that is there";
    case "EMFILE":
    case "ENFILE":
      return "raise the limit of open files (ulimit -n), then repeat";
    case "EPIPE":
      return "the reader of the output went away; what was stored is kept";
    default:
      return "see that the disk is well, then repeat the command; what was acknowledged is kept";
  }
}

export function readHint(facts: ErrorFacts): string {
  if (facts["vanished"] === true) return "put it back, then repeat the command";
  const isForbidden = facts["errno"] === "EACCES" || facts["errno"] === "EPERM";
  if (isForbidden) return "allow this user to read it, then repeat the command";
  if (facts["errno"] === "ENOTDIR" || facts["errno"] === "ENAMETOOLONG") return "name a folder: --runs-root DIR";
  return facts["errno"] === "EMFILE" || facts["errno"] === "ENFILE"
    ? "raise the limit of open files (ulimit -n), then repeat"
    : "see that the disk is well, then repeat the command";
}
