// The commands of this version: names, one line each, and where each one stands. Loads none of them.
import type { AnyCommand } from "./command.ts";

export interface CommandEntry {
  /** One line, a sentence that goes on from the name. */
  summary: string;
  load(): Promise<{ command: AnyCommand }>;
}

export interface CommandGroup {
  title: string;
  commands: Readonly<Record<string, CommandEntry>>;
}

export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: "Research",
    commands: {
      start: { summary: "research a question and write a report", load: () => import("./commands/start.ts") },
      init: { summary: "create a run without starting it", load: () => import("./commands/init.ts") },
      tick: {
        summary: "make one bounded piece of progress (--all: the cron line)",
        load: () => import("./commands/tick.ts"),
      },
      run: { summary: "tick until the run stops", load: () => import("./commands/run.ts") },
      resume: { summary: "lift a pause, a hold or a halt, and go on", load: () => import("./commands/resume.ts") },
      pause: { summary: "pause a run once everything is on disk", load: () => import("./commands/pause.ts") },
      "agent-result": {
        summary: "hand in what an agent or a person outside made of a prompt",
        load: () => import("./commands/agent-result.ts"),
      },
      approve: {
        summary: "go on with a plan that waits for a person",
        load: () => import("./commands/approve.ts"),
      },
      settle: {
        summary: "say what became of a tool call that was cut off",
        load: () => import("./commands/settle.ts"),
      },
      abort: { summary: "end a run's research for good", load: () => import("./commands/abort.ts") },
      fork: { summary: "start a new run from the finished steps of another", load: () => import("./commands/fork.ts") },
    },
  },
  {
    title: "Look",
    commands: {
      status: { summary: "where a run stands now", load: () => import("./commands/status.ts") },
      list: { summary: "all runs, the newest first", load: () => import("./commands/list.ts") },
      watch: { summary: "follow a run as it goes on", load: () => import("./commands/watch.ts") },
      search: { summary: "what the local index finds in folders", load: () => import("./commands/search.ts") },
      inspect: { summary: "everything about a run, or about one step", load: () => import("./commands/inspect.ts") },
      triage: { summary: "what is wrong, why, and what to do", load: () => import("./commands/triage.ts") },
    },
  },
  {
    title: "Reports",
    commands: {
      "report list": { summary: "the report versions of a run", load: () => import("./commands/report-list.ts") },
      "report show": { summary: "print a report", load: () => import("./commands/report-show.ts") },
      "report generate": {
        summary: "write a further report version from the evidence so far",
        load: () => import("./commands/report-generate.ts"),
      },
      "report select": {
        summary: "make a report version the current one",
        load: () => import("./commands/report-select.ts"),
      },
      "report export": {
        summary: "write a report or its bibliography to a file",
        load: () => import("./commands/report-export.ts"),
      },
      "report diff": {
        summary: "what differs between two report versions",
        load: () => import("./commands/report-diff.ts"),
      },
      capture: {
        summary: "record a completed run as a bundle that can be replayed",
        load: () => import("./commands/capture.ts"),
      },
    },
  },
  {
    title: "Care",
    commands: {
      verify: {
        summary: "check a run from its report down to the stored bytes",
        load: () => import("./commands/verify.ts"),
      },
      repair: { summary: "rebuild what can be rebuilt, set damage aside", load: () => import("./commands/repair.ts") },
      watchdog: { summary: "end runs that are past their time limit", load: () => import("./commands/watchdog.ts") },
      remove: { summary: "delete runs for good", load: () => import("./commands/remove.ts") },
      prune: { summary: "delete runs by age, state and number", load: () => import("./commands/prune.ts") },
      "cache clear": { summary: "delete the indexes of corpora", load: () => import("./commands/cache-clear.ts") },
    },
  },
  {
    title: "Set-up",
    commands: {
      doctor: {
        summary: "every setting with its origin, and what is wrong with the set-up",
        load: () => import("./commands/doctor.ts"),
      },
      completion: {
        summary: "a script that completes words in bash, zsh or fish",
        load: () => import("./commands/completion.ts"),
      },
      "opencode install": {
        summary: "place tools, commands, agents and the skill for OpenCode",
        load: () => import("./commands/opencode-install.ts"),
      },
      "opencode uninstall": {
        summary: "take away what was placed for OpenCode",
        load: () => import("./commands/opencode-uninstall.ts"),
      },
      serve: {
        summary: "serve runs and reports to a browser and to programs, over HTTP",
        load: () => import("./commands/serve.ts"),
      },
      mcp: { summary: "serve runs and reports to an agent, over MCP", load: () => import("./commands/mcp.ts") },
      schema: { summary: "the JSON Schema of a format", load: () => import("./commands/schema.ts") },
    },
  },
];

export const COMMAND_NAMES: readonly string[] = COMMAND_GROUPS.flatMap(({ commands }) => Object.keys(commands));

export function findCommand(name: string): CommandEntry | undefined {
  return COMMAND_GROUPS.map(({ commands }) => (Object.hasOwn(commands, name) ? commands[name] : undefined)).find(
    (entry) => entry !== undefined,
  );
}
