// Researches a perspective: makes excerpts of the passages that the search ranks best for each part of the question.
import { diverse } from "../../corpus/search/diverse.ts";
import { formatOf } from "../../corpus/formats/formats.ts";
import { isInAnotherLanguage } from "../../corpus/words/languages.ts";
import { spread } from "../../corpus/search/spread.ts";
import { wordsOf } from "../../corpus/words/terms.ts";
import { withoutTwins } from "../../corpus/search/twins.ts";
import { given } from "../../kernel/given.ts";
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import type { Passage } from "../../ports/provider.ts";
import type { FindingQuote, Findings, QuestionPart } from "../../run/report/research.ts";
import type { Limits } from "../../run/settings/settings.ts";
import { emptinessOf, type Source } from "../../run/report/source.ts";
import { PartWords } from "./part-words.ts";
import { isBoilerplate } from "./boilerplate.ts";
import { ANSWERS_FROM, coverageOfPassage, headingOf, judge } from "./coverage.ts";
import { excerptAround, itemsAlone, linesAlone } from "./excerpt.ts";
import { isOfHistory, namesVersion } from "./histories.ts";
import { isOwnReport } from "./own-reports.ts";
import { weighed } from "./plan.ts";
import { queryOf } from "./question.ts";
import { StoredText } from "./stored-text.ts";
import type { Span } from "../../kernel/sentences.ts";

