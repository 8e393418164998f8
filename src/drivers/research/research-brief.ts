// The briefs of research on one angle of the question. A model records quotes with tools, and its answer ends the research.
// An agent or a person outside submits all quotes with one answer.
import { shortened } from "../../kernel/shortened.ts";
import { z } from "../../kernel/zod.ts";
import type { DocumentsOutside } from "../../ports/driver.ts";
import { subjectIdSchema, type QuestionPart } from "../../run/report/research.ts";
import type { Limits } from "../../run/settings/settings.ts";
import { shownShare, type Brief } from "../asking/brief.ts";
import { PromptFile } from "../asking/prompt-file.ts";
import words from "./research.txt" with { type: "text" };

/** What one researcher looks for. */
export interface Angle {
  question: string;
  title: string;
  questions: string[];
  /** Searches to begin with. */
  queries: readonly string[];
  /** All parts of the question, since a quote may answer another part. */
  parts: readonly QuestionPart[];
  /** The ids of the parts that this researcher looks for. */
  own: readonly string[];
  /** The titles of the angles of the other researchers. */
  others: readonly string[];
  /** Set when an earlier search found too little: the quotes that it recorded for the part. */
  recorded?: readonly string[];
  /** The quotes of the run before that are taken over for its parts. */
  held?: readonly string[];
  limits: Limits;
}

const notesSchema = z.array(z.string().min(1).max(600)).max(20);
const doneSchema = z.object({ notes: notesSchema });
type Done = z.infer<typeof doneSchema>;

const QUOTED = {
  text: "The lease ends after two minutes without a heartbeat.",
  statement: "A lease of a run ends after two minutes without a heartbeat.",
  part_ids: ["recovery"],
};

const RESEARCH = new PromptFile(words);

/** What both kinds of researchers read. */
function howToWork() {
  return {
    searching: RESEARCH.part("searching"),
    quoting: RESEARCH.part("quoting"),
    stopping: RESEARCH.part("stopping"),
  };
}

function demandsOf(limits: Limits): string[] {
  return RESEARCH.list("demands", {
    max_unsupported: shownShare(limits.max_unsupported_share),
    max_quotes: limits.max_quotes_per_subject,
    max_sources: limits.max_sources_per_subject,
    max_words: limits.max_words_per_subject,
  });
}

/** `recorded`: returns how many quotes are recorded so far. The result is the notes of the researcher. */
export function researchBrief(angle: Angle, recorded: () => number): Brief<Done, string[]> {
  return {
    name: "research",
    role: "researcher",
    who: RESEARCH.part("who", {
      ...howToWork(),
      example: JSON.stringify({ document: "d3.2", ...QUOTED }),
    }),
    demands: demandsOf(angle.limits),
    task: taskOf(angle),
    answer: { schema: doneSchema, description: "Ends the research; the recorded quotes are its result." },
    problemsOf: ({ notes }) =>
      recorded() === 0 && notes.length === 0 ? ["nothing is quoted, and no note says what was looked for"] : [],
    resultOf: ({ notes }) => notes,
  };
}

const foundOutsideSchema = z.object({
  quotes: z
    .array(
      z.object({
        document: z.string().min(1).max(2_000).describe("its name, as the task says how to name documents"),
        text: z
          .string()
          .min(1)
          .max(2_000)
          .describe("the words of the document: one or several sentences, or a paragraph"),
        statement: z.string().min(1).max(600).describe("what the quote says, in one sentence that names its subject"),
        part_ids: z.array(subjectIdSchema).min(1).describe("the parts of the question that it answers"),
      }),
    )
    .max(100),
  gaps: z
    .array(
      z.object({
        text: z.string().min(1).max(400).describe("what could not be found"),
        reason: z.string().min(1).max(400).describe("where it was looked for, and what is there instead"),
        part_ids: z.array(z.string()).max(20).optional(),
      }),
    )
    .max(20)
    .optional(),
  notes: notesSchema.optional(),
});
export type FoundOutside = z.infer<typeof foundOutsideSchema>;

/** The brief for an agent or a person outside. The caller looks the quotes up. */
export function outsideResearchBrief(angle: Angle, documents: DocumentsOutside): Brief<FoundOutside, FoundOutside> {
  return {
    name: "research",
    role: "researcher",
    who: RESEARCH.part("who_outside", howToWork()),
    demands: demandsOf(angle.limits),
    task: `${taskOf(angle)}\n\n${whereToLook(documents)}`,
    answer: {
      schema: foundOutsideSchema,
      description: "Hands the research in.",
      example: {
        quotes: [{ document: "handbook/recovery.md", ...QUOTED }],
        gaps: [{ text: "how long a takeover takes", reason: "handbook/recovery.md names no duration" }],
        notes: [],
      },
    },
    problemsOf: ({ quotes, gaps = [], notes = [] }) =>
      quotes.length + gaps.length + notes.length === 0
        ? ["nothing is quoted, and no gap or note says what was looked for"]
        : [],
    resultOf: (found) => found,
  };
}

function whereToLook({ folders, readsPages }: DocumentsOutside): string {
  const [first] = folders;
  const search =
    first === undefined
      ? []
      : [
          `The documents are in folders; a document is named by its folder's name and its path inside:\n${listed(folders.map(({ name, path }) => `${name}/…: ${path}`))}`,
          `This finds passages in a folder, best first: deep-research search "WORDS" --corpus ${JSON.stringify(first.path)}`,
        ];
  return [
    ...search,
    ...(readsPages ? ["Pages of the web are named by their addresses."] : []),
    "A document from elsewhere may come along with the answer: --source FILE, which quotes name by its file name, or --source URL, a public page, by its address.",
  ].join("\n\n");
}

const MAX_RECORDED = 20;
const MAX_RECORDED_TEXT = 160;

function taskOf({ title, questions, queries, parts, own, others, recorded, held = [], question }: Angle): string {
  const sought = parts.filter(({ id }) => own.includes(id));
  const beside = parts.filter((part) => !sought.includes(part));
  const partLines = (some: readonly QuestionPart[]): string => listed(some.map(({ id, text }) => `${id}: ${text}`));
  return [
    `The whole question: ${question}`,
    `Your angle: ${title}\n${listed(questions)}`,
    `The parts of the question that you look for:\n${partLines(sought)}`,
    ...(beside.length === 0
      ? []
      : [`The other parts of the question, for quotes that happen to answer them, too:\n${partLines(beside)}`]),
    ...(others.length === 0 ? [] : [`At the same time others look for:\n${listed(others)}`]),
    `Searches to begin with:\n${listed(queries)}`,
    ...(recorded === undefined ? [] : [afterSearch(recorded)]),
    ...(held.length === 0 ? [] : [besideHeld(held)]),
    "Record the quotes that answer best. Then submit, with notes on what the writer of the report should know.",
  ].join("\n\n");
}

function afterSearch(recorded: readonly string[]): string {
  const begun =
    "An earlier search found too little: look with other words. A quote that it recorded does not count again";
  return recorded.length === 0 ? `${begun}.` : `${begun}:\n${shownQuotes(recorded)}`;
}

function besideHeld(held: readonly string[]): string {
  return `A question before this one was answered, and these quotes are held for your parts already: look for what they lack. They do not count again:\n${shownQuotes(held)}`;
}

/** As data, since the words are those of documents. */
function shownQuotes(texts: readonly string[]): string {
  const shown = texts.slice(0, MAX_RECORDED).map((text) => ({ document_text: shortened(text, MAX_RECORDED_TEXT) }));
  return listed(shown.map((one) => JSON.stringify(one)));
}

function listed(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}
