// Makes excerpts of passages within the limits of a task: shaped, marked, and each said once.
import { wordsOf } from "../../corpus/words/terms.ts";
import { given } from "../../kernel/given.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Passage } from "../../ports/provider.ts";
import type { FindingQuote, Findings, QuestionPart } from "../../run/report/research.ts";
import { emptinessOf, type Source } from "../../run/report/source.ts";
import type { Limits } from "../../run/settings/settings.ts";
import type { PartWords } from "./part-words.ts";
import { ANSWERS_FROM, headingOf, judge } from "./coverage.ts";
import { excerptAround, itemsAlone, linesAlone } from "./excerpt.ts";
import { isOfHistory } from "./histories.ts";
import { isOwnReport } from "./own-reports.ts";
import type { Span } from "../../kernel/sentences.ts";
import { StoredText } from "./stored-text.ts";

/** The share of the excerpts of a task that one part of the question may take. */
const PART_SHARE = 0.5;

export type Gathered = Pick<Findings, "quotes" | "sources" | "notes">;

export interface Candidate {
  part: QuestionPart;
  sought: PartWords;
  passage: Passage;
  query: string;
  /** Ranked behind prose, whatever its score in the search. */
  isBehind: boolean;
  /** What a ranker said of it. */
  ranked?: RankedPlace;
}

interface RankedPlace {
  /** From 1. */
  place: number;
  /** Absent where only the order counts. */
  answers?: "yes" | "partly" | "no" | undefined;
  /** The sentences that say it, by their places in the passage. */
  marks: readonly Span[];
}

/** Those that give way stand last. */
export function inOrder<T>(items: readonly T[], givesWay: (item: T) => boolean): T[] {
  return items.toSorted((left, right) => Number(givesWay(left)) - Number(givesWay(right)));
}

/** Collects the excerpts of one task within its limits. Each document is stored and cut into blocks once. */
export class Excerpts {
  readonly #limits: Limits;
  readonly #tools: TaskTools;
  readonly #taken: Excerpt[] = [];
  readonly #sources = new Map<string, Source>();
  readonly #kept = new Map<string, { source: Source; text: StoredText } | null>();
  readonly #notes = new Set<string>();
  #words = 0;

  constructor(limits: Limits, tools: TaskTools) {
    this.#limits = limits;
    this.#tools = tools;
  }

