// Drafts the report: the best excerpt for each part first, then more excerpts, the nearest passages, and what is missing.
import { isInAnotherLanguage } from "../../corpus/words/languages.ts";
import { given } from "../../kernel/given.ts";
import type { Tasks } from "../../ports/driver.ts";
import type { Block, Draft, Heading, ReportPart, Statement } from "../../run/report/report.ts";
import { idsIn } from "../../run/report/statements.ts";
import type { Citation, QuestionPart } from "../../run/report/research.ts";
import { numberedSources } from "../sources/numbered-sources.ts";
import { countedOf, doesAnswer, leadOf } from "./coverage.ts";

/** With at least this share of the best score, the search can hardly decide which of two passages answers. */
const NEARLY = 0.9;

/** The excerpts for one part: first those that lead the answer, or the nearest one, then the others in their order. */
interface Found {
  part: QuestionPart;
  excerpts: Citation[];
  /** How many excerpts lead the answer; 0 where none answers, and then there is a gap. */
  leads: number;
  gap: Draft["gaps"][number] | null;
}

export function draft({ question, plan, pivot, summaries, citations, sources }: Tasks["draft"]["input"]): Draft {
  const standing = citations.flatMap((checked) => checked.citations).filter(({ found }) => found);
  const scores = scoresOf(summaries);
  let gaps = 0;
  const found = plan.parts.map((part): Found => {
    const own = standing.filter(({ part_ids = [] }) => part_ids.includes(part.id));
    const leading = leadsOf(own, scores, part.text);
    const [first, rival] = leading;
    if (first === undefined || !doesAnswer(first))
      return { part, excerpts: leading, leads: 0, gap: gapOf(part, leading, `g${++gaps}`) };
    const others = own.filter((excerpt) => !leading.includes(excerpt));
    const isRanked = first.ranked !== undefined;
    const further = others.filter((other) => isRanked || rival !== undefined || addsTo(first, other));
    return { part, excerpts: [...leading, ...further], leads: leading.length, gap: null };
  });
  const more = found.map(({ part, excerpts, leads, gap }) => ({ part, excerpts: gap ? [] : excerpts.slice(leads) }));
  const nearest = found.filter(({ gap }) => gap !== null);
  const blocks = [
    ...answerBlocks(found),
    ...section(heading("More on this"), excerptOf, more, found.length),
    ...section(heading("Nearest passages", "nearest"), withLacks, nearest, found.length),
  ];
  const order = [...new Set(blocks.flatMap(idsIn))];
  const shown = order.flatMap((id) => standing.find(({ citation_id }) => citation_id === id) ?? []);
  const framing = [...(found.some(areRivals) ? [RIVALS] : []), ...(found.some(isPart) ? [PART] : [])];
  const answered = found.filter(({ gap }) => gap === null);
  // A quote that a model recorded may answer one part and be the nearest for another.
  const claimed = new Set(answered.flatMap(({ excerpts }) => excerpts));
  const quoted = shown.map((citation) => (claimed.has(citation) ? statementOf(citation) : nearestStatement(citation)));
  const statements = [...quoted, ...gapStatements(found), ...framing];
  const notes = [plan.notes, pivot.notes, ...summaries.map((summary) => summary.notes)].flatMap((own) => own ?? []);
  return {
    question,
    blocks,
    statements: Object.fromEntries(statements.map((one) => [one.statement_id, one])),
    sources: numberedSources(
      shown.map(({ quote }) => quote),
      sources,
    ),
    gaps: found.flatMap(({ gap }) => gap ?? []),
    parts: found.map(partOf),
    answered: answered.length === 0 ? "nearest" : found.every(isWhole) ? "yes" : "partly",
    made: { notes: [...new Set(notes)] },
  };
}

