// What a number is about: the noun phrase that stands first in its clause, or next to it when the clause begins otherwise.
import { hasUnspacedScript } from "../../corpus/terms.ts";
import { DETERMINER_WORD, JAPANESE_TOPIC } from "./cues/word-lists.ts";
import type { Lexicon } from "./lexicon.ts";

const CLAUSE_BORDER = /(?<!(?<!\p{L})\p{L})[.;:!?()]\s|,\s(?:and|but|so|und|aber)\s/gu;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu;

/** The terms of that phrase; `at`: the string offset of the number. */
export function subjectHead(text: string, at: number, lexicon: Lexicon): ReadonlySet<string> {
  const clause = clauseBefore(text, at);
  if (hasUnspacedScript(clause)) return new Set(lexicon.termsOf(clause.split(JAPANESE_TOPIC)[0] ?? ""));
  const phrases = phrasesOf(clause, lexicon);
  const [first] = clause.match(WORD) ?? [];
  const beginsWithNoun = first !== undefined && (DETERMINER_WORD.test(first) || lexicon.contentWords(first).length > 0);
  return new Set(beginsWithNoun ? phrases[0] : phrases.at(-1));
}

function clauseBefore(text: string, at: number): string {
  const before = text.slice(0, at);
  const [border] = [...before.matchAll(CLAUSE_BORDER)].slice(-1);
  return border === undefined ? before : before.slice(border.index + border[0].length);
}

/** Stop words such as "of" and "is" stand between phrases. In German nouns are told by their capital letters. */
function phrasesOf(clause: string, lexicon: Lexicon): string[][] {
  const phrases: string[][] = [];
  let open: string[] | null = null;
  for (const [word] of clause.matchAll(WORD)) {
    const [term] = lexicon.termsOf(word);
    if (term === undefined || /^\p{N}/u.test(term) || (lexicon.language === "german" && !/^\p{Lu}/u.test(word)))
      open = null;
    else if (open === null) phrases.push((open = [term]));
    else open.push(term);
  }
  return phrases;
}