/** Asks for this many times the passages that a query may take, since near copies and boilerplate are left out. */
const SEARCH_FACTOR = 3;
/** The share of the excerpts of a task that one part of the question may take. */
const PART_SHARE = 0.5;
/** In a question that names something of code, such as `parse_options`, parseOptions or parse(), programs keep a place behind prose. */
const NAMES_CODE = /`|\(\)|[\p{L}\p{N}]_\p{L}|\p{Ll}\p{Lu}/u;
type Gathered = Pick<Findings, "quotes" | "sources" | "notes">;

export async function research(
  { perspective, parts, limits }: Tasks["research"]["input"],
  tools: TaskTools,
): Promise<Findings> {
  const { id, title, questions, part_ids } = perspective;
  const own = parts.filter((part) => part_ids.includes(part.id));
  const named = { subject: id, subject_kind: "perspective", title, questions } as const;
  return { schema_version: "findings.v1", ...named, ...(await gather(own, limits, tools)) };
}

/** This driver asks for no gap itself, but a run that another driver began may have some. */
export async function fillGap({ gap, parts, limits }: Tasks["fill_gap"]["input"], tools: TaskTools): Promise<Findings> {
  const { id, title, part_id } = gap;
  const own = parts.filter((part) => part.id === part_id);
  const named = { subject: id, subject_kind: "gap", title, questions: own.map(({ text }) => text) } as const;
  return { schema_version: "findings.v1", ...named, ...(await gather(own, limits, tools)) };
}

interface Candidate {
  part: QuestionPart;
  sought: PartWords;
  passage: Passage;
  query: string;
  /** Ranked behind prose, whatever its score in the search. */
  isBehind: boolean;
}

/** The parts take turns, so that each gets its best passage before any gets its second. */
async function gather(parts: readonly QuestionPart[], limits: Limits, tools: TaskTools): Promise<Gathered> {
  const excerpts = new Excerpts(limits, tools);
  const found: Candidate[][][] = [];
  // Documents may have been added to a run that halted without evidence.
  const isShort = parts.some(({ absent = [] }) => absent.length > 0);
  for (const part of isShort ? await weighed(parts, tools) : parts) found.push(await candidatesOf(part, limits, tools));
  const turns = Math.max(0, ...found.map(({ length }) => length));
  for (let turn = 0; turn < turns; turn++)
    for (const candidates of found) {
      // The next near copy is tried when a document has changed, is gone or cannot be quoted.
      for (const candidate of candidates[turn] ?? []) if (await excerpts.add(candidate)) break;
    }
  return excerpts.gathered(parts);
}

/** Groups of near copies, the best first. */
async function candidatesOf(part: QuestionPart, limits: Limits, tools: TaskTools): Promise<Candidate[][]> {
  const query = queryOf(part);
  tools.say(`searching: ${query}`);
  const sought = new PartWords(part);
  const passages = await tools.search(query, limits.results_per_query * SEARCH_FACTOR);
  const touched = sought.touchedAmong(passages, (passage) => `${passage.text}\n${headingOf(passage)}`);
  const words = new Set(wordsOf(part.text));
  const content = touched.filter((passage) => !isBoilerplate(passage, words));
  const shown = withoutTwins(content.length > 0 ? content : touched);
  const behind = givingWay(shown, sought, part.text);
  const stays = (passage: Passage): boolean =>
    NAMES_CODE.test(part.text) || !behind.has(passage) || formatOf(passage.origin) !== "code";
  const best = inOrder(shown.filter(stays), (passage) => behind.has(passage));
  const few = spread(best, limits.results_per_query, ({ origin }) => origin);
  const chosen = await diverse(few, ({ text }) => text, tools.signal);
  const asCandidate = (passage: Passage): Candidate => ({
    part,
    sought,
    passage,
    query,
    isBehind: behind.has(passage),
  });
  const groups = chosen.map((copies) => copies.map(asCandidate));
  return inOrder(groups, ([first]) => first?.isBehind === true);
}

/** Those that give way stand last. */
function inOrder<T>(items: readonly T[], givesWay: (item: T) => boolean): T[] {
  return items.toSorted((left, right) => Number(givesWay(left)) - Number(givesWay(right)));
}

/**
 * The programs and histories, where prose answers the question, since most questions ask for an explanation of how things are now;
 * a question that names a version asks for histories, too. Of the rest the texts in another language than the question, where one
 * in its own answers it.
 */
function givingWay(passages: readonly Passage[], sought: PartWords, question: string): ReadonlySet<Passage> {
  const words = new Set(wordsOf(question));
  const isAside = (passage: Passage): boolean =>
    formatOf(passage.origin) === "code" || (!namesVersion(question) && isOfHistory(passage, words));
  const isForeign = ({ text }: Passage): boolean => isInAnotherLanguage(text, question);
  let first = passages;
  for (const givesWay of [isAside, isForeign]) {
    const others = first.filter((passage) => !givesWay(passage));
    if (others.some((passage) => coverageOfPassage(passage, sought) >= ANSWERS_FROM)) first = others;
  }
  return new Set(passages).difference(new Set(first));
}

/** Collects the excerpts of one task within its limits. Each document is stored and cut into blocks once. */
class Excerpts {
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
      this.#note(`${candidate.passage.origin} is not as it was indexed and was left out.`);
      return false;
    }
    const isNew = !this.#sources.has(document.source.source_digest);
    if (isNew && this.#sources.size >= max_sources_per_subject)
      return this.#leaveOut(`${max_sources_per_subject} sources`);
    for (const span of [excerptAround(found, document.text), found]) {
      const excerpt = excerptOf(candidate, span, document.text);
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

  gathered(parts: readonly QuestionPart[]): Gathered {
    const kept = [...this.#sources.values()];
    const sources = kept.map(({ source_digest, title, origin }) => ({ source_digest, title, origin }));
    const quotes = parts.flatMap(({ id }) => {
      const byScore = this.#takenFor(id).toSorted((left, right) => right.quote.score - left.quote.score);
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
      if (isOwnReport(text)) this.#note(`${passage.origin} is a report of this tool and was left out.`);
      else read = { source: kept.source, text };
    } else if (kept.kind === "changed") this.#note(`${passage.origin} changed since it was indexed and was left out.`);
    else this.#note(`${passage.origin} could not be read and was left out: ${kept.reason}.`);
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
    this.#note(`More passages were found than are shown (limit of ${limit}).`);
    return true;
  }

  #note(note: string): void {
    this.#notes.add(note);
  }
}

interface Excerpt {
  quote: FindingQuote;
  isBehind: boolean;
  /** The words of its marked sentences, and its numbers, since a text with another number is no copy. */
  copied: string[];
}

/** Null for a span that says nothing, such as a heading alone. */
function excerptOf(
  { part, sought, passage, query, isBehind }: Candidate,
  span: Span,
  document: StoredText,
): Excerpt | null {
  const sentences = document.sentencesIn(span);
  if (sentences.length === 0) return null;
  const texts = sentences.map((sentence) => document.slice(sentence));
  const held = judge(sought, texts, passage);
  const best = held.best.flatMap((number) => sentences[number] ?? []);
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
  const shown = { marks, ...given({ code: code.length === 0 ? undefined : code }), coverage, lacks };
  const judged = { ...shown, answers: coverage >= ANSWERS_FROM };
  return { quote: { ...quote, score: passage.score, query, part_ids: [part.id], ...judged }, isBehind, copied };
}

/** The words of a text, joined by blanks. */
function wordsIn(text: string): string {
  return ` ${wordsOf(text).join(" ")} `;
}
