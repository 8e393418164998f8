// Finds passages that say the same in two formats of one document, such as `page.html` and its source `page.rst.txt`.
import { documentKindOf, formatOf } from "../formats/formats.ts";
import { wordsOf } from "../words/terms.ts";

/** The share of the words of the shorter passage that the other one has to hold. */
const ALIKE = 0.7;

interface Said {
  origin: string;
  text: string;
  score: number;
}

/**
 * Leaves out passages that an earlier one says in another format of the same document. Of a plain text and a page the page is
 * shown, with the place and the score of the earlier one.
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

/** A page shows no signs of markup, while the plain text of its source does. */
function isPage({ origin }: Said): boolean {
  return documentKindOf(origin) === "html";
}

function areTwins(one: Said, other: Said): boolean {
  if (one.origin === other.origin || nameOf(one.origin) !== nameOf(other.origin)) return false;
  const [left, right] = [new Set(wordsOf(one.text)), new Set(wordsOf(other.text))];
  return left.intersection(right).size >= ALIKE * Math.min(left.size, right.size);
}

/** The name of the file without folder and endings, since sources are in a folder of their own. */
function nameOf(origin: string): string {
  const name = origin.slice(origin.lastIndexOf("/") + 1);
  return name.replace(/(?<=.)\.[a-z0-9.]{1,12}$/i, "");
}
