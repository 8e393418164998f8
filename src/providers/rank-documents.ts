// Finds the passages of fetched documents that fit a query: ranks them with BM25 over these documents, and fuses this order
// with that of a search engine. Equal input gives equal passages.
import { setImmediate } from "node:timers/promises";
import type { Format } from "../corpus/formats/formats.ts";
import { passagesOf } from "../corpus/blocks/passages.ts";
import { spread } from "../corpus/search/spread.ts";
import { termsOf, termsOfQuestion } from "../corpus/words/terms.ts";
import type { Passage } from "../ports/provider.ts";
import type { ReadDocument } from "./documents.ts";

/** Passages and characters beyond these limits are not read. */
const MAX_PASSAGES_PER_DOCUMENT = 4_000;
const MAX_LENGTH = 4 * 1024 * 1024;
const PASSAGES_PER_TURN = 50;
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
/** A term in the title or a heading counts as this many in the text. */
const TITLE_WEIGHT = 2;

interface Candidate {
  document: ReadDocument;
  start: number;
  end: number;
  headings: string[];
  columns: string;
  counts: Map<string, number>;
  length: number;
}

/** The constant of reciprocal rank fusion. Source: Cormack, Clarke and Büttcher, 2009. */
const FUSION = 60;
/** In characters. A shorter passage says too little to represent its document. */
const LEAST_PROSE = 80;

/**
 * `byEngine` are the documents that an engine found, the best first. Each of them gives at least one passage, even if it
 * shares no word with the query: it may say the same in other words or in another language.
 */
export async function rankDocuments(
  documents: readonly ReadDocument[],
  query: string,
  limit: number,
  byEngine: readonly ReadDocument[] = [],
): Promise<Passage[]> {
  const terms = [...new Set(termsOfQuestion(query))];
  const candidates: Candidate[] = [];
  for (const document of documents) {
    candidates.push(...(await candidatesOf(document, new Set(terms))));
  }
  const meanLength = candidates.reduce((sum, { length }) => sum + length, 0) / Math.max(1, candidates.length);
  const weights = new Map(terms.map((term) => [term, rarity(term, candidates)]));
  const ranked = candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate, weights, meanLength) }))
    .filter(({ score }) => score > 0)
    .sort(byScore);
  const fused = byEngine.length === 0 ? ranked : fusedWith(byEngine, ranked, candidates);
  return spread(fused, limit, ({ candidate }) => candidate.document.origin).map(({ candidate, score }) =>
    passageOf(candidate, score),
  );
}

interface Ranked {
  candidate: Candidate;
  score: number;
}

/** Adds the rank of a document to its best passage. A document that no engine found is a seed of the user, and counts as first. */
function fusedWith(
  byEngine: readonly ReadDocument[],
  ranked: readonly Ranked[],
  candidates: readonly Candidate[],
): Ranked[] {
  const scores = new Map(ranked.map(({ candidate }, rank) => [candidate, 1 / (FUSION + rank + 1)]));
  for (const document of new Set(candidates.map((candidate) => candidate.document))) {
    const place = byEngine.indexOf(document);
    const fitting = ranked.find(({ candidate }) => candidate.document === document)?.candidate;
    const best = fitting ?? (place < 0 ? undefined : firstProse(document, candidates));
    if (best !== undefined) scores.set(best, (scores.get(best) ?? 0) + 1 / (FUSION + Math.max(place, 0) + 1));
  }
  // Sorting keeps the order of passages with equal scores, which is that of our own rank.
  return [...scores]
    .map(([candidate, score]) => ({ candidate, score }))
    .sort((left, right) => right.score - left.score);
}

function firstProse(document: ReadDocument, candidates: readonly Candidate[]): Candidate | undefined {
  const own = candidates.filter((candidate) => candidate.document === document);
  return own.find(({ start, end }) => end - start >= LEAST_PROSE) ?? own[0];
}

function byScore(left: Ranked, right: Ranked): number {
  return right.score - left.score || byPlace(left.candidate, right.candidate);
}

async function candidatesOf(document: ReadDocument, terms: ReadonlySet<string>): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  const readable = document.text.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, "");
  const titleCounts = countsOf(termsOf(document.title), terms, TITLE_WEIGHT);
  let names = "";
  let termsOfNames: string[] = [];
  for (const { start, end, headings, columns = "" } of passagesOf(readable, formatOfMediaType(document.media_type))) {
    if (candidates.length >= MAX_PASSAGES_PER_DOCUMENT) break;
    // A large page takes long, so heartbeats and deadlines get their turn.
    if (candidates.length % PASSAGES_PER_TURN === 0) await setImmediate();
    // All rows of a table have the same names.
    if (columns !== names) [names, termsOfNames] = [columns, termsOf(columns)];
    const words = [...termsOfNames, ...termsOf(document.text.slice(start, end))];
    const counts = countsOf(words, terms, 1);
    if (counts.size > 0)
      for (const above of [titleCounts, countsOf(termsOf(headings.join(" ")), terms, TITLE_WEIGHT)])
        for (const [term, count] of above) counts.set(term, (counts.get(term) ?? 0) + count);
    candidates.push({ document, start, end, headings, columns, counts, length: words.length });
  }
  return candidates;
}

function countsOf(words: readonly string[], terms: ReadonlySet<string>, weight: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) if (terms.has(word)) counts.set(word, (counts.get(word) ?? 0) + weight);
  return counts;
}

function rarity(term: string, candidates: readonly Candidate[]): number {
  const holding = candidates.filter(({ counts }) => counts.has(term)).length;
  return Math.log(1 + (candidates.length - holding + 0.5) / (holding + 0.5));
}

function scoreOf({ counts, length }: Candidate, weights: ReadonlyMap<string, number>, meanLength: number): number {
  const relativeLength = meanLength === 0 ? 1 : length / meanLength;
  const dampening = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * relativeLength);
  let score = 0;
  for (const [term, count] of counts)
    score += ((weights.get(term) ?? 0) * count * (SATURATION + 1)) / (count + dampening);
  return score;
}

function byPlace(left: Candidate, right: Candidate): number {
  if (left.document.origin !== right.document.origin) return left.document.origin < right.document.origin ? -1 : 1;
  return left.start - right.start;
}

function passageOf({ document, start, end, headings, columns }: Candidate, score: number): Passage {
  const startByte = Buffer.byteLength(document.text.slice(0, start));
  const text = document.text.slice(start, end);
  return {
    origin: document.origin,
    title: headings.length > 0 ? headings.join(" > ") : document.title,
    document_digest: document.digest,
    start: startByte,
    end: startByte + Buffer.byteLength(text),
    text,
    ...(columns === "" ? {} : { columns }),
    score,
  };
}

/** Texts that are neither plain nor for machines are Markdown, as readers of documents write it. */
function formatOfMediaType(mediaType: string): Format {
  const [essence = ""] = mediaType.split(";");
  if (essence === "text/plain") return "plain";
  if (/csv|tab-separated/.test(essence)) return "records";
  return /json|yaml/.test(essence) ? "data" : "markdown";
}
