// Tells passages that say the same in two formats of one document: page.rst.txt of page.html.
import { documentKindOf, formatOf } from "./formats.ts";
import { wordsOf } from "./terms.ts";

/** Of the words of the shorter passage, those that stand in the other. */
const ALIKE = 0.7;

interface Said {
  origin: string;
  text: string;
  score: number;
}

/**
 * Leaves out what an earlier passage says already in another format of the same document. Of a plain text and the page that
 * was made of it the page is shown, where the better one stands.
 */
export function withoutTwins<T extends Said>(passages: readonly T[]): T[] {
  const kept: T[] = [];
  for (const passage of passages) {
    const at = kept.findIndex((earlier) => areTwins(earlier, passage));
    const earlier = kept[at];
    if (earlier === undefined) kept.push(passage);
    else if (isPage(passage) && formatOf(earlier.origin) === "plain") kept[at] = { ...passage, score: earlier.score };
  }
  return kept;
}

/** Signs of its source are none of its words: titles, lists and links are told by what they are. */
function isPage({ origin }: Said): boolean {
  return documentKindOf(origin) === "html";
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
