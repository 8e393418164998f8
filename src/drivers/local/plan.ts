// The plan: the parts of the question, and the perspectives from which sentences are looked for.
import type { Tasks } from "../../ports/driver.ts";
import type { Perspective, Plan, QuestionPart } from "../../run/research.ts";
import { partsOf } from "./question.ts";

const MAX_QUERIES = 4;
const MAX_QUERY_WORDS = 24;
const MAX_QUERY_LENGTH = 1_000;

export function plan({ question, limits }: Tasks["plan"]["input"]): Plan {
  const parts = partsOf(question);
  if (limits.max_perspectives === 1) return { parts, perspectives: [onlyPerspective(parts)] };
  const wished = [overview(parts), ...(parts.length > 1 ? parts.map(facet) : []), practice(parts)];
  // The last place is kept for what speaks against the expected answer.
  return { parts, perspectives: [...wished.slice(0, limits.max_perspectives - 1), contrarian(parts)] };
}

function overview(parts: QuestionPart[]): Perspective {
  return {
    id: "overview",
    title: "Overview",
    kind: "overview",
    questions: parts.map((part) => part.text),
    queries: queriesOf([
      wordsOfAll(parts),
      ...parts.map((part) => part.terms),
      ["overview", ...wordsOfAll(parts)],
      ["meaning", ...wordsOfAll(parts)],
    ]),
    part_ids: idsOf(parts),
  };
}

function facet(part: QuestionPart): Perspective {
  return {
    id: `facet-${part.id}`,
    title: sentenceCase(part.text),
    kind: "facet",
    questions: [part.text],
    queries: queriesOf([part.terms, ["meaning", ...part.terms], ["behaviour", "default", ...part.terms]]),
    part_ids: [part.id],
  };
}

function practice(parts: QuestionPart[]): Perspective {
  return {
    id: "practice",
    title: "In practice",
    kind: "practice",
    questions: parts.map((part) => `How is it done, and what are examples: ${part.text}`),
    queries: queriesOf([
      [...wordsOfAll(parts), "example", "usage"],
      [...wordsOfAll(parts), "configure", "set", "pass"],
      [...wordsOfAll(parts), "default", "custom"],
    ]),
    part_ids: idsOf(parts),
  };
}

function contrarian(parts: QuestionPart[]): Perspective {
  return {
    id: "contrarian",
    title: "Limits and objections",
    kind: "contrarian",
    questions: parts.map((part) => `What speaks against it, and where does it fail: ${part.text}`),
    queries: queriesOf([
      [...wordsOfAll(parts), "limitation", "unsupported", "only"],
      [...wordsOfAll(parts), "deprecated", "breaking", "removed"],
      [...wordsOfAll(parts), "problem", "issue", "warning", "error"],
      [...wordsOfAll(parts), "avoid", "caution", "instead"],
    ]),
    part_ids: idsOf(parts),
  };
}

/** With room for one perspective, it answers and contradicts at once. */
function onlyPerspective(parts: QuestionPart[]): Perspective {
  const answering = overview(parts);
  const opposing = contrarian(parts);
  return {
    ...opposing,
    title: "Answer and objections",
    questions: [...answering.questions, ...opposing.questions],
    queries: [...answering.queries.slice(0, 2), ...opposing.queries.slice(0, 2)],
  };
}

function queriesOf(wordLists: readonly (readonly string[])[]): string[] {
  const queries = wordLists
    .map((words) => [...new Set(words)].slice(0, MAX_QUERY_WORDS).join(" ").slice(0, MAX_QUERY_LENGTH).toWellFormed())
    .filter((query) => query !== "");
  return [...new Set(queries)].slice(0, MAX_QUERIES);
}

function wordsOfAll(parts: readonly QuestionPart[]): string[] {
  return [...new Set(parts.flatMap((part) => part.terms))].slice(0, MAX_QUERY_WORDS - 4);
}

function idsOf(parts: readonly QuestionPart[]): string[] {
  return parts.map((part) => part.id);
}

function sentenceCase(text: string): string {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length);
}
