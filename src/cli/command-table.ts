// The commands of this version: names, one line each, and the file of each. Loads none of them.
import { memberOf } from "../kernel/member.ts";
import { flagName } from "../kernel/field.ts";
import { COMMON } from "./options/options.ts";
import { type CommandEntry, type Commands, flagsOf } from "./command.ts";

export interface CommandGroup {
  title: string;
  commands: Readonly<Record<string, CommandEntry>>;
}

/** Words that begin the names of several commands. */
export const GROUP_PURPOSES: Readonly<Record<string, string>> = {
  cache: "the indexes of corpora",
  documents: "documents in a store of runs",
  opencode: "the set-up of OpenCode",
  report: "the report versions of a run",
  store: "runs in PostgreSQL",
};

function entry(summary: string, load: CommandEntry["load"]): CommandEntry {
  return { summary, load };
}

export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: "Research",
    commands: {
      start: entry("research a question and write a report", () => import("./commands/start.ts")),
      init: entry("create a run without starting it", () => import("./commands/init.ts")),
      tick: entry("make one bounded piece of progress (--all: for cron)", () => import("./commands/tick.ts")),
      run: entry("tick until the run stops", () => import("./commands/run.ts")),
      resume: entry("lift a pause, a hold or a halt, and continue", () => import("./commands/resume.ts")),
      pause: entry("pause a run once everything is on disk", () => import("./commands/pause.ts")),
      "agent-result": entry(
        "submit the answer of an agent or a person to a prompt",
        () => import("./commands/agent-result.ts"),
      ),
      approve: entry("continue with a plan that waits for a person", () => import("./commands/approve.ts")),
      settle: entry("say what became of a tool call that was cut off", () => import("./commands/settle.ts")),
      abort: entry("end a run's research for good", () => import("./commands/abort.ts")),
      ask: entry("ask on: a question that follows a finished run", () => import("./commands/ask.ts")),
      fork: entry("start a new run from the finished steps of another", () => import("./commands/fork.ts")),
    },
  },
  {
    title: "View",
    commands: {
      status: entry("the status of a run", () => import("./commands/status.ts")),
      list: entry("all runs, the newest first", () => import("./commands/list.ts")),
      watch: entry("follow a run as it works", () => import("./commands/watch.ts")),
      search: entry("what the local index finds in folders", () => import("./commands/search.ts")),
      inspect: entry("everything about a run, or about one step", () => import("./commands/inspect.ts")),
      show: entry("a file of a run, such as a prompt or a source", () => import("./commands/show.ts")),
      triage: entry("what is wrong, why, and what to do", () => import("./commands/triage.ts")),
    },
  },
  {
    title: "Reports",
    commands: {
      "report list": entry("the report versions of a run", () => import("./commands/report-list.ts")),
      "report show": entry("print a report", () => import("./commands/report-show.ts")),
      "report open": entry("open a report in your browser", () => import("./commands/report-open.ts")),
      "report generate": entry(
        "write a further report version from the evidence so far",
        () => import("./commands/report-generate.ts"),
      ),
      "report select": entry("make a report version the current one", () => import("./commands/report-select.ts")),
      "report export": entry(
        "write a report or its bibliography to a file",
        () => import("./commands/report-export.ts"),
      ),
      "report diff": entry("what differs between two report versions", () => import("./commands/report-diff.ts")),
      capture: entry("record a completed run as a bundle that can be replayed", () => import("./commands/capture.ts")),
    },
  },
  {
    title: "Care",
    commands: {
      verify: entry("check a run from its report down to the stored bytes", () => import("./commands/verify.ts")),
      repair: entry("rebuild what can be rebuilt, set damage aside", () => import("./commands/repair.ts")),
      watchdog: entry("end runs that are past their time limit", () => import("./commands/watchdog.ts")),
      remove: entry("delete runs for good", () => import("./commands/remove.ts")),
      prune: entry("delete runs by age, state and number", () => import("./commands/prune.ts")),
      "cache clear": entry("delete the indexes of corpora", () => import("./commands/cache-clear.ts")),
    },
  },
  {
    title: "Many machines",
    commands: {
      worker: entry("work on the runs of a store that are due", () => import("./commands/worker.ts")),
      "documents push": entry("store documents, for runs on any machine", () => import("./commands/documents-push.ts")),
      "documents list": entry("the documents of the store", () => import("./commands/documents-list.ts")),
      "store migrate": entry(
        "make the tables of a store, or bring them up to date",
        () => import("./commands/store-migrate.ts"),
      ),
      "store status": entry(
        "the server, its schema, its clock and what waits",
        () => import("./commands/store-status.ts"),
      ),
      "store export": entry("write a run of the store as a folder", () => import("./commands/store-export.ts")),
      "store import": entry("take a run from its folder into the store", () => import("./commands/store-import.ts")),
    },
  },
  {
    title: "Set-up",
    commands: {
      doctor: entry(
        "every setting with its origin, and what is wrong with the set-up",
        () => import("./commands/doctor.ts"),
      ),
      completion: entry("a script that completes words in bash, zsh or fish", () => import("./commands/completion.ts")),
      "opencode install": entry(
        "place tools, commands, agents and the skill for OpenCode",
        () => import("./commands/opencode-install.ts"),
      ),
      "opencode uninstall": entry(
        "take away what was placed for OpenCode",
        () => import("./commands/opencode-uninstall.ts"),
      ),
      serve: entry(
        "serve runs and reports to a browser and to programs, over HTTP",
        () => import("./commands/serve.ts"),
      ),
      mcp: entry("serve runs and reports to an agent, over MCP", () => import("./commands/mcp.ts")),
      schema: entry("the JSON Schema of a format", () => import("./commands/schema.ts")),
    },
  },
];

