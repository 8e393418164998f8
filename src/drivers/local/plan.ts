// The plan: the parts of the question, and the perspectives from which sentences are looked for.
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Perspective, Plan, QuestionPart } from "../../run/research.ts";
import { aspectsOf, type Aspect } from "./aspects.ts";
import { SEARCH_WORDS } from "./cues/question-cues.ts";
import { measureWords } from "./expectations.ts";
import { languageOf, Lexicon, type Language } from "./lexicon.ts";
import { partsOf } from "./question.ts";
import { weighParts } from "./term-weights.ts";
import { UniqueIds } from "./unique-id.ts";

const MAX_QUERIES = 4;
const MAX_QUERY_WORDS = 24;
const MAX_QUERY_LENGTH = 1_000;
const ROOM_FOR_CUES = 4;

export async function plan({ question, limits }: Tasks["plan"]["input"], tools: TaskTools): Promise<Plan> {
  const lexicon = new Lexicon(question);
  const asked = partsOf(question, lexicon);
  const parts = await weighParts(asked.parts, lexicon, tools);
  const notes = asked.leftOut === 0 ? [] : [`Only the first ${parts.length} parts of the question were researched.`];
  const language = languageOf(question);
  if (limits.max_perspectives === 1) return { parts, perspectives: [onlyPerspective(parts, language)], notes };
  const aspects = await aspectsOf(parts, lexicon, tools);
  const wished = [
    overview(parts, language),
    ...(parts.length > 1 ? parts.map((part) => facet(part, language)) : []),
    practice(parts, language),
    ...perspectivesOn(aspects, parts),
  ];
  // The last place is kept for what speaks against the expected answer.
  const room = limits.max_perspectives - 1;
  const perspectives = withOwnTitles([...wished.slice(0, room), contrarian(parts, language)]);
  const left = wished.slice(room).map(({ title }) => title);
  if (left.length > 0)
    notes.push(`Not researched (limit of ${limits.max_perspectives} perspectives): ${left.join("; ")}.`);
  return { parts, perspectives, notes };
}

function overview(parts: QuestionPart[], language: Language): Perspective {
  return {
    id: "overview",
    title: "Overview",
    kind: "overview",
    questions: parts.map((part) => part.text),
    queries: queriesOf([
      wordsOfAll(parts),
      ...parts.map(withMeasure),
      ...SEARCH_WORDS[language].overview.map((cues) => [...wordsOfAll(parts), ...cues]),
    ]),
    part_ids: idsOf(parts),
  };
}

function facet(part: QuestionPart, language: Language): Perspective {
  return {
    id: `facet-${part.id}`,
    title: sentenceCase(part.text),
    kind: "facet",
    questions: [part.text],
    queries: queriesOf([
      part.terms,
      withMeasure(part),
      ...SEARCH_WORDS[language].overview.map((cues) => [...cues, ...part.terms]),
      ...SEARCH_WORDS[language].practice.map((cues) => [...cues, ...part.terms]),
    ]),
    part_ids: [part.id],
  };
}

/** What the corpus itself says beside the words of the question. */
function perspectivesOn(aspects: readonly Aspect[], parts: QuestionPart[]): Perspective[] {
  const ids = new UniqueIds("aspect");
  return aspects.map(({ name }) => ({
    id: `aspect-${ids.next(name)}`,
    title: sentenceCase(name),
    kind: "facet",
    questions: parts.map((part) => `What is said about “${name}”: ${part.text}`),
    queries: queriesOf([[...wordsOfAll(parts), name], [name], ...parts.map((part) => [name, ...part.terms])]),
    part_ids: idsOf(parts),
    focus: [name],
  }));
}

function practice(parts: QuestionPart[], language: Language): Perspective {
  return {
    id: "practice",
    title: "In practice",
    kind: "practice",
    questions: parts.map((part) => `How is it done, and what are examples: ${part.text}`),
    queries: queriesOf([
      wordsOfAll(parts),
      ...SEARCH_WORDS[language].practice.map((cues) => [...wordsOfAll(parts), ...cues]),
    ]),
    part_ids: idsOf(parts),
  };
}

function contrarian(parts: QuestionPart[], language: Language): Perspective {
  return {
    id: "contrarian",
    title: "Limits and objections",
    kind: "contrarian",
    questions: parts.map((part) => `What speaks against it, and where does it fail: ${part.text}`),
    queries: queriesOf([
      wordsOfAll(parts),
      ...SEARCH_WORDS[language].contrarian.map((cues) => [...wordsOfAll(parts), ...cues]),
    ]),
    part_ids: idsOf(parts),
  };
}

/** With room for one perspective, it answers and contradicts at once. */
function onlyPerspective(parts: QuestionPart[], language: Language): Perspective {
  const answering = overview(parts, language);
  const opposing = contrarian(parts, language);
  return {
    ...opposing,
    title: "Answer and objections",
    questions: [...answering.questions, ...opposing.questions],
    queries: [...new Set([...answering.queries.slice(0, 2), ...opposing.queries.slice(-2)])],
  };
}

/** A part of the question may be worded like another perspective, or twice. */
function withOwnTitles(perspectives: readonly Perspective[]): Perspective[] {
  const taken = new Set<string>();
  return perspectives.map((perspective) => {
    let { title } = perspective;
    for (let number = 2; taken.has(title.toLowerCase()); number++) title = `${perspective.title} (${number})`;
    taken.add(title.toLowerCase());
    return { ...perspective, title };
  });
}

/** The words of a part, with those by which documents name the measure that it asks for. */
function withMeasure({ text, terms }: QuestionPart): string[] {
  return [...terms, ...measureWords(text)];
}

function queriesOf(wordLists: readonly (readonly string[])[]): string[] {
  const queries = wordLists
    .map((words) => [...new Set(words)].slice(0, MAX_QUERY_WORDS).join(" ").slice(0, MAX_QUERY_LENGTH).toWellFormed())
    .filter((query) => query !== "");
  return [...new Set(queries)].slice(0, MAX_QUERIES);
}

function wordsOfAll(parts: readonly QuestionPart[]): string[] {
  return [...new Set(parts.flatMap((part) => part.terms))].slice(0, MAX_QUERY_WORDS - ROOM_FOR_CUES);
}

function idsOf(parts: readonly QuestionPart[]): string[] {
  return parts.map((part) => part.id);
}

function sentenceCase(text: string): string {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length);
}
