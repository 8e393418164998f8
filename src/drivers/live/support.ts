// Whether statements hold, as a verifying model judges them. What could not be judged is not checked.
import { z } from "../../kernel/schema.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Verdict } from "../../run/report.ts";
import type { QuestionPart } from "../../run/research.ts";
import { system, verdictDemands, VERIFIER } from "./prompts.ts";
import { isFromOutside, shownContext, type QuoteInContext } from "./quote-context.ts";
import { relationDemands } from "./research-prompts.ts";
import { askVerifier } from "./verifier-task.ts";

const STATEMENTS_PER_CALL = 40;
const MAX_CALL_LENGTH = 40_000;
/** Of what the results of tools may hold: the prompts and the verdicts need room, too. */
const RESULTS_PER_CALL = 1.5;
const MAX_REASON = 400;

export interface Asked {
  id: string;
  text: string;
  /**
   * Whether quotes say it; it follows from what is named; it says anything at all; it says no more than what was noted as not
   * found; a label fits what stands below it.
   */
  asks: "cited" | "derived" | "unmarked" | "gap" | "label";
  quotes: readonly QuoteInContext[];
  /** Other statements that it follows from, or that stand below a label. */
  from?: readonly string[];
  /** What was noted as not found, of what it says was not. */
  notFound?: readonly string[];
  /** Quotes whose own words stand in `from`. */
  behind?: readonly QuoteInContext[];
  expression?: string;
}

export interface Judged {
  verdict: Verdict;
  method: string;
  reason?: string;
  /** It asserts nothing. */
  isFraming?: boolean;
  /** The parts of the question that its quotes answer, where that was asked. */
  part_ids?: string[];
}

/** The method of a verdict that nobody gave: the verifier failed. */
const NOBODY = "none";

export function isJudged({ method }: Pick<Judged, "method">): boolean {
  return method !== NOBODY;
}

/** Judged, and neither supported nor contradicted: the quotes speak of something else, or of less. */
export function isUnclear(judged: Pick<Judged, "verdict" | "method">): boolean {
  return judged.verdict === "not_checked" && isJudged(judged);
}

const verdictFields = {
  id: z.string(),
  why: z.string().max(MAX_REASON * 4),
  verdict: z.enum(["supported", "partly", "contradicted", "unclear", "framing"]),
  /** The words that go too far. */
  excess: z
    .string()
    .max(MAX_REASON * 4)
    .optional(),
};
const verdictsSchema = z.object({ verdicts: z.array(z.object(verdictFields)) });
const related = {
  part_ids: z.array(z.string()).max(20).describe("the parts that its quote answers; none is an answer"),
};
const relatedVerdictsSchema = z.object({ verdicts: z.array(z.object({ ...verdictFields, ...related })) });
type Verdicts = z.infer<typeof verdictsSchema> | z.infer<typeof relatedVerdictsSchema>;

/** What all statements are judged by. */
export interface Inquiry {
  /** Of its conversations. */
  name: string;
  question: string;
  /** When given, it is asked as well which of them the quotes of each statement answer. */
  parts?: readonly QuestionPart[];
}

/** By the id of the statement; every statement has a judgement. */
export async function judgeSupport(
  inquiry: Inquiry,
  statements: readonly Asked[],
  tools: TaskTools,
): Promise<Map<string, Judged>> {
  const judged = new Map<string, Judged>();
  const most = Math.min(MAX_CALL_LENGTH, tools.resultLength * RESULTS_PER_CALL);
  for (const [index, batch] of batches(statements, most).entries()) {
    const name = `${inquiry.name}:${index + 1}`;
    for (const [id, judgement] of await judgeBatch({ ...inquiry, name }, batch, tools)) judged.set(id, judgement);
  }
  return judged;
}

/** As `judgeSupport`, of what has to be said by what it names: what asserts nothing is said by nothing. */
export async function judgeSaid(...asked: Parameters<typeof judgeSupport>): Promise<Map<string, Judged>> {
  const judged = await judgeSupport(...asked);
  for (const [id, { isFraming, ...one }] of judged)
    if (isFraming === true) judged.set(id, { ...one, verdict: "not_checked" });
  return judged;
}

/**
 * What is judged in one call. A text from outside may order the verifier about: it stands in no call with a statement that
 * rests on other sources, so that it decides no verdict but its own. The asker's own documents are trusted that far.
 */
function batches(statements: readonly Asked[], most: number): Asked[][] {
  const groups = Map.groupBy(statements, ({ quotes, behind = [] }) => {
    const outside = [...quotes, ...behind].filter(isFromOutside);
    return [...new Set(outside.map(({ quote }) => quote.source_digest))].sort().join(" ");
  });
  return [...groups.values()].flatMap((group) => {
    const parts: Asked[][] = [[]];
    let length = 0;
    for (const asked of group) {
      const own = lengthOf(asked);
      const last = parts.at(-1) as Asked[];
      if (last.length > 0 && (last.length === STATEMENTS_PER_CALL || length + own > most)) {
        parts.push([asked]);
        length = own;
      } else {
        last.push(asked);
        length += own;
      }
    }
    return parts.filter((part) => part.length > 0);
  });
}

