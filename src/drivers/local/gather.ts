// Chooses what to quote: the best sentences, no two alike, from several sources, within the limits.
import type { TaskTools } from "../../ports/driver.ts";
import type { FindingQuote, Findings } from "../../run/research.ts";
import type { Limits } from "../../run/settings.ts";
import type { Quote } from "../../run/source.ts";
import type { Candidate } from "./candidates.ts";
import { KeptPassages } from "./kept-passages.ts";
import { Novelty } from "./similarity.ts";

export type Gathered = Pick<Findings, "quotes" | "sources" | "notes">;

const MIN_QUOTES_PER_SOURCE = 2;
const SOURCE_SHARE = 3;
/** Words that a findings file spends around each quote: marker, title and origin. */
const WORDS_AROUND_QUOTE = 12;

export interface GatherOptions {
  candidates: readonly Candidate[];
  limits: Limits;
  /** Quotes that others already have. */
  known: readonly Quote[];
  /** Words of the title and the questions, which stand in the same file. */
  wordsBefore: number;
}

export async function gather(
  { candidates, limits, known, wordsBefore }: GatherOptions,
  tools: TaskTools,
): Promise<Gathered> {
  const choice = new Choice(limits, known, wordsBefore);
  const passages = new KeptPassages(tools);
  // First a few from each source, then whatever is best.
  const perSource = Math.max(MIN_QUOTES_PER_SOURCE, Math.ceil(limits.max_quotes_per_subject / SOURCE_SHARE));
  for (const quotesPerSource of [perSource, Number.POSITIVE_INFINITY]) {
    for (const candidate of candidates) {
      if (choice.isFull()) break;
      if (!choice.allows(candidate, quotesPerSource)) continue;
      const outcome = await passages.quote(candidate);
      if (outcome.kind === "refused") choice.refuse(candidate, outcome.note);
      else choice.add(candidate, outcome.quote, outcome.source);
    }
  }
  return choice.result();
}

class Choice {
  private readonly limits: Limits;
  private readonly quotes: FindingQuote[] = [];
  private readonly sources = new Map<string, Findings["sources"][number]>();
  private readonly notes = new Set<string>();
  private readonly perOrigin = new Map<string, number>();
  private readonly refused = new Set<Candidate>();
  private readonly novelty = new Novelty();
  private words: number;

  constructor(limits: Limits, known: readonly Quote[], wordsBefore: number) {
    this.limits = limits;
    this.words = wordsBefore;
    for (const quote of known) this.novelty.add(quote.text);
  }

  isFull(): boolean {
    return this.quotes.length >= this.limits.max_quotes_per_subject;
  }

  allows(candidate: Candidate, quotesPerSource: number): boolean {
    const { origin } = candidate.passage;
    const taken = this.perOrigin.get(origin) ?? 0;
    if (this.refused.has(candidate) || taken >= quotesPerSource) return false;
    if (taken === 0 && this.perOrigin.size >= this.limits.max_sources_per_subject) return false;
    if (this.words + wordsFor(candidate.sentence.text) > this.limits.max_words_per_subject) {
      this.notes.add(`The limit of ${this.limits.max_words_per_subject} words cut off further quotes.`);
      return false;
    }
    return this.novelty.isNew(candidate.sentence.text);
  }

  refuse(candidate: Candidate, note: string | null): void {
    this.refused.add(candidate);
    if (note !== null) this.notes.add(note);
  }

  add(
    candidate: Candidate,
    quote: Quote,
    source: { source_digest: Quote["source_digest"]; title: string; origin: string },
  ): void {
    const { origin } = candidate.passage;
    const { score, query, part_ids } = candidate;
    this.quotes.push({ ...quote, score, query, part_ids });
    this.sources.set(source.source_digest, {
      source_digest: quote.source_digest,
      title: source.title,
      origin: source.origin,
    });
    this.perOrigin.set(origin, (this.perOrigin.get(origin) ?? 0) + 1);
    this.novelty.add(quote.text);
    this.words += wordsFor(quote.text);
  }

  result(): Gathered {
    // Findings without a quote say so: what is silent counts as not done.
    if (this.quotes.length === 0 && this.notes.size === 0)
      this.notes.add("Nothing that is new and to the point was found.");
    return { quotes: this.quotes, sources: [...this.sources.values()], notes: [...this.notes] };
  }
}

function wordsFor(text: string): number {
  return text.split(/\s+/).length + WORDS_AROUND_QUOTE;
}
