// The terms of a text as one question compares them: stems, with the endings of the question's language taken off.
import { stem } from "../../corpus/stem.ts";
import { withoutStopWords } from "../../corpus/stop-words.ts";
import { termsOf, wordsOf } from "../../corpus/terms.ts";
import { IRREGULAR_FORMS, WEAK_WORDS } from "./cues/word-lists.ts";
import { germanRoot, verbForms, withPlainUmlauts } from "./german-root.ts";

export type Language = "english" | "german" | "japanese";

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const GERMAN_LETTERS = /[äöüß]/iu;
const GERMAN_WORDS =
  /(?<!\p{L})(?:der|die|das|den|dem|und|ist|sind|wie|was|wird|werden|wurde|nicht|ein|eine|einen|für|von|mit|auf|aus|warum|wann|wer|wo|welche[rsn]?|bei|beim|kann|man|ich|im|zu|zum|zur|kostet|gibt)(?!\p{L})/giu;
/** No English question begins so. */
const GERMAN_OPENING =
  /^\W*(?:wie|warum|wieso|weshalb|wann|wer|wen|wem|wo|woher|wohin|womit|wozu|welche[mnrs]?|was (?:ist|sind|war|kostet|kosten|bedeutet|heißt|macht|tut|tun|muss|kann)|ist|sind|gibt es)(?!\p{L})/iu;

export function languageOf(question: string): Language {
  if (JAPANESE.test(question)) return "japanese";
  const german = new Set(question.toLowerCase().match(GERMAN_WORDS));
  const isGerman = GERMAN_LETTERS.test(question) || GERMAN_OPENING.test(question) || german.size >= 2;
  return isGerman ? "german" : "english";
}

/** By these a text is told to be German. */
const GERMAN_STOP_WORDS = ["und", "wird"];
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
    this.weak = new Set(WEAK_WORDS[this.language].map((word) => this.termOf(word)));
  }

  /** Of a word as a question or a text holds it, in lower case. */
  termOf(word: string): string {
    if (this.language === "german") return germanRoot(word);
    return this.rootOf(stem(this.language === "english" && word === "found" ? "find" : word));
  }

  /** The distinct words of a question that are not stop words, in order. */
  contentWords(text: string): string[] {
    return [...new Set(this.withoutStopWords(text))];
  }

  termsOf(text: string): string[] {
    if (this.language === "german") return this.withoutStopWords(text).map(germanRoot);
    // What is found was not founded, though the stem is one.
    const terms = termsOf(this.language === "english" ? text.replace(/\bfound\b/gi, "find") : text);
    return terms.map((term) => this.rootOf(term));
  }

  private withoutStopWords(text: string): string[] {
    // The language of a text is told by its stop words, which a short one does not hold.
    return withoutStopWords(this.language === "german" ? [...GERMAN_STOP_WORDS, ...wordsOf(text)] : wordsOf(text));
  }

  /** A query that a search takes for one of the question's language: its stop words are not looked for. */
  searchable(query: string): string {
    if (this.language !== "german") return query;
    const words = query.split(" ").flatMap((word) => [word, withPlainUmlauts(word), ...verbForms(word)]);
    return [...new Set([...GERMAN_STOP_WORDS, ...words])].join(" ");
  }

  /** A word with its irregular forms, for a search that knows regular ones only. */
  formsOf(word: string): string {
    if (this.language !== "english") return this.searchable(word);
    const term = stem(word);
    const forms = IRREGULAR_FORMS.find((all) => all.some((form) => stem(form) === term)) ?? [];
    return [...new Set([word, ...forms])].join(" ");
  }

  /** Whether a term says how something is asked rather than what about. */
  isWeak(term: string): boolean {
    return this.weak.has(term);
  }

  /** Whether a word is what a question is about, and no stop word. */
  tells(word: string): boolean {
    return !this.isWeak(this.termOf(word)) && this.contentWords(word).length > 0;
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
    if (this.language === "english") return this.irregular.get(term) ?? term;
    // 切れる and 切れ are one word: what is written in Han stands for it.
    return term.replace(/^(\p{Script=Han}+)\p{Script=Hiragana}+$/u, "$1");
  }
}
