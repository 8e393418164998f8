// Words for each condition of a run: a short headline, a sentence, the reason in a few words, and what a person does first.
import type { Condition, Finding, Standing, Why } from "../operations/look/conditions.ts";
import type { LeaseSummary, StatusResult } from "../operations/look/status.ts";
import { diskSentence, writeHint } from "./disk-words.ts";
import { factText, leaseText, problemText } from "./fact-words.ts";
import { firstAfterHalt, haltHeadline, haltReason, haltSentence, waitText } from "./halt-words.ts";
import { count, moment } from "./words.ts";

/** Each surface has its own colours for it. */
type Tone = "plain" | "good" | "warn" | "bad";

export interface Headline {
  words: string;
  tone: Tone;
}

interface Words<C extends Condition> {
  headline: string;
  tone: Tone;
  /** What happened and what the run waits for. */
  sentence: string | ((why: Why<C>) => string);
  /** Why, in a few words, beyond the sentence. */
  reason?: (why: Why<C>) => string;
  /** What a person does first, where no command does it. */
  first?: (why: Why<C>) => string | null;
}

const WORDS: { [C in Condition]: Words<C> } = {
  not_started: {
    headline: "not started",
    tone: "plain",
    sentence: ({ forked_from }) =>
      forked_from === undefined
        ? "Made and not started yet: waits for `run`."
        : `A fork of ${forked_from} that was not started: it waits for \`run\`, and no tick begins it.`,
  },
  working: {
    headline: "running",
    tone: "good",
    sentence: "Being worked on, and making progress in time.",
    reason: ownerReason,
  },
  held: {
    headline: "running, held by a process",
    tone: "good",
    sentence: "A process holds the run and works on no step yet: it reads the corpus, or makes one small change.",
    reason: ownerReason,
  },
  silent: {
    headline: "running, but its owner does not answer",
    tone: "warn",
    sentence: ({ until }) =>
      `The process that works on the run does not answer. Its lease holds until ${moment(until)}; then another process may continue.`,
    reason: ownerReason,
  },
  late: {
    headline: "running, past its time limit",
    tone: "warn",
    sentence: "Being worked on without progress: the stage is past its time limit.",
    reason: ({ elapsed_s, timeout_s }) => `no progress for ${elapsed_s} s (limit ${timeout_s} s)`,
  },
  between_ticks: {
    headline: "waiting for the next tick",
    tone: "plain",
    sentence: "Healthy, between ticks. The next tick continues it.",
    reason: ownerReason,
  },
  corpus_missing: {
    headline: "waiting for its corpus",
    tone: "warn",
    sentence: (why) =>
      why.state === "idle"
        ? `Not started yet: it waits for its corpus: ${corpusReason(why)}. Once it is back, \`run\` starts it.`
        : `The run waits for its corpus: ${corpusReason(why)}. Once it is back, the next tick continues it.`,
    reason: corpusReason,
  },
  cannot_write: {
    headline: "stopped: nothing can be written",
    tone: "warn",
    sentence: (why) =>
      `The run cannot continue: ${diskSentence(why, "written") ?? "nothing can be written where it lies"}.`,
    reason: (why) => diskSentence(why, "written") ?? `${why.path} is not there`,
    first: (why) => writeHint({ ...why, command: "resume" }),
  },
  interrupted: {
    headline: "interrupted",
    tone: "warn",
    // True also after a repair that lost records.
    sentence: ({ policy }) =>
      `Its work was cut off. What its journal holds is kept. ${policy === "hold" ? 'Its policy is "hold": it waits for `resume`.' : "The next tick continues it."}`,
    reason({ reason, lease, policy }) {
      if (reason !== undefined) return factText(reason);
      const why = leaseText(lease);
      return why !== "" && policy === "hold" ? `${why}; policy "hold": waits for resume` : why;
    },
  },
  paused: {
    headline: "paused",
    tone: "warn",
    sentence: "Paused, and everything is on disk: waits for `resume`.",
    reason: reasonGiven,
  },
  halted: {
    headline: "stopped",
    tone: "warn",
    sentence: (why) =>
      why.time_has_come === true
        ? "The time that the run waited for has come: the next tick continues it."
        : haltSentence(why),
    reason: (why) =>
      [waitText(why, why.time_has_come === true), haltReason(why)].filter((part) => part !== "").join(": "),
    first(why) {
      if (why.time_has_come === true) return "nothing to do: the next tick continues it";
      // Time ends no halt of a run that is paused or interrupted.
      return firstAfterHalt(why.state === undefined ? why : { ...why, retry_at: undefined });
    },
  },
  completed: { headline: "completed", tone: "good", sentence: "Completed." },
  failed: {
    headline: "failed",
    tone: "bad",
    sentence: "The run failed. Its finished steps are kept for a fork.",
    reason: ({ failure, reason }) => factText(failure?.message ?? reason ?? ""),
  },
  aborted: { headline: "aborted", tone: "warn", sentence: "A person ended the run.", reason: reasonGiven },
  waits_for_worker: {
    headline: "no worker takes it",
    tone: "warn",
    sentence: ({ gave_up, workers }) =>
      gave_up
        ? "Its work failed again and again, and no worker takes it before a person has seen to it."
        : `It is due, and was handed back by the workers that tried it (${count(workers, "worker is", "workers are")} there).`,
    reason: ({ what }) => [...new Set(what)].map(factText).join("; "),
  },
  request_waits: {
    headline: "request waits",
    tone: "warn",
    sentence: "A pause, an abort or a submitted answer waits to be taken up.",
  },
  failed_attempts: {
    headline: "failed attempts",
    tone: "warn",
    sentence: "Steps failed; they are tried again when the run continues.",
  },
  not_reached: { headline: "not reached", tone: "plain", sentence: "Some of what was requested was not reached:" },
  damaged: {
    headline: "damaged",
    tone: "bad",
    sentence: "What is stored does not verify.",
    reason: (why) => unreadReason(why) ?? factText((why.files ?? []).map(problemText).join("; ")),
  },
  unreadable: {
    headline: "unreadable",
    tone: "bad",
    sentence: "The run cannot be read.",
    reason: (why) => unreadReason(why) ?? "",
  },
};

