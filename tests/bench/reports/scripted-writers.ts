// Models for the bench to measure: one reads everything and writes what it is given, with the marks of what it read.
import type { Answer, ScriptedCall, SeenRequest } from "../../models/answers.ts";
import { asksFor } from "../../models/answers.ts";
import {
  citationsOf,
  named,
  resultsOf,
  submits,
  taskOf,
  wellBehaved,
  type SeenTask,
  type ShownCitation,
} from "../../live/well-behaved.ts";

/** Writes a page; `citing` names the quote that holds some words, `ofGap` what was looked for in vain. */
export interface Writer {
  searches: readonly string[];
  gaps?: readonly string[];
  page: (citing: (words: string) => string, ofGap: (words: string) => string) => string;
}

const PART = "all";

export function scripted(writer: Writer): (request: SeenRequest) => Answer {
  return (request) => {
    const task = taskOf(request);
    switch (task.who) {
      case "plan":
        return asksFor(named(task, [submits(planFor(task, writer.searches))]));
      case "research":
        return asksFor(named(task, researchCalls(task, writer)));
      case "draft":
        return asksFor(named(task, [submits({ page: written(task, writer) })]));
      default:
        return wellBehaved(request);
    }
  };
}

function planFor({ user }: SeenTask, queries: readonly string[]): unknown {
  const [, question = ""] = /The question: (.+)/.exec(user) ?? [];
  return {
    parts: [{ id: PART, text: question.slice(0, 300) }],
    perspectives: [
      { id: "one", title: "All of it", kind: "overview", questions: [question], queries, part_ids: [PART] },
    ],
  };
}

/** Every document that was found becomes one quote. */
function researchCalls(task: SeenTask, writer: Writer): ScriptedCall[] {
  const found = resultsOf<{ document: string }[]>(task, "found");
  const opened = resultsOf<{ document: string; document_text: string }>(task, "opened");
  const recorded = resultsOf<string>(task, "recorded");
  if (found.length === 0) return writer.searches.map((query) => ({ name: "search", arguments: { query } }));
  if (opened.length === 0) {
    const documents = new Set(found.flat().map(({ document }) => document.split(".")[0]));
    return [...documents].map((document) => ({ name: "open", arguments: { document, from: 0 } }));
  }
  if (recorded.length > 0) return [submits({ notes: [] })];
  return [
    ...opened.map(({ document, document_text }) => ({
      name: "quote",
      arguments: { document, text: document_text.trim(), statement: "It is written there.", part_ids: [PART] },
    })),
    ...(writer.gaps ?? []).map((text) => ({ name: "note_gap", arguments: { text, reason: "looked for everywhere" } })),
  ];
}

function written(task: SeenTask, { page }: Writer): string {
  const citations = citationsOf(task);
  const { gaps } = JSON.parse(task.user) as { gaps: { gap_id: string; text: string }[] };
  return page(
    (words) => idOf(citations, words),
    (words) => gaps.find(({ text }) => text.includes(words))?.gap_id ?? "",
  );
}

function idOf(citations: readonly ShownCitation[], words: string): string {
  const one = citations.find(({ document_text }) => document_text.includes(words));
  if (one === undefined) throw new Error(`no quote holds ${words}`);
  return one.citation_id;
}
