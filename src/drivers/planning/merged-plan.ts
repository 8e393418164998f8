// Merges several drafts of a plan. The first draft stays whole, and the others add what it does not have.
import { assert } from "../../kernel/assert.ts";
import { freeName } from "../../kernel/ids.ts";
import { contentWords } from "../../corpus/words/terms.ts";
import type { Plan, QuestionPart } from "../../run/report/research.ts";
import type { Limits } from "../../run/settings/settings.ts";
import { assumed, MAX_PARTS } from "./plan-brief.ts";

/** Two texts are alike when they share more than this part of the words of the shorter one. */
const ALIKE = 0.5;

/**
 * `drafts`: in the order of the stances. A part or perspective of a later draft is added when no earlier one is like it and the
 * limits allow it. A perspective names the earlier part that its own part is like.
 */
export function mergedPlan(drafts: readonly Plan[], { max_perspectives }: Limits): Plan {
  const [first, ...others] = drafts;
  assert(first !== undefined, "a plan is made of at least one draft");
  const parts = [...first.parts];
  const perspectives = [...first.perspectives];
  let left = 0;
  for (const draft of others) {
    const partIds = new Map(draft.parts.map((part) => [part.id, placed(part, parts)]));
    for (const perspective of draft.perspectives) {
      if (perspectives.some(({ title }) => isAlike(title, perspective.title))) continue;
      const part_ids = [...new Set(perspective.part_ids.flatMap((id) => partIds.get(id) ?? []))];
      if (perspectives.length === max_perspectives || part_ids.length === 0) left++;
      else perspectives.push({ ...perspective, id: freeName(perspective.id, idsOf(perspectives)), part_ids });
    }
  }
  // An added part stays only when some perspective looks for it.
  const looked = new Set<string>(perspectives.flatMap(({ part_ids }) => part_ids));
  const kept = parts.filter(({ id }) => looked.has(id) || first.parts.some((part) => part.id === id));
  const notes = left === 0 ? [] : [`${left} of the perspectives that others planned did not fit into the limits.`];
  const agreement = agreementOf(first, others[0]);
  return {
    parts: kept,
    perspectives,
    ...assumed(drafts.flatMap(({ assumptions = [] }) => assumptions)),
    ...(notes.length === 0 ? {} : { notes }),
    ...(agreement === undefined ? {} : { agreement }),
  };
}

/** The id of the part that is like this one, or of this one after it was added. Null when there are too many parts. */
function placed(part: QuestionPart, parts: QuestionPart[]): string | null {
  const known = parts.find(({ text }) => isAlike(text, part.text));
  if (known !== undefined) return known.id;
  if (parts.length === MAX_PARTS) return null;
  const added = { ...part, id: freeName(part.id, idsOf(parts)) };
  parts.push(added);
  return added.id;
}

function idsOf(all: readonly { id: string }[]): string[] {
  return all.map(({ id }) => id);
}

/** The share of the parts of the first draft that the second one has, too, 0 to 1. */
function agreementOf(first: Plan, second: Plan | undefined): number | undefined {
  if (second === undefined) return undefined;
  const shared = first.parts.filter(({ text }) => second.parts.some((part) => isAlike(part.text, text)));
  return Math.round((shared.length / first.parts.length) * 100) / 100;
}

function isAlike(one: string, other: string): boolean {
  const [left, right] = [new Set(contentWords(one)), new Set(contentWords(other))];
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared > Math.min(left.size, right.size) * ALIKE;
}