  /** Adds the excerpt of a candidate unless it is over a limit or says nothing new. False when its document cannot be quoted. */
  async add(candidate: Candidate): Promise<boolean> {
    const { max_quotes_per_subject, max_words_per_subject, max_sources_per_subject } = this.#limits;
    if (this.#taken.length >= max_quotes_per_subject) return this.#leaveOut(`${max_quotes_per_subject} quotes`);
    // More excerpts for one part do not help a reader.
    const most = Math.ceil(max_quotes_per_subject * PART_SHARE);
    if (this.#takenFor(candidate.part.id).length >= most)
      return this.#leaveOut(`${most} quotes for a part of the question`);
    const document = await this.#read(candidate.passage);
    if (document === null) return false;
    const found = document.text.find(candidate.passage);
    if (found === null) {
      this.note(`${candidate.passage.origin} is not as it was indexed and was left out.`);
      return false;
    }
    const isNew = !this.#sources.has(document.source.source_digest);
    if (isNew && this.#sources.size >= max_sources_per_subject)
      return this.#leaveOut(`${max_sources_per_subject} sources`);
    for (const span of [excerptAround(found, document.text), found]) {
      const excerpt = excerptOf(candidate, { span, found }, document.text);
      const words = excerpt?.quote.text.match(/\S+/gu)?.length ?? 0;
      if (this.#words + words > max_words_per_subject) continue;
      if (excerpt === null || this.#holds(excerpt, candidate.part.id)) return true;
      this.#words += words;
      this.#sources.set(document.source.source_digest, document.source);
      this.#taken.push(excerpt);
      return true;
    }
    return this.#leaveOut(`${max_words_per_subject} words`);
  }

  /** What a reader should know about how passages were found. */
  note(note: string): void {
    this.#notes.add(note);
  }

  gathered(parts: readonly QuestionPart[]): Gathered {
    const kept = [...this.#sources.values()];
    const sources = kept.map(({ source_digest, title, origin }) => ({ source_digest, title, origin }));
    const quotes = parts.flatMap(({ id }) => {
      const taken = this.#takenFor(id);
      // Those that were ranked are taken in their order.
      if (taken.some(({ quote }) => quote.ranked !== undefined)) return taken.map(({ quote }) => quote);
      const byScore = taken.toSorted((left, right) => right.quote.score - left.quote.score);
      return inOrder(byScore, ({ isBehind }) => isBehind).map(({ quote }) => quote);
    });
    if (quotes.length > 0) return { quotes, sources, notes: [...this.#notes] };
    const notes = [...this.#notes, "No passage holds a distinctive word of any part of the question."];
    return { quotes: [], sources, notes };
  }

  async #read(passage: Passage): Promise<{ source: Source; text: StoredText } | null> {
    const key = `${passage.origin}\0${passage.document_digest}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    this.#tools.say(`reading ${passage.origin}`);
    const kept = await this.#tools.keep(passage);
    let read = null;
    if (kept.kind === "kept") {
      const text = await StoredText.read(kept.source, kept.text, this.#tools.signal);
      if (isOwnReport(text)) this.note(`${passage.origin} is a report of this tool and was left out.`);
      else read = { source: kept.source, text };
    } else if (kept.kind === "changed") this.note(`${passage.origin} changed since it was indexed and was left out.`);
    else this.note(`${passage.origin} could not be read and was left out: ${kept.reason}.`);
    this.#kept.set(key, read);
    return read;
  }

  #takenFor(part: string): Excerpt[] {
    return this.#taken.filter(({ quote }) => quote.part_ids.includes(part));
  }

  /** True when one for the same part overlaps with it, or says the same in another document, such as its PDF. */
  #holds({ quote, copied }: Excerpt, part: string): boolean {
    const others = this.#takenFor(part).map((other) => other.quote);
    const { source_digest, start, end } = quote;
    const said = others.map(({ text }) => wordsIn(text));
    return (
      others.some((other) => other.source_digest === source_digest && other.start < end && start < other.end) ||
      (copied.length > 0 && copied.every((sentence) => said.some((text) => text.includes(sentence))))
    );
  }

  #leaveOut(limit: string): true {
    this.note(`More passages were found than are shown (limit of ${limit}).`);
    return true;
  }
}

interface Excerpt {
  quote: FindingQuote;
  isBehind: boolean;
  /** The words of its marked sentences, and its numbers, since a text with another number is no copy. */
  copied: string[];
}

/** Null for a span that says nothing, such as a heading alone. `found`: where the passage is. */
function excerptOf(
  { part, sought, passage, query, isBehind, ranked }: Candidate,
  { span, found }: { span: Span; found: Span },
  document: StoredText,
): Excerpt | null {
  const sentences = document.sentencesIn(span);
  if (sentences.length === 0) return null;
  const texts = sentences.map((sentence) => document.slice(sentence));
  const held = judge(sought, texts, passage);
  const chosen = placesOf(ranked?.marks ?? [], { passage, found }, document);
  const best = chosen.length > 0 ? chosen : held.best.flatMap((number) => sentences[number] ?? []);
  const items = itemsAlone(span, best, document);
  const shownSpan = document.undamaged(isOfHistory(passage) ? linesAlone(items, best, document) : items, best);
  const marked = best.filter(({ end }) => end <= shownSpan.end);
  const quote = document.quote(shownSpan);
  if (emptinessOf(quote) !== null) return null;
  const lacks = sought.lackedBy(sought.sharesIn(`${headingOf(passage)}\n${quote.text}`));
  const marks = marked.map((sentence) => document.bytesOf(sentence));
  const numbers = wordsOf(quote.text).filter((word) => /^\p{N}/u.test(word));
  const copied = [...marked.map((sentence) => document.slice(sentence)), ...numbers].map(wordsIn);
  const code = document.codeIn(shownSpan);
  const { coverage } = held;
  const shown = { marks, ...given({ code: code.length === 0 ? undefined : code }), coverage };
  const verdict = ranked?.answers;
  // Where a model has judged, words that are missing say nothing.
  const judged =
    verdict === undefined
      ? { lacks, answers: coverage >= ANSWERS_FROM }
      : { answers: verdict !== "no" && chosen.length > 0 };
  const place = ranked === undefined ? {} : { ranked: { place: ranked.place, ...given({ answers: verdict }) } };
  const fields = { score: passage.score, query, part_ids: [part.id], ...shown, ...judged, ...place };
  return { quote: { ...quote, ...fields }, isBehind, copied };
}

/** Where the marked sentences of a passage are in its document. A passage that lost a paragraph has moved them. */
function placesOf(
  marks: readonly Span[],
  { passage, found }: { passage: Passage; found: Span },
  document: StoredText,
): Span[] {
  const isWhole = document.slice(found) === passage.text;
  const places = marks.flatMap((mark) => {
    const text = passage.text.slice(mark.start, mark.end);
    const start = isWhole ? found.start + mark.start : document.text.indexOf(text, found.start);
    return start < 0 || start + text.length > found.end ? [] : [{ start, end: start + text.length }];
  });
  return places.toSorted((left, right) => left.start - right.start);
}

/** The words of a text, joined by blanks. */
function wordsIn(text: string): string {
  return ` ${wordsOf(text).join(" ")} `;
}
