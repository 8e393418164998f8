// Drafts the report: the best excerpt for each part first, then more excerpts, the nearest passages, and what is missing.
import type { Tasks } from "../../ports/driver.ts";
import type { Block, Draft, Heading, ReportPart, Statement } from "../../run/report.ts";
import type { Citation, QuestionPart } from "../../run/research.ts";
import { numberedSources } from "../numbered-sources.ts";
import { ANSWERS_FROM, countedOf } from "./coverage.ts";

/** How many of the nearest passages of a part are shown when none is near. */
const MAX_FAR = 2;

/** With at least this share of the best score, the search can hardly tell which of two passages answers. */
const NEARLY = 0.9;

/** The excerpts for one part: first those that lead the answer, or the nearest one, then the others in their order. */
interface Found {
  part: QuestionPart;
  excerpts: Citation[];
  /** How many excerpts lead. */
  leads: number;
  coverage: number;
  isAnswered: boolean;
  /** Null for an answered part. */
  gap: Draft["gaps"][number] | null;
}

export function draft({ question, plan, pivot, summaries, citations, sources }: Tasks["draft"]["input"]): Draft {
  const standing = citations.flatMap((checked) => checked.citations).filter(({ found }) => found);
  const scores = scoresOf(summaries);
  let gaps = 0;
  const found = plan.parts.map((part): Found => {
    const own = standing.filter(({ part_ids = [] }) => part_ids.includes(part.id));
    const leading = leadsOf(own, scores);
    const excerpts = [...leading, ...own.filter((excerpt) => !leading.includes(excerpt))];
    const counted = pivot.parts.find(({ part_id }) => part_id === part.id)?.coverage;
    const coverage = counted ?? Math.max(0, ...excerpts.map(countedOf));
    const isAnswered = excerpts.length > 0 && coverage >= ANSWERS_FROM;
    const gap = isAnswered ? null : gapOf(part, excerpts, `g${++gaps}`);
    const leads = isAnswered ? leading.length : 0;
    return { part, excerpts: isAnswered ? excerpts : near(excerpts), leads, coverage, isAnswered, gap };
  });
  const shown = inReadingOrder(found);
  const quotes = shown.map(({ quote }) => quote);
  const rivals = found.some(({ leads }) => leads > 1) ? [RIVALS] : [];
  const statements = [...shown.map(statementOf), ...gapStatements(found), ...rivals];
  const notes = [plan.notes, pivot.notes, ...summaries.map((summary) => summary.notes)].flatMap((own) => own ?? []);
  return {
    question,
    blocks: [...answerBlocks(found), ...moreBlocks(found), ...nearestBlocks(found)],
    statements: Object.fromEntries(statements.map((one) => [one.statement_id, one])),
    sources: numberedSources(quotes, sources),
    gaps: found.flatMap(({ gap }) => gap ?? []),
    parts: found.map(partOf),
    made: { notes: [...new Set(notes)] },
  };
}

/** The scores in the search, by citation id. */
function scoresOf(summaries: Tasks["draft"]["input"]["summaries"]): ReadonlyMap<string, number> {
  const points = summaries.flatMap((summary) => summary.points);
  return new Map(points.flatMap(({ citation_ids, score }) => citation_ids.map((id) => [id, score] as const)));
}

/**
 * The first excerpt that answers the part alone, or else the first of all, and behind it the next that answers alone with
 * nearly the same score. One with a higher score was ranked behind prose, so it is no rival; neither is a quote that a model
 * recorded, whose score is of another search.
 */
function leadsOf(own: readonly Citation[], scores: ReadonlyMap<string, number>): Citation[] {
  const first = own.find(answers) ?? own[0];
  if (first === undefined) return [];
  const most = scores.get(first.citation_id) ?? Infinity;
  const isNearly = (score: number): boolean => score <= most && score >= NEARLY * most;
  const rival = own.find(
    (other) =>
      other !== first && other.coverage !== undefined && answers(other) && isNearly(scores.get(other.citation_id) ?? 0),
  );
  return rival === undefined ? [first] : [first, rival];
}

function answers(excerpt: Citation): boolean {
  return countedOf(excerpt) >= ANSWERS_FROM;
}

/** All excerpts, or a few when none has half the coverage of an answer. */
function near(excerpts: readonly Citation[]): Citation[] {
  const isNear = excerpts.some((excerpt) => countedOf(excerpt) >= ANSWERS_FROM / 2);
  return excerpts.slice(0, isNear ? undefined : MAX_FAR);
}

/** In the order of the blocks: the excerpts that lead, those behind them, those that only came near. */
function inReadingOrder(found: readonly Found[]): Citation[] {
  const answered = found.filter(({ isAnswered }) => isAnswered);
  const open = found.filter(({ isAnswered }) => !isAnswered);
  return [
    ...answered.flatMap(({ excerpts, leads }) => excerpts.slice(0, leads)),
    ...answered.flatMap(({ excerpts, leads }) => excerpts.slice(leads)),
    ...open.flatMap(({ excerpts }) => excerpts),
  ];
}

// --- blocks -------------------------------------------------------------------------------------------------------

