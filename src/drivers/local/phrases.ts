// The phrases of some passages: one to three words that stand side by side and say more than the question does.
import { hasUnspacedScript, spacedText } from "../../corpus/terms.ts";
import { DETERMINER, IDLE_WORDS } from "./cues/word-lists.ts";
import type { Lexicon } from "./lexicon.ts";

export interface Phrase {
  key: string;
  terms: readonly string[];
  documents: Set<string>;
  passages: Set<string>;
  sentences: number;
  isHeading: boolean;
  /** As it is written most often. */
  name(): string;
}

const MAX_WORDS = 3;
const MIN_LETTERS = 4;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu;
/** Between words of one phrase stands a space and nothing else. */
const PHRASE_BORDER = /[^\p{L}\p{N}\p{M}\s'’-]+/u;
const LIKELY_VERB = /(?:ed|ly|ing|izes?|ifies|ify)$/u;

class FoundPhrase implements Phrase {
  readonly documents = new Set<string>();
  readonly passages = new Set<string>();
  sentences = 0;
  isHeading = false;
  isNoun = false;
  readonly key: string;
  readonly terms: readonly string[];
  private readonly written = new Map<string, number>();

  constructor(key: string, terms: readonly string[]) {
    this.key = key;
    this.terms = terms;
  }

  see(written: string): void {
    this.written.set(written, (this.written.get(written) ?? 0) + 1);
  }

  name(): string {
    const [best] = [...this.written].sort(([left, often], [right, oftener]) =>
      oftener === often ? (left < right ? -1 : 1) : oftener - often,
    );
    return best?.[0] ?? this.key;
  }
}

interface Token {
  written: string;
  term: string | null;
}

export class Phrases {
  readonly asked: ReadonlySet<string>;
  private readonly lexicon: Lexicon;
  private readonly idle: ReadonlySet<string>;
  private readonly known = new Map<string, FoundPhrase>();
  private readonly termOf = new Map<string, string | null>();
  private readonly headings = new Set<string>();

  constructor(lexicon: Lexicon, asked: readonly string[]) {
    this.lexicon = lexicon;
    this.asked = new Set(asked.map((word) => lexicon.termOf(word)));
    this.idle = new Set(IDLE_WORDS.map((word) => lexicon.termOf(word)));
  }

  readHeading(heading: string): void {
    for (const chunk of heading.split(PHRASE_BORDER))
      for (const run of runsOf(this.tokensOf(chunk))) for (const { key } of this.gramsOf(run)) this.headings.add(key);
  }

  readSentence(text: string, { origin, start }: { origin: string; start: number }): void {
    const seen = new Set<FoundPhrase>();
    for (const chunk of text.split(PHRASE_BORDER)) {
      for (const run of runsOf(this.tokensOf(chunk))) {
        for (const { key, terms, written, isLast } of this.gramsOf(run)) {
          const phrase = this.known.get(key) ?? new FoundPhrase(key, terms);
          this.known.set(key, phrase);
          phrase.see(written);
          // "The concise entry": what stands before another word may be an adjective.
          phrase.isNoun ||= isLast && this.isNoun(written, chunk);
          phrase.documents.add(origin);
          phrase.passages.add(`${origin}\0${start}`);
          seen.add(phrase);
        }
      }
    }
    for (const phrase of seen) phrase.sentences++;
  }

  all(): Phrase[] {
    const nouns = [...this.known.values()].filter((phrase) => phrase.isNoun);
    for (const phrase of nouns) phrase.isHeading = this.headings.has(phrase.key);
    return nouns;
  }

  private tokensOf(chunk: string): Token[] {
    return (spacedText(chunk).match(WORD) ?? []).map((written) => {
      const known = this.termOf.get(written);
      if (known !== undefined) return { written, term: known };
      const terms = this.lexicon.termsOf(written);
      const term = terms.length === 1 ? (terms[0] ?? null) : null;
      this.termOf.set(written, term);
      return { written, term };
    });
  }

  private *gramsOf(run: readonly { written: string; term: string }[]): Generator<{
    key: string;
    terms: string[];
    written: string;
    isLast: boolean;
  }> {
    for (let from = 0; from < run.length; from++) {
      for (let length = 1; length <= MAX_WORDS && from + length <= run.length; length++) {
        const words = run.slice(from, from + length);
        const terms = words.map(({ term }) => term);
        if (!this.saysMore(terms)) continue;
        const separator = hasUnspacedScript(words[0]?.written ?? "") ? "" : " ";
        const written = words.map((word) => word.written).join(separator);
        yield { key: terms.join(" "), terms, written, isLast: from + length === run.length };
      }
    }
  }

  /** Every word of a phrase tells something, and one of them is not asked about. */
  private saysMore(terms: readonly string[]): boolean {
    if (new Set(terms).size < terms.length) return false;
    return (
      terms.every((term) => this.asked.has(term) || this.tells(term)) && terms.some((term) => !this.asked.has(term))
    );
  }

  private tells(term: string): boolean {
    const isLong = term.length >= (hasUnspacedScript(term) ? 2 : MIN_LETTERS - 1);
    return isLong && !/\p{N}/u.test(term) && !this.idle.has(term) && !this.lexicon.isWeak(term);
  }

  private isNoun(written: string, chunk: string): boolean {
    const words = written.split(/\s+/u);
    switch (this.lexicon.language) {
      case "japanese":
        return !/\p{Script=Hiragana}/u.test(written);
      case "german":
        // Adjectives carry the endings of their sentence.
        return words.every((word) => /^\p{Lu}/u.test(word)) && !chunk.startsWith(written);
      case "english":
        if (words.some((word) => LIKELY_VERB.test(word))) return false;
        return DETERMINER.test(chunk.slice(0, Math.max(0, chunk.indexOf(written))));
    }
  }
}

/** Words that stand side by side with no stop word between them. */
function runsOf(tokens: readonly Token[]): { written: string; term: string }[][] {
  const runs: { written: string; term: string }[][] = [[]];
  for (const { written, term } of tokens) {
    if (term === null) runs.push([]);
    else runs.at(-1)?.push({ written, term });
  }
  return runs;
}
