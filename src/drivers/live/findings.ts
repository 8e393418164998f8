// Research by a model, for one perspective or one gap: the quotes that it recorded are the findings.
import { RunError } from "../../kernel/errors.ts";
import { z } from "../../kernel/schema.ts";
import type { Conversation, Tasks, TaskTools } from "../../ports/driver.ts";
import type { Message } from "../../run/conversation.ts";
import type { FindingQuote, Findings, QuestionPart } from "../../run/research.ts";
import type { Limits } from "../../run/settings.ts";
import { system } from "./prompts.ts";
import { readingTools } from "./reading-tools.ts";
import { recallOf } from "./recall.ts";
import { failureBySearching, TOO_MANY_SEARCHES } from "./request-limit.ts";
import { ResearchState, spanKey } from "./research-state.ts";
import { unansweredSearches } from "./tool-answers.ts";
import { judgeQuotes, type JudgedQuote } from "./judge-quotes.ts";
import { researchDemands, RESEARCHER } from "./research-prompts.ts";
import { NO_RESULT, performTask, type ModelTask } from "./task-loop.ts";

const TURNS_PER_QUOTE = 3;
const TURNS_BESIDE = 12;

const doneSchema = z.object({ notes: z.array(z.string().min(1).max(600)).max(20) });
type Done = z.infer<typeof doneSchema>;

/** Failures of a model that found something all the same. */
const UNENDED: ReadonlySet<string> = new Set([NO_RESULT, TOO_MANY_SEARCHES]);

interface Search {
  subject: string;
  subject_kind: Findings["subject_kind"];
  title: string;
  questions: string[];
  queries: readonly string[];
  /** All of them: what is found on the way may answer another part. */
  parts: readonly QuestionPart[];
  /** Ids of those that it is asked to look for. */
  own: readonly string[];
  others: readonly string[];
  /** Spans that were recorded before. */
  known: ReadonlySet<string>;
  limits: Limits;
  question: string;
}

export async function research(
  { question, perspective, parts, others = [], limits }: Tasks["research"]["input"],
  tools: TaskTools,
): Promise<Findings> {
  const { id, title, questions, queries, part_ids } = perspective;
  return await search(
    {
      subject: id,
      subject_kind: "perspective",
      title,
      questions,
      queries,
      parts,
      own: part_ids,
      others,
      known: new Set(),
      limits,
      question,
    },
    tools,
  );
}

export async function fillGap(
  { question, gap, parts, known, limits }: Tasks["fill_gap"]["input"],
  tools: TaskTools,
): Promise<Findings> {
  const questions = parts.flatMap(({ id, text }) => (id === gap.part_id ? [text] : []));
  const found = await search(
    {
      subject: gap.id,
      subject_kind: "gap",
      title: gap.title,
      questions,
      queries: gap.queries,
      parts,
      own: [gap.part_id],
      others: [],
      known: new Set(known.map(spanKey)),
      limits,
      question,
    },
    tools,
  );
  return found.quotes.length + found.notes.length > 0 ? found : { ...found, notes: ["Nothing new was found."] };
}

async function search(wanted: Search, tools: TaskTools): Promise<Findings> {
  const { subject, subject_kind, title, questions, parts, known, limits, question } = wanted;
  // The tools read what the conversation has found so far; it is there before the first of them runs.
  const open: { conversation: Conversation | null } = { conversation: null };
  const messages = (): readonly Message[] => open.conversation?.messages ?? [];
  const following = {
    ...tools,
    converse: async (options: Parameters<TaskTools["converse"]>[0]) =>
      (open.conversation = await tools.converse(options)),
  };
  const task: ModelTask<Done> = {
    name: "research",
    role: "researcher",
    system: system(RESEARCHER, researchDemands(limits)),
    user: askedOf(wanted),
    tools: readingTools({ tools, messages, parts, limits }),
    result: { schema: doneSchema, description: "Ends the research; the recorded quotes are its result." },
    problemOf: ({ notes }, { messages: now }) =>
      new ResearchState(now).quotes().length === 0 && notes.length === 0
        ? "nothing is quoted, and no note says what was looked for"
        : null,
    failureOf: ({ messages: now }) => failureBySearching(now),
    recall: recallOf,
    maxTurns: TURNS_BESIDE + TURNS_PER_QUOTE * limits.max_quotes_per_subject,
  };
  const { notes, messages: told } = await handedIn(task, following, messages);
  const state = new ResearchState(told);
  refuseUnreached(state);
  const recorded = state.quotes().filter((quote) => !known.has(spanKey(quote)));
  const { quotes, notes: ofJudging } = await judgeQuotes(question, parts, recorded, tools);
  const gaps = state.gaps();
  const sources = new Map(
    quotes.map(({ source_digest, title: name, origin }) => [source_digest, { source_digest, title: name, origin }]),
  );
  return {
    schema_version: "findings.v1",
    subject,
    subject_kind,
    title,
    questions,
    quotes: quotes.map(findingOf),
    sources: [...sources.values()],
    notes: [...notes, ...ofJudging, ...gaps.map(({ text, reason }) => `Not found: ${text} (${reason})`)],
    ...(gaps.length === 0 ? {} : { gaps }),
  };
}

function askedOf({ subject_kind, title, questions, queries, parts, own, others, question }: Search): string {
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
    ...(subject_kind === "gap"
      ? ["An earlier search found too little: look with other words. A quote that it recorded does not count again."]
      : []),
    "Record the quotes that answer best. Then hand in, with notes on what the writer of the report should know.",
  ].join("\n\n");
}

function listed(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

/** What a model recorded before it came to no end is what it found: it is checked like everything else. */
async function handedIn(
  task: ModelTask<Done>,
  tools: TaskTools,
  messages: () => readonly Message[],
): Promise<{ notes: string[]; messages: readonly Message[] }> {
  try {
    const { result, conversation } = await performTask(task, tools);
    return { notes: result.notes, messages: conversation.messages };
  } catch (error) {
    const isUnended = error instanceof RunError && UNENDED.has(String(error.facts["kind"]));
    if (!isUnended || new ResearchState(messages()).quotes().length === 0) throw error;
    return {
      notes: [
        `The model did not hand its research in (${String(error.facts["reason"])}); what it had recorded by then was taken.`,
      ],
      messages: messages(),
    };
  }
}

/** "Nothing was found" is no finding where nothing answered. */
function refuseUnreached(state: ResearchState): void {
  const unreached = state.unreached();
  if (!state.wasAnswered && unreached.length > 0) throw unansweredSearches(unreached);
}

/** A model does not rank its quotes: those that it recorded first count for more. */
function findingOf(
  { source_digest, start, end, text, statement, part_ids, judged }: JudgedQuote,
  index: number,
): FindingQuote {
  const found = { source_digest, start, end, text, statement, part_ids, query: "", score: 1 / (index + 1) };
  return judged === undefined ? found : { ...found, judged };
}
