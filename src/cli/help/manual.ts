// The description of each command in a few plain sentences, with pages to read on and the options of short help.

export interface ManualEntry {
  description: string;
  /** Names of commands. */
  seeAlso: readonly string[];
  /** What short help shows of many options, by their keys. */
  mainOptions?: readonly string[];
}

const MAKING_OPTIONS = ["corpus", "provider", "model", "mode", "sensitivity", "maxCostUsd", "runId"];

export const MANUAL: Readonly<Record<string, ManualEntry>> = {
  start: {
    description:
      "Makes a run for the question and works on it until it is completed, halts or is stopped. What the report says rests on quotes that stand word for word in the documents; with no evidence there is no report but the halt no_evidence. Stopped at any moment, even by kill -9, it goes on from its last finished step: repeat the line with the same --run-id, or use resume. Ctrl-C pauses the run, a second Ctrl-C leaves at once.",
    seeAlso: ["init", "run", "status", "report show", "verify"],
    mainOptions: MAKING_OPTIONS,
  },
  init: {
    description:
      "Does what start does before the first step: reads the folders into the index, freezes settings and limits, makes the run's folder. Its options are those of start.",
    seeAlso: ["run", "tick", "start"],
    mainOptions: MAKING_OPTIONS,
  },
  tick: {
    description:
      "Works on one stage of a run, or on fewer steps, and ends. It starts an idle run, continues an interrupted one, and lifts neither a pause nor a halt. With --all it does so for every run that waits for nobody; two of these at a time do no harm, and the exit status is the highest of all runs.",
    seeAlso: ["run", "watchdog", "triage"],
  },
  run: {
    description:
      "Ticks until the run is completed, halts, or is stopped. A paused run is refused, for somebody meant it: resume lifts the pause.",
    seeAlso: ["resume", "tick", "watch"],
  },
  resume: {
    description:
      "Lifts a pause, a hold after an interruption or a halt, and works on as run does. A halt whose cause is still there comes again; finished steps are not done twice.",
    seeAlso: ["run", "pause", "triage", "fork"],
    mainOptions: ["noRun", "until", "onDrift", "corpus", "model", "maxCostUsd"],
  },
  "agent-result": {
    description:
      "A run of the task driver halts with a prompt for each step. Whoever answers one hands the answer in with this command; it is judged at once, and taken or refused with all that is wrong.",
    seeAlso: ["triage", "tick", "inspect"],
    mainOptions: ["step", "input", "agentRunId", "replace"],
  },
  approve: {
    description:
      "A run that was started with --approve-plan halts once its plan stands. This command goes on with the plan as it is, or with an edited copy of its JSON file.",
    seeAlso: ["start", "triage", "run"],
  },
  settle: {
    description:
      "If a process dies during a tool call that is not safe to repeat, the run halts until a person says what became of it. The halt names the call and prints both commands.",
    seeAlso: ["triage", "run", "inspect"],
  },
  pause: {
    description:
      "Asks the process that works on the run to stop, and waits until everything is on disk. A paused run stays paused, also across a reboot, until resume.",
    seeAlso: ["resume", "abort"],
  },
  abort: {
    description: "Ends the research of a run. It never goes on; everything it found stays on disk.",
    seeAlso: ["pause", "fork", "remove"],
  },
  fork: {
    description:
      "Makes a new run from another one, whatever its state. Steps whose inputs are the same keep their results; the others are redone. The old run is not changed.",
    seeAlso: ["run", "resume", "inspect"],
    mainOptions: ["question", "corpus", "model", "mode", "runId"],
  },
  status: {
    description: "One screen about one run. It writes nothing, and may look while another process works.",
    seeAlso: ["watch", "inspect", "triage", "list"],
  },
  list: {
    description: "One line for each run in the runs root. A run that cannot be read is listed with its error.",
    seeAlso: ["status", "triage", "prune"],
  },
  watch: {
    description: "Shows each record of a run's journal as it becomes durable, and ends when the run stops.",
    seeAlso: ["status", "run", "tick"],
  },
  inspect: {
    description: "All that is stored about a run or one of its steps, in words or, with --json, as it is stored.",
    seeAlso: ["status", "triage", "verify"],
  },
  triage: {
    description:
      "Says in a sentence what the matter is, with the facts behind it and commands that can be pasted. Of damage it shows what it meets on its way; verify reads everything.",
    seeAlso: ["status", "inspect", "resume", "repair"],
  },
  search: {
    description: "Asks the local index as research does, and shows what it finds, without a run.",
    seeAlso: ["start", "cache clear"],
  },
  "report list": {
    description: "Every report of a run is a version of its own, numbered from 1, and never changes.",
    seeAlso: ["report show", "report diff", "report select"],
  },
  "report show": {
    description:
      "Shows a report once its digest is checked: rendered on a terminal, in a file or a pipe byte for byte as it was published.",
    seeAlso: ["report export", "report list", "verify"],
  },
  "report generate": {
    description:
      "Writes a report from what a run has found so far and marks it as partial where the run was not completed. Not possible while a run is idle or running.",
    seeAlso: ["report show", "report select", "fork"],
  },
  "report select": {
    description:
      "Chooses the version that is shown when none is named. No version is changed, and the next one that is made becomes the current one.",
    seeAlso: ["report list", "report diff"],
  },
  "report export": {
    description: "Writes a report to be read or sent: without a run, without this program, offline.",
    seeAlso: ["report show", "verify"],
  },
  "report diff": {
    description: "Compares claims, quotes and sources of two versions.",
    seeAlso: ["report list", "report select"],
  },
  capture: {
    description:
      "Records what a completed run came to, so that it can be run again without its documents, models and keys. Of a run with several report versions, the one that completed it.",
    seeAlso: ["start", "verify", "report export"],
  },
  verify: {
    description:
      "Walks from every sentence of every report to its quote, to the stored bytes of the source, and to the journal. It needs nothing but the run's folder, which may be a copy.",
    seeAlso: ["repair", "report show", "fork"],
  },
  repair: {
    description:
      "Makes what is derived from the journal again, and moves what is damaged to quarantine/. Copy a run whose journal is damaged before you repair it.",
    seeAlso: ["verify", "fork"],
  },
  watchdog: {
    description:
      "Runs whose stage is past its time limit are failed, with a checkpoint in logs/, and a hung process can write nothing any more. The limits are frozen when a run is made.",
    seeAlso: ["tick", "fork", "triage"],
  },
  remove: { description: "Deletes folders of runs. Nothing brings them back.", seeAlso: ["prune", "list", "abort"] },
  prune: {
    description:
      "Deletes the runs that match all of the conditions. A condition you leave out is taken from retention in your configuration file, if it stands there.",
    seeAlso: ["remove", "list"],
  },
  "cache clear": {
    description: "The indexes can always be made again; clear them to free the disk, or when one seems wrong.",
    seeAlso: ["doctor", "prune"],
  },
  doctor: {
    description:
      "Shows everything that is wrong, also where other commands refuse to work. The command line comes before a variable DEEP_RESEARCH_*, then deep-research.json in the working folder or above, the user's config.json, the built-in default.",
    seeAlso: ["triage", "completion"],
  },
  completion: {
    description: "The script completes commands, their options and what those take, and ids of runs.",
    seeAlso: ["doctor"],
  },
  "opencode install": {
    description:
      "Writes tools, commands, two agents and a skill into .opencode of the working folder, or into OpenCode's own configuration folder. The tools call this installation, wherever OpenCode runs. A file that somebody changed is left as it is and named.",
    seeAlso: ["opencode uninstall", "mcp", "doctor"],
  },
  "opencode uninstall": {
    description:
      "Removes the files that opencode install wrote, as far as nobody changed them, and folders that are empty then.",
    seeAlso: ["opencode install"],
  },
  serve: {
    description:
      "A console for a browser and for programs, on this machine alone: every run as it works, what it waits for, its reports and what they rest on. It does what the command line does, and a second one beside it is safe. Its routes stand in docs/console.md.",
    seeAlso: ["start", "watch", "mcp", "doctor"],
  },
  mcp: {
    description:
      "Speaks the Model Context Protocol over stdin and stdout with the agent that started it. Each tool is a command: the command's options are its arguments (max_rounds for --max-rounds), and the object of --json is its result. Work that a tool began goes on when the agent or the server ends.",
    seeAlso: ["start", "status", "report show", "doctor"],
  },
  schema: {
    description:
      "Formats are what this program writes for other programs. Readers ignore fields they do not know; fields are only ever added.",
    seeAlso: ["verify", "inspect"],
  },
};
