// The tools: the command behind each, how it is run, and its description for agents. Loads nothing.

import { STANDARD_WAIT_S, type VerbUse } from "../surface/verb-use.ts";

export interface Tool extends VerbUse {
  title: string;
  description: string;
  /** Doing it again changes nothing more. */
  isIdempotent: boolean;
  isDestructive: boolean;
}

const RUN_ID = { alias: { name: "run_id", of: "run" } };
const VIEW = { ...RUN_ID, kind: "read", isIdempotent: true, isDestructive: false } as const;
/** What changes a run or works on it says on which. */
const CHANGE = { ...RUN_ID, kind: "change", needs: ["run"], isIdempotent: true } as const;
const WORK = { ...RUN_ID, kind: "work", needs: ["run"], isIdempotent: false, isDestructive: false } as const;

export const TOOLS: readonly Tool[] = [
  {
    kind: "work",
    makesRun: true,
    isIdempotent: false,
    isDestructive: false,
    name: "run_start",
    verb: "start",
    title: "Start research",
    description:
      "Research a question in folders of documents, or on the web, and write a report in which every statement leads to a quote. Answers as soon as the run is made; the work continues by itself, also when this server ends. Follow it with run_status, then read it with report_show.",
    waitS: 0,
  },
  {
    ...WORK,
    name: "run_tick",
    verb: "tick",
    title: "Make one piece of progress",
    description:
      "One bounded piece of progress on a run, for an agent that drives it step by step. A run that needs attention answers with its halt: what is to be done, and the next commands.",
    without: ["all", "jobs"],
    waitS: 20,
  },
  {
    ...WORK,
    name: "run_ask",
    verb: "ask",
    title: "Ask on",
    description:
      'Ask a question that follows a finished run ("and on Windows?"). A new run takes over the quotes that were checked there, researches only what is missing, and writes its own report. Answers as soon as it is made; follow it with run_status by its run_id, then read it with report_show.',
    needs: ["run", "question"],
    makesRun: true,
    waitS: 0,
  },
  {
    ...CHANGE,
    name: "run_fork",
    verb: "fork",
    title: "Fork a run",
    description:
      "A new run from a run in any state, with other settings or another question; finished steps whose inputs are the same are kept. Begin it with run_resume.",
    isApart: true,
    isIdempotent: false,
    isDestructive: false,
  },
  {
    kind: "read",
    isIdempotent: true,
    isDestructive: false,
    name: "run_list",
    verb: "list",
    title: "List runs",
    description: "The runs that are there, the newest first, each with its state and question.",
    standard: { limit: 50 },
  },
  {
    ...VIEW,
    name: "run_status",
    verb: "status",
    title: "Status of a run",
    description:
      "The status of a run: its state, stage, steps, halt and report versions. With wait it answers when the run stops, or when that time is over: better than polling.",
    waitS: 0,
  },
  {
    ...VIEW,
    name: "run_inspect",
    verb: "inspect",
    title: "Inspect a run",
    description:
      "Everything about a run, or about one step of it: attempts, results, sources, conversations with models.",
  },
  {
    ...VIEW,
    name: "run_triage",
    verb: "triage",
    title: "Triage",
    description:
      "What is wrong with a run, why, and what to do; with all: every run that needs attention, the worst first.",
  },
  {
    ...WORK,
    name: "run_resume",
    verb: "resume",
    title: "Resume a run",
    description:
      "Lift a pause, a hold or a halt, and continue until the run stops. Answers as soon as the work has begun; follow it with run_status.",
    waitS: 0,
  },
  {
    ...CHANGE,
    name: "run_pause",
    verb: "pause",
    title: "Pause a run",
    description:
      "Pause a run once everything is on disk; run_resume continues it. REQUEST_PENDING means that its process has not answered yet: the request stays.",
    standard: { wait: STANDARD_WAIT_S },
    isDestructive: false,
  },
  {
    ...CHANGE,
    name: "run_abort",
    verb: "abort",
    title: "Abort a run",
    description:
      "End the research of a run for good; needs yes: true. What was found stays, reports can be made from it, and a fork keeps the finished steps.",
    needs: ["run", "yes"],
    standard: { wait: STANDARD_WAIT_S },
    isDestructive: true,
  },
  {
    ...CHANGE,
    name: "agent_result",
    verb: "agent-result",
    title: "Submit an answer",
    description:
      "Submit the answer to a prompt of a run whose driver is task. The prompt that waits is result.waits_for.text of run_inspect with the step's key. An answer is judged at once: a refusal names every fault, and the fixed answer may be submitted again. When nothing waits any more, run_tick continues.",
    isApart: true,
    standard: { wait: STANDARD_WAIT_S },
    isDestructive: false,
  },
  {
    ...VIEW,
    name: "report_show",
    verb: "report show",
    without: ["allow_damaged"],
    title: "Read a report",
    description: "A report of a run as Markdown (result.report_md), by default the current version.",
  },
  {
    ...CHANGE,
    name: "report_export",
    verb: "report export",
    title: "Export a report",
    description:
      "Writes a report of a run to a new file in the folder of this server; the ending of its name says the form: html, docx, md, json or bib.",
    needs: [],
    isApart: true,
    // The name says the form, so that no other kind of file comes to be, and nothing is replaced.
    without: ["format", "force"],
    isDestructive: false,
  },
  {
    ...VIEW,
    name: "run_verify",
    verb: "verify",
    title: "Verify a run",
    description:
      "Checks a run from the sentences of its reports down to the stored bytes of its sources and its journal. What does not verify is named in error.details.files.",
    isApart: true,
    without: ["retry"],
  },
  {
    kind: "read",
    isIdempotent: true,
    isDestructive: false,
    name: "search",
    isApart: true,
    verb: "search",
    title: "Search documents",
    description:
      "The passages of folders that fit a query best, without a run. The first search of a folder reads all of it, later ones only what changed.",
  },
];