/** Below an excerpt that stands out: one with a word that it lacks, or of the same section. */
function addsTo(first: Citation, other: Citation): boolean {
  const { lacks } = other;
  // An earlier version did not say what it lacks.
  if (lacks === undefined) return true;
  if ((first.lacks ?? []).some((word) => !lacks.includes(word))) return true;
  const sectionOf = ({ quote }: Citation): string =>
    `${quote.source_digest} ${quote.anchor?.section?.join(" > ") ?? ""}`;
  return first.quote.anchor?.section !== undefined && sectionOf(first) === sectionOf(other);
}

/** The scores in the search, by citation id. */
function scoresOf(summaries: Tasks["draft"]["input"]["summaries"]): ReadonlyMap<string, number> {
  const points = summaries.flatMap((summary) => summary.points);
  return new Map(points.flatMap(({ citation_ids, score }) => citation_ids.map((id) => [id, score] as const)));
}

/**
 * The first excerpt that answers the part alone, or else the first of all, and where no ranker chose, behind one that answers the
 * next that does with nearly the same score. One with a higher score was ranked behind prose, so it is no rival; neither is a
 * translation, nor a quote that a model recorded, whose score is of another search.
 */
function leadsOf(own: readonly Citation[], scores: ReadonlyMap<string, number>, question: string): Citation[] {
  const first = leadOf(own);
  if (first === undefined) return [];
  if (!doesAnswer(first) || first.ranked !== undefined) return [first];
  const most = scores.get(first.citation_id) ?? Infinity;
  const isNearly = (score: number): boolean => score <= most && score >= NEARLY * most;
  const isForeign = ({ quote }: Citation): boolean => isInAnotherLanguage(quote.text, question);
  const rival = own.find(
    (other) =>
      other !== first &&
      other.coverage !== undefined &&
      doesAnswer(other) &&
      isNearly(scores.get(other.citation_id) ?? 0) &&
      isForeign(other) === isForeign(first),
  );
  return rival === undefined ? [first] : [first, rival];
}

/** True where the second holds as much as the first, so that nothing but their order speaks for one. */
function areRivals({ excerpts: [first, second], leads }: Found): boolean {
  return leads > 1 && first !== undefined && second !== undefined && countedOf(second) >= countedOf(first);
}

// --- blocks -------------------------------------------------------------------------------------------------------

/** The answers in the order of the parts. The others say in their place that they have none. */
function answerBlocks(found: readonly Found[]): Block[] {
  return found.flatMap((one): Block[] => {
    const { part, excerpts, leads, gap } = one;
    const title = heading(found.length === 1 ? "Answer" : part.text, "answer");
    const words = areRivals(one) ? [RIVALS] : isPart(one) ? [PART] : [];
    const above = words.map(({ statement_id }) => ({ kind: "paragraph" as const, statements: [statement_id] }));
    if (leads > 0) return [title, ...above, ...excerpts.slice(0, leads).map(withLacks)];
    return [title, { kind: "paragraph", statements: [`not-found-${gap?.gap_id}`] }];
  });
}

const RIVALS: Statement = {
  statement_id: "no-passage-stands-out",
  text: "No passage stands out. The two best ones match about equally well:",
  basis: "framing",
};

function isWhole(one: Found): boolean {
  return one.gap === null && !isPart(one);
}

/** True where a model judged that the passages answer only a part. */
function isPart({ excerpts: [first], leads }: Found): boolean {
  return leads > 0 && first?.ranked?.answers === "partly";
}

const PART: Statement = {
  statement_id: "answers-a-part",
  text: "This answers a part of it:",
  basis: "framing",
};

function gapStatements(found: readonly Found[]): Extract<Statement, { basis: "gap" }>[] {
  return found.flatMap(({ gap, excerpts: [nearest] }) => {
    if (gap === null) return [];
    const { lacks = [] } = nearest ?? {};
    const lacking = lacks.length === 0 ? "" : `, lacks: ${lacks.join(", ")}`;
    const judged = nearest?.ranked?.answers === undefined ? `Nothing here covers this; nearest${lacking}.` : NO_ANSWER;
    const text = nearest === undefined ? gap.reason : judged;
    return [{ statement_id: `not-found-${gap.gap_id}`, text, basis: "gap", gap_id: gap.gap_id }];
  });
}

