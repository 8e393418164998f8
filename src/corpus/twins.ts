// Tells passages that say the same in two formats of one document: page.rst.txt of page.html.
import { wordsOf } from "./terms.ts";

/** Of the words of the shorter passage, those that stand in the other. */
const ALIKE = 0.7;

interface Said {
  origin: string;
  text: string;
}

/** Leaves out what an earlier passage says already in another format of the same document. */
export function withoutTwins<T extends Said>(passages: readonly T[]): T[] {
  const kept: T[] = [];
  for (const passage of passages) if (!kept.some((earlier) => areTwins(earlier, passage))) kept.push(passage);
  return kept;
}

function areTwins(one: Said, other: Said): boolean {
  if (one.origin === other.origin || nameOf(one.origin) !== nameOf(other.origin)) return false;
  const [left, right] = [new Set(wordsOf(one.text)), new Set(wordsOf(other.text))];
  return left.intersection(right).size >= ALIKE * Math.min(left.size, right.size);
}

/** Without its folder, which may be one of sources, and without its endings. */
function nameOf(origin: string): string {
  const name = origin.slice(origin.lastIndexOf("/") + 1);
  return name.replace(/(?<=.)\.[a-z0-9.]{1,12}$/i, "");
}
