// What help says of each command beyond its options: how it works, and where to read on. Loaded for help only.

export interface ManualEntry {
  /** Paragraphs. */
  description: readonly string[];
  /** Names of commands. */
  seeAlso: readonly string[];
  /** What short help shows of many options, by their keys. */
  mainOptions?: readonly string[];
}

export const MANUAL: Readonly<Record<string, ManualEntry>> = {
  start: {
    description: [
      "The main job. Reads the folders into the index, makes a run for the question, and works on it until it is completed, halts or is stopped. The report holds only sentences that stand word for word in the documents; with --model a language model researches and writes, and each claim rests on quotes that stand there. What the documents do not answer is said, and with no evidence at all there is no report but the halt no_evidence.",
      "Use --corpus for folders and files, --provider for the web and for MCP servers that your configuration names. Providers are asked in the order given, the next one where one fails, and folders last.",
      "Stopped at any moment, even by kill -9, the run goes on from its last finished step: repeat the line with the same --run-id, or use resume. Ctrl-C pauses the run, a second Ctrl-C leaves at once.",
    ],
    seeAlso: ["init", "run", "status", "report show", "verify"],
    mainOptions: ["corpus", "provider", "model", "mode", "sensitivity", "maxCostUsd", "runId"],
  },
  init: {
    description: [
      "Does what start does before the first step: checks the question, reads the folders into the index, freezes settings and limits, and makes the run's folder. Nothing is researched until run, or a tick.",
    ],
    seeAlso: ["run", "tick", "start"],
    mainOptions: ["corpus", "provider", "model", "mode", "sensitivity", "maxCostUsd", "runId"],
  },
  tick: {
    description: [
      "Works on one stage of a run, or on fewer steps with --max-steps, and ends. A tick starts an idle run and continues an interrupted one; it lifts neither a pause nor a halt.",
      "With --all it makes one tick of every run that is running, or interrupted and not held, that nobody works on, and that no halt holds. Two of these at a time do no harm. The exit status is the highest of all runs.",
    ],
    seeAlso: ["run", "watchdog", "triage"],
  },
  run: {
    description: [
      "Ticks until the run is completed, halts, or is stopped. Starts a run that is idle and continues one that was interrupted; a paused run is refused, for somebody meant it: resume lifts the pause.",
    ],
    seeAlso: ["resume", "tick", "watch"],
  },
  resume: {
    description: [
      "Lifts what holds a run, a pause, a hold after an interruption or a halt, and works on as run does. A halt whose cause is still there comes again. Finished steps are not done twice.",
    ],
    seeAlso: ["run", "pause", "triage", "fork"],
    mainOptions: ["noRun", "until", "onDrift", "corpus", "model", "maxCostUsd"],
  },
  settle: {
    description: [
      "If a process dies during a tool call, its effect is unknown. A call that is safe to repeat is repeated by itself. Any other halts the run until a person says what became of it; the halt names the call and prints both commands.",
    ],
    seeAlso: ["triage", "run", "inspect"],
  },
  pause: {
    description: [
      "Asks the process that works on the run to stop, and waits until everything is on disk. Without such a process it pauses the run itself. A paused run stays paused, also across a reboot, until resume.",
    ],
    seeAlso: ["resume", "abort"],
  },
  abort: {
    description: ["Ends the research of a run. It never goes on; everything it found stays on disk."],
    seeAlso: ["pause", "fork", "remove"],
  },
  fork: {
    description: [
      "Makes a new run from another one, whatever its state. Steps whose inputs are the same keep their results; the others are redone. The old run is not changed.",
    ],
    seeAlso: ["run", "resume", "inspect"],
    mainOptions: ["question", "corpus", "model", "mode", "runId"],
  },
  status: {
    description: [
      "One screen about one run. It takes no lease, writes nothing, and may look while another process works.",
    ],
    seeAlso: ["watch", "inspect", "triage", "list"],
  },
  list: {
    description: [
      "One line for each run in the runs root. A run that cannot be read is listed with its error, and one whose manifest cannot be trusted as damaged; verify reads everything.",
    ],
    seeAlso: ["status", "triage", "prune"],
  },
  watch: {
    description: ["Shows each record of a run's journal as it becomes durable, and ends when the run stops."],
    seeAlso: ["status", "run", "tick"],
  },
  inspect: {
    description: ["All that is stored about a run or one of its steps, in words or, with --json, as it is stored."],
    seeAlso: ["status", "triage", "verify"],
  },
  triage: {
    description: [
      "Says in a sentence what the matter is, with the facts behind it and commands that can be pasted. It judges as the watchdog does. Of damage it shows what it meets on its way; verify reads everything.",
    ],
    seeAlso: ["status", "inspect", "resume", "repair"],
  },
  search: {
    description: ["Asks the local index as research does, and shows what it finds, without a run."],
    seeAlso: ["start", "cache clear"],
  },
  "report list": {
    description: ["Every report of a run is a version of its own, numbered from 1, and never changes."],
    seeAlso: ["report show", "report diff", "report select"],
  },
  "report show": {
    description: [
      "Shows a report once its digest is checked. On a terminal it is rendered: headings, lists, tables and links, in the width of the terminal. Elsewhere, in a file or a pipe, it is report.md as it was published, byte for byte.",
    ],
    seeAlso: ["report export", "report list", "verify"],
  },
  "report generate": {
    description: [
      "Writes a report from what a run has found so far and marks it as partial where the run was not completed. Not possible while a run is idle or running.",
    ],
    seeAlso: ["report show", "report select", "fork"],
  },
  "report select": {
    description: ["Chooses the version that is shown when none is named."],
    seeAlso: ["report list", "report diff"],
  },
  "report export": {
    description: ["Writes a report to be read or sent: without a run, without this program, offline."],
    seeAlso: ["report show", "verify"],
  },
  "report diff": {
    description: ["Compares claims, quotes and sources of two versions."],
    seeAlso: ["report list", "report select"],
  },
  verify: {
    description: [
      "Walks from every sentence of every report to its quote, to the stored bytes of the source, and to the journal. It needs nothing but the run's folder, which may be a copy.",
    ],
    seeAlso: ["repair", "report show", "fork"],
  },
  repair: {
    description: [
      "Makes what is derived from the journal again, and moves what is damaged to quarantine/. Copy a run whose journal is damaged before you repair it.",
    ],
    seeAlso: ["verify", "fork"],
  },
  watchdog: {
    description: [
      "Ends runs whose stage is past its time limit: they are failed, with a checkpoint in logs/, and a hung process can write nothing any more. The limits are frozen when a run is made.",
    ],
    seeAlso: ["tick", "fork", "triage"],
  },
  remove: { description: ["Deletes folders of runs. Nothing brings them back."], seeAlso: ["prune", "list", "abort"] },
  prune: {
    description: [
      "Deletes the runs that match all of the conditions. A condition you leave out is taken from retention in your configuration file, if it stands there.",
    ],
    seeAlso: ["remove", "list"],
  },
  "cache clear": {
    description: ["The indexes can always be made again; clear them to free the disk, or when one seems wrong."],
    seeAlso: ["doctor", "prune"],
  },
  doctor: {
    description: [
      "Shows each setting with its origin, and everything that is wrong, also where other commands refuse to work. Precedence, highest first: the command line, a variable DEEP_RESEARCH_*, deep-research.json in the working folder or above, the user's config.json, the built-in default.",
    ],
    seeAlso: ["triage", "completion"],
  },
  completion: {
    description: [
      "The script is made from the commands of this installation, and completes them, their options and what those take.",
    ],
    seeAlso: ["doctor"],
  },
  schema: {
    description: [
      "Formats are what this program writes for other programs: envelopes, events, the files of a run. Readers ignore fields they do not know; fields are only ever added.",
    ],
    seeAlso: ["verify", "inspect"],
  },
};