/** Where a model read the passages and found none that answers. */
const NO_ANSWER = "Nothing here answers this; the nearest passage is below.";

/** Empty without an excerpt. With several parts of the question, each has its own heading. */
function section(
  top: Heading,
  blockOf: (excerpt: Citation) => Block,
  own: readonly Pick<Found, "part" | "excerpts">[],
  parts: number,
): Block[] {
  const filled = own.filter(({ excerpts }) => excerpts.length > 0);
  if (filled.length === 0) return [];
  return [
    top,
    ...filled.flatMap(({ part, excerpts }) => [
      ...(parts === 1 ? [] : [{ kind: "heading" as const, level: 3, text: part.text }]),
      ...excerpts.map(blockOf),
    ]),
  ];
}

function heading(text: string, role?: "answer" | "nearest"): Heading {
  return { kind: "heading", level: 2, text, ...given({ role }) };
}

function excerptOf({ citation_id, marks = [], code }: Citation): Extract<Block, { kind: "excerpt" }> {
  return { kind: "excerpt", statement: citation_id, marks, ...given({ code }) };
}

/** The excerpt with the words of the part that it lacks. */
function withLacks(excerpt: Citation): Block {
  const { lacks = [] } = excerpt;
  return { ...excerptOf(excerpt), ...(lacks.length === 0 ? {} : { lacks }) };
}

function statementOf({ citation_id, quote, verdict, method, reason }: Citation): Statement {
  const judged = { verdict, method, ...given({ reason }) };
  return { statement_id: citation_id, text: quote.text, basis: "quoted", ...judged, quotes: [quote] };
}

function nearestStatement({ citation_id, quote }: Citation): Statement {
  return { statement_id: citation_id, text: quote.text, basis: "nearest", quotes: [quote] };
}

// --- apparatus ----------------------------------------------------------------------------------------------------

/** The claims of an answered part are the excerpts that lead, and all others that answer it alone. */
function partOf({ part, excerpts, leads }: Found): ReportPart {
  const shown = leads === 0 ? [] : excerpts;
  const claims = shown.filter((excerpt, place) => place < leads || doesAnswer(excerpt));
  const others = shown.filter((excerpt) => !claims.includes(excerpt));
  const idsOf = (citations: readonly Citation[]): string[] => citations.map(({ citation_id }) => citation_id);
  return {
    text: part.text,
    coverage: excerpts[0] === undefined ? 0 : countedOf(excerpts[0]),
    ...(excerpts[0]?.ranked?.answers === undefined ? {} : { judged: true as const }),
    missing: missingIn(part, excerpts),
    claims: claims.length,
    sources: new Set<string>(claims.map(({ quote }) => quote.source_digest)).size,
    answered_by: idsOf(claims),
    ...(others.length === 0 ? {} : { mentions: others.length, mentioned_by: idsOf(others) }),
  };
}

/** The words that the first excerpt lacks, or that no passage has when there is no excerpt. */
function missingIn({ absent = [] }: QuestionPart, [first]: readonly Citation[]): string[] {
  return first === undefined ? absent : (first.lacks ?? []);
}

function gapOf(part: QuestionPart, excerpts: readonly Citation[], gap_id: string): Draft["gaps"][number] {
  const words = missingIn(part, excerpts).join(", ");
  if (excerpts[0]?.ranked?.answers !== undefined)
    return { gap_id, text: part.text, reason: "No passage that was ranked answers it.", evidence: "weak" };
  const [evidence, reason] =
    excerpts.length === 0
      ? (["none", `Nothing was found for it.${words && ` The documents do not hold: ${words}.`}`] as const)
      : (["weak", `No excerpt holds enough of its words.${words && ` The nearest one lacks: ${words}.`}`] as const);
  return { gap_id, text: part.text, reason, evidence };
}