function lengthOf({ text, quotes, from = [], notFound = [] }: Asked): number {
  const shown = quotes.map((quote) => JSON.stringify(shownContext(quote)).length);
  return (
    text.length +
    [...shown, ...[...from, ...notFound].map((one) => one.length)].reduce((sum, length) => sum + length, 0)
  );
}

async function judgeBatch(
  { name, question, parts }: Inquiry,
  batch: readonly Asked[],
  tools: TaskTools,
): Promise<(readonly [string, Judged])[]> {
  const wanted = batch.map(({ id }) => id);
  const asksParts = parts === undefined ? {} : { parts: parts.map(({ id, text }) => ({ id, part: text })) };
  const answered = await askVerifier<Verdicts>(
    {
      name,
      system: system(VERIFIER, [...verdictDemands(), ...(parts === undefined ? [] : relationDemands())]),
      user: JSON.stringify({ ...asksParts, ...shownBatch(question, batch) }),
      result: {
        schema: parts === undefined ? verdictsSchema : relatedVerdictsSchema,
        description: "Hands the verdicts in.",
      },
      problemOf: ({ verdicts }) => problemOf(verdicts, wanted) ?? unknownPart(verdicts, parts),
      maxTurns: 5,
    },
    tools,
  );
  if ("failed" in answered)
    return wanted.map((id) => [id, { verdict: "not_checked", method: NOBODY, reason: answered.failed }] as const);
  const { result, conversation } = answered;
  const asks = new Map(batch.map((one) => [one.id, one.asks]));
  return result.verdicts.map((one) => {
    const part_ids = "part_ids" in one ? { part_ids: [...new Set(one.part_ids)] } : {};
    return [one.id, { ...judgementOf(one, asks.get(one.id), conversation.model), ...part_ids }] as const;
  });
}

const FIELD_OF_TEXTS: Record<Asked["asks"], string> = {
  cited: "beside",
  derived: "follows_from",
  unmarked: "beside",
  gap: "beside",
  label: "below",
};

/** Each quote once; statements name them. */
function shownBatch(question: string, batch: readonly Asked[]) {
  const quotes = new Map<string, { id: string; context: QuoteInContext }>();
  const idOf = (context: QuoteInContext): string => {
    const { source_digest, start, end } = context.quote;
    const key = `${source_digest} ${start} ${end}`;
    const known = quotes.get(key) ?? { id: context.name ?? `q${quotes.size + 1}`, context };
    quotes.set(key, known);
    return known.id;
  };
  const statements = batch.map(({ id, text, asks, quotes: own, from = [], notFound = [], expression }) => ({
    id,
    asks,
    statement: text,
    ...(own.length === 0 ? {} : { quotes: own.map(idOf) }),
    ...(from.length === 0 ? {} : { [FIELD_OF_TEXTS[asks]]: from }),
    ...(notFound.length === 0 ? {} : { not_found: notFound }),
    ...(expression === undefined ? {} : { computed_by: expression }),
  }));
  return {
    question,
    quotes: [...quotes.values()].map(({ id, context }) => ({ id, ...shownContext(context) })),
    statements,
  };
}

function judgementOf(
  { verdict, why, excess = "" }: Verdicts["verdicts"][number],
  asks: Asked["asks"] | undefined,
  model: string,
): Judged {
  const method = shortened(`model ${model}`, 120);
  const reason = (text: string): string => shortened(text, MAX_REASON);
  if (verdict === "framing")
    return { verdict: "supported", method, isFraming: true, reason: reason(`asserts nothing: ${why}`) };
  if (verdict === "supported") return { verdict, method };
  if (verdict === "contradicted") return { verdict, method, reason: reason(why || "its quotes say the opposite") };
  const what = asks === "derived" ? "does not follow" : asks === "label" ? "does not fit" : "not found in its quotes";
  const text = excess.trim() === "" ? `${what}: ${why}` : `goes too far in “${excess.trim()}”: ${why}`;
  return { verdict: "not_checked", method, reason: reason(text) };
}

function problemOf(verdicts: Verdicts["verdicts"], wanted: readonly string[]): string | null {
  const ids = verdicts.map(({ id }) => id);
  const missing = wanted.filter((id) => !ids.includes(id));
  if (missing.length > 0) return `no verdict on ${missing.join(", ")}`;
  const strange = ids.find((id, index) => !wanted.includes(id) || ids.indexOf(id) !== index);
  return strange === undefined ? null : `${strange} was not asked for, or stands twice`;
}

function unknownPart(verdicts: Verdicts["verdicts"], parts: readonly QuestionPart[] = []): string | null {
  const known = parts.map(({ id }) => id);
  const named = verdicts.flatMap((one) => ("part_ids" in one ? one.part_ids : []));
  const unknown = named.find((id) => !known.includes(id));
  return unknown === undefined ? null : `there is no part ${unknown}; there are: ${known.join(", ")}`;
}
