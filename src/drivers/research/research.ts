// Has one perspective or gap researched. The quotes that a model, or an agent or a person outside, records are the findings.
import { isFault } from "../../kernel/errors.ts";
import { given } from "../../kernel/given.ts";
import type { Conversation, Tasks, TaskTools, Tool } from "../../ports/driver.ts";
import type { Message } from "../../run/model/conversation.ts";
import { notFoundNote, type FindingQuote, type Findings } from "../../run/report/research.ts";
import { spanKey } from "../../run/report/source.ts";
import { answerFromModel, NO_RESULT } from "../asking/answer-from-model.ts";
import { performedBy } from "../asking/performer.ts";
import { judgeFindings } from "./judge-quotes.ts";
import { researchedOutside, type Researched } from "./outside-research.ts";
import { unansweredSearches, type Reading } from "./reading.ts";
import { researchBrief, type Angle } from "./research-brief.ts";
import { documentOf, ResearchState, type Quoted } from "./research-state.ts";
import { openTool, openUrlTools } from "./document-tools.ts";
import { findTool } from "./find-tool.ts";
import { gapTool, quoteTool } from "./quote-tools.ts";
import { searchTool } from "./search-tool.ts";
import { shortened } from "../../kernel/shortened.ts";

const TURNS_PER_QUOTE = 3;
const TURNS_BESIDE = 12;

const RECORDING: ReadonlySet<string> = new Set(["quote", "note_gap"]);

export async function research(
  { question, perspective, parts, others = [], known = [], limits, judges }: Tasks["research"]["input"],
  tools: TaskTools,
): Promise<Findings> {
  const { id, title, questions, queries, part_ids: own } = perspective;
  const held = known.map(({ text }) => text);
  const angle = { question, title, questions, queries, parts, own, others, held, limits };
  return await searched(id, angle, tools, { known: new Set(known.map(spanKey)), judges });
}

/** Quotes in `known` do not count again. */
export async function fillGap(
  { question, gap, parts, known, limits, judges }: Tasks["fill_gap"]["input"],
  tools: TaskTools,
): Promise<Findings> {
  const { id, title, queries, part_id } = gap;
  const questions = parts.flatMap((part) => (part.id === part_id ? [part.text] : []));
  const recorded = known.filter(({ part_ids = [] }) => part_ids.includes(part_id)).map(({ text }) => text);
  const angle = { question, title, questions, queries, parts, own: [part_id], others: [], recorded, limits };
  return await searched(id, angle, tools, { known: new Set(known.map(spanKey)), judges });
}

/** `known`: the keys of quotes that do not count again. */
async function searched(
  subject: string,
  angle: Angle,
  tools: TaskTools,
  { known, judges }: { known: ReadonlySet<string>; judges: "later" | undefined },
): Promise<Findings> {
  const { title, questions, parts, recorded: earlier, question } = angle;
  const { notes, gaps, quotes, queries } = await performedBy("researcher", tools, {
    model: () => researchedByModel(angle, tools),
    outside: (work) => researchedOutside(angle, work),
  });
  const recorded = quotes.filter((quote) => !known.has(spanKey(quote)));
  const sources = new Map(
    recorded.map(({ source_digest, title: name, origin }) => [source_digest, { source_digest, title: name, origin }]),
  );
  const found: Findings = {
    schema_version: "findings.v1",
    subject,
    subject_kind: earlier === undefined ? "perspective" : "gap",
    title,
    questions,
    quotes: recorded.map(findingOf),
    sources: [...sources.values()],
    notes: [
      ...notes,
      ...gaps.map(notFoundNote),
      ...(recorded.length + notes.length + gaps.length === 0 ? ["Nothing new was found."] : []),
    ],
    ...(gaps.length === 0 ? {} : { gaps }),
    ...given({ queries }),
  };
  if (judges === "later") return found;
  const [judged = found] = await judgeFindings(
    { question, parts: [...parts], findings: [found], sources: recorded },
    tools,
  );
  return judged;
}

async function researchedByModel(angle: Angle, tools: TaskTools): Promise<Researched> {
  const { notes, state } = await conversed(angle, tools);
  // When no search was answered, "nothing was found" would be wrong.
  const unreached = state.unreached();
  if (!state.wasAnswered && unreached.length > 0) throw unansweredSearches(unreached);
  return {
    notes: [...notes, ...state.unranked()],
    quotes: state.quotes(),
    gaps: state.gaps(),
    queries: state.queries(),
  };
}