/** The answers in the order of the parts. When some part is answered, the others say in their place that they are not. */
function answerBlocks(found: readonly Found[]): Block[] {
  const open = gapStatements(found);
  return found.flatMap(({ part, excerpts, leads, gap }): Block[] => {
    const title = heading(found.length === 1 ? "Answer" : part.text, "answer");
    const rivals = leads > 1 ? [{ kind: "paragraph" as const, statements: [RIVALS.statement_id] }] : [];
    if (leads > 0) return [title, ...rivals, ...excerpts.slice(0, leads).map(withLacks)];
    const statements = open.flatMap(({ statement_id, gap_id }) => (gap_id === gap?.gap_id ? [statement_id] : []));
    return statements.length === 0 ? [] : [title, { kind: "paragraph", statements }];
  });
}

const RIVALS: Statement = {
  statement_id: "no-passage-stands-out",
  text: "No passage stands out. The two best ones match about equally well:",
  basis: "framing",
};

function gapStatements(found: readonly Found[]): Extract<Statement, { basis: "gap" }>[] {
  if (!found.some(({ isAnswered }) => isAnswered)) return [];
  return found.flatMap(({ gap, excerpts }) => {
    if (gap === null) return [];
    const text = excerpts.length === 0 ? gap.reason : "No passage answers it; the nearest ones stand below.";
    return [{ statement_id: `not-found-${gap.gap_id}`, text, basis: "gap", gap_id: gap.gap_id }];
  });
}

function moreBlocks(found: readonly Found[]): Block[] {
  const answered = found.filter(({ isAnswered }) => isAnswered);
  return section(
    heading("More on this"),
    excerptOf,
    answered.map(({ part, excerpts, leads }) => ({ part, excerpts: excerpts.slice(leads) })),
    found.length,
  );
}

function nearestBlocks(found: readonly Found[]): Block[] {
  return section(
    heading("Nearest passages", "nearest"),
    withLacks,
    found.filter(({ isAnswered }) => !isAnswered),
    found.length,
  );
}

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
  return { kind: "heading", level: 2, text, ...(role === undefined ? {} : { role }) };
}

function excerptOf({ citation_id, marks = [], code }: Citation): Extract<Block, { kind: "excerpt" }> {
  return { kind: "excerpt", statement: citation_id, marks, ...(code === undefined ? {} : { code }) };
}

/** The excerpt with the words of the part that it lacks. */
function withLacks(excerpt: Citation): Block {
  const { lacks = [] } = excerpt;
  return { ...excerptOf(excerpt), ...(lacks.length === 0 ? {} : { lacks }) };
}

function statementOf({ citation_id, quote, verdict, method, reason }: Citation): Statement {
  return {
    statement_id: citation_id,
    text: quote.text,
    basis: "quoted",
    verdict,
    method,
    ...(reason === undefined ? {} : { reason }),
    quotes: [quote],
  };
}

// --- apparatus ----------------------------------------------------------------------------------------------------

/** The claims of an answered part are the excerpts that lead, and all others that answer it alone. */
function partOf({ part, excerpts, leads, coverage }: Found): ReportPart {
  const claims = excerpts.filter((excerpt, place) => place < leads || (leads > 0 && answers(excerpt)));
  const others = excerpts.filter((excerpt) => !claims.includes(excerpt));
  const missing = heldByNone(part, excerpts);
  const idsOf = (citations: readonly Citation[]): string[] => citations.map(({ citation_id }) => citation_id);
  return {
    text: part.text,
    coverage,
    missing: missing.length > 0 ? missing : lackedByBest(excerpts, leads > 0),
    claims: claims.length,
    sources: new Set<string>(claims.map(({ quote }) => quote.source_digest)).size,
    answered_by: idsOf(claims),
    ...(others.length === 0 ? {} : { mentions: others.length, mentioned_by: idsOf(others) }),
  };
}

/** The words that every excerpt lacks, or that no passage has when there is no excerpt. */
function heldByNone({ absent = [] }: QuestionPart, [first, ...others]: readonly Citation[]): string[] {
  if (first === undefined) return absent;
  return (first.lacks ?? []).filter((word) => others.every(({ lacks = [] }) => lacks.includes(word)));
}

/** When every excerpt lacks some word: what the leading one lacks, or else the best one. */
function lackedByBest(excerpts: readonly Citation[], isLed = false): string[] {
  if (excerpts.some(({ lacks = [] }) => lacks.length === 0)) return [];
  const [best] = isLed ? excerpts : excerpts.toSorted((left, right) => countedOf(right) - countedOf(left));
  return best?.lacks ?? [];
}

function gapOf(part: QuestionPart, excerpts: readonly Citation[], gap_id: string): Draft["gaps"][number] {
  const words = heldByNone(part, excerpts).join(", ");
  const lacked = lackedByBest(excerpts).join(", ");
  const [evidence, reason] =
    excerpts.length === 0
      ? (["none", `Nothing was found for it.${words && ` The documents do not hold: ${words}.`}`] as const)
      : ([
          "weak",
          `No excerpt holds enough of its words.${words ? ` None of them holds: ${words}.` : lacked && ` The best one lacks: ${lacked}.`}`,
        ] as const);
  return { gap_id, text: part.text, reason, evidence };
}
