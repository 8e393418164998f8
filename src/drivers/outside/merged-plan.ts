// One plan of several drafts: the first one stands, and the others add what it has nothing like.
import { assert } from "../../kernel/assert.ts";
import { contentWords } from "../../corpus/terms.ts";
import type { Perspective, Plan, QuestionPart } from "../../run/research.ts";
import type { Limits } from "../../run/settings.ts";
import { MAX_PARTS } from "../briefs/plan.ts";

/** Two texts that share more than this of the words of the shorter one are about the same. */
const ALIKE = 0.5;

/**
 * In the order of the stances: the first draft whole, then parts and perspectives of the others that no earlier one is like,
 * as far as the limits go. A perspective goes to the part of the first draft that its own part is like.
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
      else perspectives.push({ ...perspective, id: freeId(perspective.id, perspectives), part_ids });
    }
  }
  // A part of another draft stays only where somebody looks for it.
  const looked = new Set<string>(perspectives.flatMap(({ part_ids }) => part_ids));
  const kept = parts.filter(({ id }) => looked.has(id) || first.parts.some((part) => part.id === id));
  const notes = left === 0 ? [] : [`${left} of the perspectives that others planned did not fit into the limits.`];
  const agreement = agreementOf(first, others[0]);
  return {
    parts: kept,
    perspectives,
    ...(notes.length === 0 ? {} : { notes }),
    ...(agreement === undefined ? {} : { agreement }),
  };
}

/** The id of the part that is like it; of the part itself once it is added; null where there is no room. */
function placed(part: QuestionPart, parts: QuestionPart[]): string | null {
  const known = parts.find(({ text }) => isAlike(text, part.text));
  if (known !== undefined) return known.id;
  if (parts.length === MAX_PARTS) return null;
  const added = { ...part, id: freeId(part.id, parts) };
  parts.push(added);
  return added.id;
}

function freeId(wanted: string, taken: readonly Pick<Perspective, "id">[]): string {
  const ids = new Set<string>(taken.map(({ id }) => id));
  let id = wanted;
  for (let number = 2; ids.has(id); number++) id = `${wanted}-${number}`;
  return id;
}

/** The share of the parts of one draft that another one names as well. */
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
