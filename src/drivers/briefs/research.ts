// The briefs of research on one angle of the question. A model records quotes with tools, and its answer ends the research.
// Somebody outside hands all quotes in with one answer.
import { z } from "../../kernel/zod.ts";
import type { DocumentsOutside } from "../../ports/driver.ts";
import { subjectIdSchema, type QuestionPart } from "../../run/report/research.ts";
import type { Limits } from "../../run/settings/settings.ts";
import { shownShare, type Brief } from "./brief.ts";

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
  /** True when an earlier search found too little. */
  isGap: boolean;
  limits: Limits;
}

const notesSchema = z.array(z.string().min(1).max(600)).max(20);
const doneSchema = z.object({ notes: notesSchema });
type Done = z.infer<typeof doneSchema>;

const SEARCHING =
  "- Begin broad, with two to four telling words. Then narrow, with the words that the documents themselves use. Try other words for the same thing, and the language of the documents, before you conclude that something is not there.";
const QUOTING = `- Prefer primary sources: the manual over what others say of it, the newer version over the older.
- A quote is one sentence, several in a row, or a whole paragraph. Take the condition, the number and its unit along.
- A statement names its subject: "The untracked cache works by recording the mtime", rather than "This feature works by recording the mtime".
- Record what speaks against the expected answer, too, and several sources where there are several.`;
const STOPPING =
  "- Stop when your questions have their quotes, or when new searches bring nothing new. Do not fill the limit for its own sake.";
const QUOTED = {
  text: "The lease ends after two minutes without a heartbeat.",
  statement: "A lease of a run ends after two minutes without a heartbeat.",
  part_ids: ["recovery"],
};

const RESEARCHER = `You research one angle of a question in the documents that your tools reach. Others research its other angles at the same time. What you record with "quote" is all that reaches the report.

How to work well:
${SEARCHING}
- Send several calls in one reply: searches together, then open, find and quote together.
- A passage that a search showed can be quoted at once. Open a document where the context matters: a condition, an exception, a table. Use find to look for words in a long one.
${QUOTING}
- Note with note_gap what you looked for and could not find, and where you looked.
${STOPPING}

Example of a quote: ${JSON.stringify({ document: "d3.2", ...QUOTED })}`;

const RESEARCHER_OUTSIDE = `You research one angle of a question in the documents that the task names. Others research its other angles at the same time. The quotes that you hand in are all that reaches the report.

How to work well:
${SEARCHING}
${QUOTING}
- Say under gaps what you looked for and could not find, and where you looked.
${STOPPING}`;

function demandsOf(limits: Limits): string[] {
  return [
    "every quote stands in its document, where only white space, quotation marks and dashes may be spelled otherwise, and says something by itself: a whole sentence, rather than a word or a number",
    `the statement of a quote says no more than the quote: a verifier judges it by the quote, and at most ${shownShare(limits.max_unsupported_share)} may be left that it does not find supported`,
    `there are at most ${limits.max_quotes_per_subject} quotes from at most ${limits.max_sources_per_subject} sources, with at most ${limits.max_words_per_subject} words`,
    "findings without a quote say in a note what was looked for",
  ];
}

/** `recorded`: returns how many quotes are recorded so far. The result is the notes of the researcher. */
export function researchBrief(angle: Angle, recorded: () => number): Brief<Done, string[]> {
  return {
    name: "research",
    role: "researcher",
    who: RESEARCHER,
    demands: demandsOf(angle.limits),
    asked: askedOf(angle),
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
        document: z.string().min(1).max(2_000).describe("its name, as the task tells how to name documents"),
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
        reason: z.string().min(1).max(400).describe("where it was looked for, and what stands there instead"),
        part_ids: z.array(z.string()).max(20).optional(),
      }),
    )
    .max(20)
    .optional(),
  notes: notesSchema.optional(),
});
export type FoundOutside = z.infer<typeof foundOutsideSchema>;

/** The brief for somebody outside. The caller looks the quotes up. */
export function outsideResearchBrief(angle: Angle, documents: DocumentsOutside): Brief<FoundOutside, FoundOutside> {
  return {
    name: "research",
    role: "researcher",
    who: RESEARCHER_OUTSIDE,
    demands: demandsOf(angle.limits),
    asked: `${askedOf(angle)}\n\n${whereToLook(documents)}`,
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
          `The documents stand in folders; a document is named by its folder's name and its path inside:\n${listed(folders.map(({ name, path }) => `${name}/…: ${path}`))}`,
          `This finds passages in a folder, best first: deep-research search "WORDS" --corpus ${JSON.stringify(first.path)}`,
        ];
  return [
    ...search,
    ...(readsPages ? ["Pages of the web are named by their addresses."] : []),
    "A document from elsewhere may come along with the answer: --source FILE, which quotes name by its file name, or --source URL, a public page, by its address.",
  ].join("\n\n");
}

function askedOf({ title, questions, queries, parts, own, others, isGap, question }: Angle): string {
  const asked = parts.filter(({ id }) => own.includes(id));
  const beside = parts.filter((part) => !asked.includes(part));
  const partLines = (some: readonly QuestionPart[]): string => listed(some.map(({ id, text }) => `${id}: ${text}`));
  return [
    `The whole question: ${question}`,
    `Your angle: ${title}\n${listed(questions)}`,
    `The parts of the question that you look for:\n${partLines(asked)}`,
    ...(beside.length === 0
      ? []
      : [`The other parts of the question, for quotes that happen to answer them, too:\n${partLines(beside)}`]),
    ...(others.length === 0 ? [] : [`Others look at the same time for:\n${listed(others)}`]),
    `Searches to begin with:\n${listed(queries)}`,
    ...(isGap
      ? ["An earlier search found too little: look with other words. A quote that it recorded does not count again."]
      : []),
    "Record the quotes that answer best. Then hand in, with notes on what the writer of the report should know.",
  ].join("\n\n");
}

function listed(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}
