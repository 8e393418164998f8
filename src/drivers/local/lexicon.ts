// The terms of a text as one question compares them: stems, with the endings of the question's language taken off.
import { termsOf } from "../../corpus/terms.ts";
import { stem } from "../../corpus/stem.ts";
import { IRREGULAR_FORMS, WEAK_WORDS } from "./cues/word-lists.ts";

export type Language = "english" | "german" | "japanese";

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const GERMAN_LETTERS = /[äöüß]/iu;
const GERMAN_WORDS =
  /(?<!\p{L})(?:der|die|das|den|dem|und|ist|sind|wie|was|wird|werden|wurde|nicht|ein|eine|einen|für|von|mit|auf|aus|warum|wann|wer|wo|welche[rsn]?|bei|beim|kann|man|ich|im|zu|zum|zur)(?!\p{L})/giu;

export function languageOf(question: string): Language {
  if (JAPANESE.test(question)) return "japanese";
  const german = new Set(question.toLowerCase().match(GERMAN_WORDS));
  return GERMAN_LETTERS.test(question) || german.size >= 2 ? "german" : "english";
}

const GERMAN_STOP_WORDS = "und wird";
const MIN_COMPOUND_PART = 5;
const MIN_COMPOUND_REST = 3;

export class Lexicon {
  readonly language: Language;
  private readonly weak: ReadonlySet<string>;
  /** By stem, the stem of the form it belongs to. */
  private readonly irregular: ReadonlyMap<string, string>;

  constructor(question: string) {
    this.language = languageOf(question);
    this.irregular = new Map(
      IRREGULAR_FORMS.flatMap(([base = "", ...forms]) => forms.map((form) => [stem(form), stem(base)] as const)),
    );
    this.weak = new Set(WEAK_WORDS.map((word) => this.termOf(word)));
  }

  /** Of a word as a question or a text holds it, in lower case. */
  termOf(word: string): string {
    return this.rootOf(stem(this.language === "english" && word === "found" ? "find" : word));
  }

  termsOf(text: string): string[] {
    // Stop words are told by the language of a text, which a single word does not show.
    const told = this.language === "german" ? `${GERMAN_STOP_WORDS} ${text}` : text;
    // What is found was not founded, though the stem is one.
    const terms = termsOf(this.language === "english" ? told.replace(/\bfound\b/gi, "find") : told);
    return terms.map((term) => this.rootOf(term));
  }

  /** A word with its irregular forms, for a search that knows regular ones only. */
  formsOf(word: string): string {
    if (this.language !== "english") return word;
    const term = stem(word);
    const forms = IRREGULAR_FORMS.find((all) => all.some((form) => stem(form) === term)) ?? [];
    return [...new Set([word, ...forms])].join(" ");
  }

  /** Whether a term says how something is asked rather than what about. */
  isWeak(term: string): boolean {
    return this.weak.has(term);
  }

  /** In German also as a part of a longer word. */
  holds(terms: ReadonlySet<string>, term: string): boolean {
    if (terms.has(term)) return true;
    if (this.language !== "german" || term.length < MIN_COMPOUND_PART) return false;
    for (const other of terms) {
      if (other.length >= term.length + MIN_COMPOUND_REST && (other.startsWith(term) || other.endsWith(term)))
        return true;
    }
    return false;
  }

  private rootOf(term: string): string {
    switch (this.language) {
      case "english":
        return this.irregular.get(term) ?? term;
      case "german":
        return germanRoot(term);
      case "japanese":
        // 切れる and 切れ are one word: what is written in Han stands for it.
        return term.replace(/^(\p{Script=Han}+)\p{Script=Hiragana}+$/u, "$1");
    }
  }
}

function germanRoot(term: string): string {
  if (term.length < 6) return term;
  const base = term.replace(/(?:ern|em|en|er|es|e|s|n)$/, "");
  return base.replace(/^ge(\p{L}{4,})t$/u, "$1").replace(/(\p{L}{5,})t$/u, "$1");
}
