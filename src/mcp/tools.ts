// The tools: the command behind each, how it is run, and what an agent is told of it. Loads nothing.

import { type AskedCommand, STANDARD_WAIT_S } from "../surface/asked-command.ts";

export interface Tool extends AskedCommand {
  title: string;
  description: string;
  /** To do it again changes nothing more. */
  isIdempotent: boolean;
  isDestructive: boolean;
}

const RUN = "the run: its id, a unique prefix of it, or the path of its folder";
const OF_ONE_RUN = ["manifest", "run_root", "run_id", "jsonl"];
const NEWEST = { name: "run", alias: "run_id", about: `${RUN} (default: the newest run)`, isNeeded: false } as const;
const NAMED = { name: "run", alias: "run_id", about: RUN, isNeeded: true } as const;

const LOOK = { kind: "look", operand: NEWEST, without: OF_ONE_RUN, isIdempotent: true, isDestructive: false } as const;
const CHANGE = { kind: "change", operand: NAMED, without: OF_ONE_RUN, isIdempotent: true } as const;
const WORK = { kind: "work", operand: NAMED, without: OF_ONE_RUN, isIdempotent: false, isDestructive: false } as const;

export const TOOLS: readonly Tool[] = [
  {
    ...WORK,
    name: "run_start",
    command: "start",
    title: "Start research",
    description:
      "Research a question in folders of documents, or on the web, and write a report in which every statement leads to a quote. Answers as soon as the run is made; the work goes on by itself, also when this server ends. Follow it with run_status, then read it with report_show.",
    operand: { name: "question", about: "what to research, as a whole question", isNeeded: true },
    without: ["jsonl"],
    waitS: 0,
  },
  {
    ...WORK,
    name: "run_tick",
    command: "tick",
    title: "Make one piece of progress",
    description:
      "One bounded piece of progress on a run, for an agent that drives it step by step. A run that waits for somebody answers with its halt: what is to be done, and the next commands.",
    without: [...OF_ONE_RUN, "all", "jobs"],
    waitS: 20,
  },
  {
    ...CHANGE,
    name: "run_fork",
    command: "fork",
    title: "Fork a run",
    description:
      "A new run from a run in any state, with other settings or another question; finished steps whose inputs are the same are kept. Begin it with run_resume.",
    isApart: true,
    isIdempotent: false,
    isDestructive: false,
  },
  {
    ...LOOK,
    name: "run_list",
    command: "list",
    title: "List runs",
    description: "The runs that are there, the newest first, each with its state and question.",
    operand: null,
    without: ["jsonl"],
    standard: { limit: 50 },
  },
  {
    ...LOOK,
    name: "run_status",
    command: "status",
    title: "Status of a run",
    description:
      "Where a run stands now: its state, stage, steps, halt and report versions. With wait it answers when the run stops, or when that time is over: better than asking again and again.",
    waitS: 0,
  },
  {
    ...LOOK,
    name: "run_inspect",
    command: "inspect",
    title: "Inspect a run",
    description:
      "Everything about a run, or about one step of it: attempts, results, sources, conversations with models.",
  },
  {
    ...LOOK,
    name: "run_triage",
    command: "triage",
    title: "Triage",
    description:
      "What is wrong with a run, why, and what to do; with all: every run that needs somebody, the worst first.",
  },
  {
    ...WORK,
    name: "run_resume",
    command: "resume",
    title: "Resume a run",
    description:
      "Lift a pause, a hold or a halt, and go on until the run stops. Answers as soon as the work goes on; follow it with run_status.",
    waitS: 0,
  },
  {
    ...CHANGE,
    name: "run_pause",
    command: "pause",
    title: "Pause a run",
    description:
      "Pause a run once everything is on disk; run_resume goes on. REQUEST_PENDING means that its process has not answered yet: the request stands.",
    standard: { wait: STANDARD_WAIT_S },
    isDestructive: false,
  },
  {
    ...CHANGE,
    name: "run_abort",
    command: "abort",
    title: "Abort a run",
    description:
      "End the research of a run for good; needs yes: true. What was found stays, reports can be made from it, and a fork keeps the finished steps.",
    needs: ["yes"],
    standard: { wait: STANDARD_WAIT_S },
    isDestructive: true,
  },
  {
    ...CHANGE,
    name: "agent_result",
    command: "agent-result",
    title: "Hand in an answer",
    description:
      "Hand in the answer to a prompt of a run whose driver is task. The prompt that waits is result.waits_for.text of run_inspect with the step's key. An answer is judged at once: one that is refused names every fault and may be mended and handed in again. When nothing waits any more, run_tick goes on.",
    isApart: true,
    input: { name: "answer", about: "the answer, as text in the form that the prompt asks for" },
    without: [...OF_ONE_RUN, "input"],
    standard: { wait: STANDARD_WAIT_S },
    isDestructive: false,
  },
  {
    ...LOOK,
    name: "report_show",
    command: "report show",
    without: [...OF_ONE_RUN, "allow_damaged"],
    title: "Read a report",
    description: "A report of a run as Markdown (result.report_md), by default the current version.",
  },
  {
    ...CHANGE,
    name: "report_export",
    command: "report export",
    title: "Export a report",
    description:
      "Writes a report of a run to a new file in the folder of this server; the ending of its name says the form: html, docx, md, json or bib.",
    operand: NEWEST,
    isApart: true,
    // The name says the form, so that no other kind of file comes to be, and nothing is replaced.
    without: [...OF_ONE_RUN, "format", "force"],
    isDestructive: false,
  },
  {
    ...LOOK,
    name: "run_verify",
    command: "verify",
    title: "Verify a run",
    description:
      "Checks a run from the sentences of its reports down to the stored bytes of its sources and its journal. What does not verify is named in error.details.files.",
    isApart: true,
    without: [...OF_ONE_RUN, "retry"],
  },
  {
    ...LOOK,
    name: "search",
    isApart: true,
    command: "search",
    title: "Search documents",
    description:
      "The passages of folders that fit a query best, without a run. The first search of a folder reads all of it, later ones only what changed.",
    operand: { name: "query", about: "words to look for", isNeeded: true },
    without: [],
  },
];
