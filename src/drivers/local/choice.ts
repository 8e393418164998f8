// What one subject has chosen to quote so far, and whether its limits allow one more.
import type { FindingQuote, Findings } from "../../run/research.ts";
import type { Limits } from "../../run/settings.ts";
import type { Quote, Source } from "../../run/source.ts";
import type { Candidate } from "./candidates.ts";
import { Novelty } from "./similarity.ts";

export type Gathered = Pick<Findings, "quotes" | "sources" | "notes">;

/** Words that a findings file spends around each quote: marker, title and origin. */
const WORDS_AROUND_QUOTE = 12;

export class Choice {
  private readonly limits: Limits;
  private readonly quotes: FindingQuote[] = [];
  private readonly sources = new Map<string, Findings["sources"][number]>();
  private readonly notes = new Set<string>();
  private readonly taken = new Map<string, Candidate[]>();
  /** Chosen, refused, or like what was chosen: not looked at again. */
  private readonly settled = new Set<Candidate>();
  private readonly novelty = new Novelty();
  private words: number;

  constructor(limits: Limits, known: readonly Quote[], wordsBefore: number) {
    this.limits = limits;
    this.words = wordsBefore;
    for (const quote of known) this.novelty.add(quote.text);
  }

  allows(candidate: Candidate, quotesPerSource: number): boolean {
    if (this.settled.has(candidate)) return false;
    const taken = this.taken.get(candidate.passage.origin) ?? [];
    if (taken.length >= quotesPerSource) return false;
    if (taken.some((other) => overlaps(candidate, other)) || !this.novelty.isNew(candidate.sentence.text)) {
      this.settled.add(candidate);
      return false;
    }
    const limit = this.limitReached(candidate, taken.length === 0);
    if (limit !== null) this.notes.add(limit);
    return limit === null;
  }

  refuse(candidate: Candidate, note: string | null): void {
    this.settled.add(candidate);
    if (note !== null) this.notes.add(note);
  }

  add(candidate: Candidate, quote: Quote, { source_digest, title, origin }: Source): void {
    const { score, query, part_ids, passage } = candidate;
    this.quotes.push({ ...quote, score, query, part_ids });
    this.sources.set(source_digest, { source_digest, title, origin });
    this.taken.set(passage.origin, [...(this.taken.get(passage.origin) ?? []), candidate]);
    this.settled.add(candidate);
    this.novelty.add(quote.text);
    this.words += wordsFor(quote.text);
  }

  result(): Gathered {
    // Findings without a quote say so: what is silent counts as not done.
    if (this.quotes.length === 0 && this.notes.size === 0) this.notes.add("Nothing new and relevant was found.");
    return { quotes: this.quotes, sources: [...this.sources.values()], notes: [...this.notes] };
  }

  /** In the words of a note; the same for every subject. */
  private limitReached({ sentence }: Candidate, isNewSource: boolean): string | null {
    const { max_quotes_per_subject, max_sources_per_subject, max_words_per_subject } = this.limits;
    if (this.quotes.length >= max_quotes_per_subject)
      return `The limit of ${max_quotes_per_subject} quotes per perspective left out further sentences.`;
    if (isNewSource && this.taken.size >= max_sources_per_subject)
      return `The limit of ${max_sources_per_subject} sources per perspective left out further documents.`;
    if (this.words + wordsFor(sentence.text) > max_words_per_subject)
      return `The limit of ${max_words_per_subject} words per perspective left out further quotes.`;
    return null;
  }
}

function overlaps(left: Candidate, right: Candidate): boolean {
  const [leftStart, rightStart] = [startOf(left), startOf(right)];
  const [leftEnd, rightEnd] = [
    leftStart + Buffer.byteLength(left.sentence.text),
    rightStart + Buffer.byteLength(right.sentence.text),
  ];
  return leftStart < rightEnd && rightStart < leftEnd;
}

/** In bytes of the document. */
function startOf({ passage, sentence }: Candidate): number {
  return passage.start + Buffer.byteLength(passage.text.slice(0, sentence.start));
}

function wordsFor(text: string): number {
  return text.split(/\s+/).length + WORDS_AROUND_QUOTE;
}