/** Has a model do the research. If it records quotes and submits nothing, the quotes are taken, with a note. */
async function conversed(angle: Angle, tools: TaskTools): Promise<{ notes: string[]; state: ResearchState }> {
  const { parts, limits } = angle;
  // The tools read the conversation, which is open before the first of them runs.
  const open: { conversation?: Conversation } = {};
  const messages = (): readonly Message[] => open.conversation?.messages ?? [];
  const state = (): ResearchState => new ResearchState(messages());
  const brief = researchBrief(angle, () => state().quotes().length);
  try {
    const notes = await answerFromModel(brief, tools, {
      tools: readingTools({ tools, messages, parts, limits }),
      onOpen: (conversation) => (open.conversation = conversation),
      recording: RECORDING,
      recall: recallOf,
      maxTurns: TURNS_BESIDE + TURNS_PER_QUOTE * limits.max_quotes_per_subject,
    });
    return { notes, state: state() };
  } catch (error) {
    // What was recorded counts all the same.
    const isUnended = isFault(error, "MODEL_FAILED") && error.facts.kind === NO_RESULT;
    if (!isUnended || state().quotes().length === 0) throw error;
    const note = `The model did not submit its research (${error.facts.reason ?? NO_RESULT}); what it had recorded by then was taken.`;
    return { notes: [note], state: state() };
  }
}

/** The tools of a researcher, in the order in which a model reads them. */
export function readingTools(reading: Reading): Tool[] {
  const finding = [searchTool(reading), openTool(reading), ...openUrlTools(reading), findTool(reading)];
  return [...finding, quoteTool(reading), gapTool(reading)];
}

/** The quote as a finding. A model does not rank its quotes, so earlier ones get a higher score. */
function findingOf({ source_digest, start, end, text, statement, part_ids }: Quoted, index: number): FindingQuote {
  return { source_digest, start, end, text, statement, part_ids, query: "", score: 1 / (index + 1) };
}

// --- recall -------------------------------------------------------------------------------------------------------

const MAX_ENTRY_TEXT = 200;

/**
 * Reminds a researcher of its own work when the beginning of its conversation does not fit into a request any more: lists what was
 * recorded, not found, searched and found, in this order and the newest first, in at most `most` characters. Null when there is
 * nothing to list.
 */
export function recallOf(messages: readonly Message[], most: number): string | null {
  const state = new ResearchState(messages);
  const names = new Map([...state.opened().values()].map(({ source_digest, document }) => [source_digest, document]));
  const documents = new Map([...state.passages().values()].map((one) => [documentOf(one.name), one.title]));
  const entries = [
    ...state.quotes().map(({ source_digest, statement, part_ids }) => ({
      list: "recorded",
      entry: { document: names.get(source_digest), statement: shortened(statement, MAX_ENTRY_TEXT), part_ids },
    })),
    ...state.gaps().map(({ text }) => ({ list: "not_found", entry: { text: shortened(text, MAX_ENTRY_TEXT) } })),
    ...state.queries().map((query) => ({ list: "searched", entry: shortened(query, MAX_ENTRY_TEXT) })),
    ...[...documents].map(([document, title]) => ({
      list: "documents",
      entry: { document, title: shortened(title, MAX_ENTRY_TEXT) },
    })),
  ];
  const lists: Record<string, unknown[]> = {};
  let length = RECALL_OPENING.length + 2;
  for (const list of ["recorded", "not_found", "searched", "documents"])
    for (const { entry } of entries.filter((one) => one.list === list).toReversed()) {
      const frame = list in lists ? 0 : JSON.stringify(list).length + 4;
      const own = frame + JSON.stringify(entry).length + 1;
      if (length + own > most) continue;
      length += own;
      (lists[list] ??= []).unshift(entry);
    }
  return Object.keys(lists).length === 0 ? null : `${RECALL_OPENING}${JSON.stringify(lists)}`;
}

const RECALL_OPENING =
  "The beginning of this conversation is left out here, since it does not fit. What you did so far, and the names of documents, which still work: ";