export const COMMAND_NAMES: readonly string[] = COMMAND_GROUPS.flatMap(({ commands }) => Object.keys(commands));

export function findCommand(name: string): CommandEntry | undefined {
  return COMMAND_GROUPS.map(({ commands }) => memberOf(commands, name)).find((found) => found !== undefined);
}

export const COMMANDS: Commands = { names: COMMAND_NAMES, find: findCommand };

/** The names of the commands that take an option, for a person who gave it to another one. */
export async function commandsWith(option: string): Promise<string[]> {
  const named = COMMAND_GROUPS.flatMap(({ commands }) => Object.entries(commands));
  const loaded = await Promise.all(
    named.map(async ([name, entry]) => ({ name, options: flagsOf((await entry.load()).command) })),
  );
  return loaded.flatMap(({ name, options }) =>
    Object.keys(options).some((key) => flagName(key) === option) ? [name] : [],
  );
}

// --- the command of a command line -----------------------------------------------------------------------------------

export interface CommandLine {
  /** The words of the command joined by a space; or `help`, `--version`, or nothing. */
  name: string;
  /** All other words; common options from before the command come first. */
  rest: string[];
}

/** By the name of a common option: true where the next word is its value. */
const COMMON_OPTIONS = new Map(Object.entries(COMMON).map(([key, { kind }]) => [flagName(key), kind !== "flag"]));

export function splitCommandLine(argv: readonly string[]): CommandLine {
  let start = 0;
  while (isCommonOption(argv[start])) start += COMMON_OPTIONS.get(argv[start] ?? "") === true ? 2 : 1;
  const first = argv[start];
  if (first === undefined) return { name: "", rest: [...argv] };
  const second = argv[start + 1];
  const words =
    Object.hasOwn(GROUP_PURPOSES, first) && second !== undefined && !second.startsWith("-") ? [first, second] : [first];
  return { name: words.join(" "), rest: [...argv.slice(0, start), ...argv.slice(start + words.length)] };
}

function isCommonOption(word: string | undefined): boolean {
  return word !== undefined && COMMON_OPTIONS.has(word.split("=", 1)[0] ?? "");
}