/** A condition and its why come together, which the type of the table cannot say of a condition that is not known. */
function wordsFor({ condition }: { condition: Condition }): Words<Condition> {
  return WORDS[condition] as Words<Condition>;
}

type Shown = Pick<Finding, "condition" | "why">;

/** What happened, and what the run waits for. */
export function sentenceOf(finding: Shown): string {
  const { sentence, headline } = wordsFor(finding);
  if (finding.why.is_reporting === true)
    return `A report is being written from what was found. The run itself stays as it is: ${headline}.`;
  return typeof sentence === "string" ? sentence : sentence(finding.why);
}

/** Why, in a few words; empty where the sentence says all. */
export function reasonOf(finding: Shown): string {
  return wordsFor(finding).reason?.(finding.why) ?? "";
}

/** What a person has to do, or that nothing is to be done; null where the commands say it. */
export function firstIn(finding: Shown): string | null {
  return wordsFor(finding).first?.(finding.why) ?? null;
}

// --- headlines ------------------------------------------------------------------------------------------------------

export type ShownState = Pick<Standing, "condition" | "needs_attention"> &
  Pick<StatusResult, "halt" | "model_unreachable" | "problems" | "activity" | "answered">;

/** `stopped: no evidence found (needs you)`; `waiting for the next tick`; the same words in every view. */
export function headlineOf(shown: ShownState): Headline {
  const { words, tone } = headlineOfState(shown);
  if (shown.problems.length > 0) return { words: `${words}, damaged`, tone: "bad" };
  return shown.activity === "reporting" ? { words: `writing a report; ${words}`, tone: "good" } : { words, tone };
}

function headlineOfState(shown: ShownState): Headline {
  const { condition, needs_attention, halt, model_unreachable, answered } = shown;
  const { headline: words, tone } = wordsFor(shown);
  if (condition === "completed" && answered === "nearest") return { words: `${words}, not answered`, tone: "warn" };
  if (condition === "failed" && halt === "timeout") return { words: `${words}: ${haltHeadline(halt, false)}`, tone };
  if (condition !== "halted") return { words, tone };
  const why = halt === null ? "" : `: ${haltHeadline(halt, model_unreachable)}`;
  return { words: `${words}${why}${needs_attention ? " (needs you)" : ""}`, tone };
}

/** The condition alone, as a list of many runs shows it. */
export function shortHeadline(finding: Shown): string {
  return wordsFor(finding).headline;
}

// --- reasons --------------------------------------------------------------------------------------------------------

function ownerReason({ lease }: { lease: LeaseSummary }): string {
  return leaseText(lease);
}

function corpusReason({ path, found }: Why<"corpus_missing">): string {
  return `${path} ${found === "empty" ? "is empty" : "is not there"}`;
}

function reasonGiven({ reason }: { reason?: string | undefined }): string {
  return factText(reason ?? "");
}

function unreadReason(why: Why<"unreadable">): string | null {
  return diskSentence(why, "read") ?? (why.reason === undefined ? null : factText(why.reason));
}
