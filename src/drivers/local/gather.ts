// Chooses what to quote: the best sentences, each adding something to the others, from several sources, within limits.
import { Pacer } from "../../corpus/pacer.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Limits } from "../../run/settings.ts";
import type { Quote } from "../../run/source.ts";
import type { Candidate } from "./candidates.ts";
import { Choice, type Gathered } from "./choice.ts";
import { KeptPassages } from "./kept-passages.ts";
import { likeness } from "./similarity.ts";

const MIN_QUOTES_PER_SOURCE = 2;
const SOURCE_SHARE = 3;
/** What is so much worse than the best is no answer beside it. */
const MIN_SHARE_OF_BEST = 0.38;
/** Only so many are weighed against what was chosen. */
const MAX_WEIGHED = 120;
/** Maximal marginal relevance, Carbonell and Goldstein 1998: how much being like a chosen sentence costs. */
const LIKENESS_COST = 0.5;

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
  const best = candidates[0]?.score ?? 0;
  const open = candidates
    .filter(({ score }) => score >= best * MIN_SHARE_OF_BEST)
    .slice(0, MAX_WEIGHED)
    .map((candidate) => ({ candidate, nearest: 0 }));
  const pacer = new Pacer(tools.signal);
  // First a few from each source, then whatever is best.
  const perSource = Math.max(MIN_QUOTES_PER_SOURCE, Math.ceil(limits.max_quotes_per_subject / SOURCE_SHARE));
  for (const quotesPerSource of [perSource, Number.POSITIVE_INFINITY]) {
    for (;;) {
      await pacer.pause();
      const next = bestOf(open, (candidate) => choice.allows(candidate, quotesPerSource));
      if (next === null) break;
      const outcome = await passages.quote(next);
      if (outcome.kind === "refused") {
        choice.refuse(next, outcome.note);
        continue;
      }
      choice.add(next, outcome.quote, outcome.source);
      for (const other of open) other.nearest = Math.max(other.nearest, likeness(other.candidate.terms, next.terms));
    }
  }
  return choice.result();
}

interface Open {
  candidate: Candidate;
  /** How like it is to the chosen sentence that it is most like. */
  nearest: number;
}

/** The first of those that are worth most. */
function bestOf(open: readonly Open[], allows: (candidate: Candidate) => boolean): Candidate | null {
  let best: Candidate | null = null;
  let bestWorth = Number.NEGATIVE_INFINITY;
  for (const { candidate, nearest } of open) {
    const worth = candidate.score * (1 - LIKENESS_COST * nearest);
    if (worth <= bestWorth || !allows(candidate)) continue;
    [best, bestWorth] = [candidate, worth];
  }
  return best;
}
