// The brief of verdicts: the verifier judges if each statement holds by what it names, and which parts of the question its quotes
// answer.
import { z } from "../../kernel/zod.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { Verdict } from "../../run/report/report.ts";
import type { QuestionPart } from "../../run/report/research.ts";
import { spanKey } from "../../run/report/source.ts";
import type { Brief } from "../asking/brief.ts";
import { PromptFile } from "../asking/prompt-file.ts";
import { nameAmong } from "../asking/read-answer.ts";
import { shownContext, type QuoteInContext } from "./quote-context.ts";
import words from "./verdicts.txt" with { type: "text" };

const MAX_REASON = 400;
const MAX_METHOD = 120;

export interface StatementToJudge {
  id: string;
  text: string;
  /**
   * The question for the verifier. `cited`: do its quotes say it. `disagree`: do they say what it says of either side. `derived`:
   * does it follow from what it names. `suggested`: is it advice that goes with what it names. `unmarked`: does it assert anything.
   * `gap`: does it say no more than was noted as not found. `label`: does it fit what is below it.
   */
  asks: "cited" | "disagree" | "derived" | "suggested" | "unmarked" | "gap" | "label";
  quotes: readonly QuoteInContext[];
  /** Those of its quotes that say otherwise than the others. */
  against?: readonly QuoteInContext[];
  /** Other statements that it follows from, or that are below a label. */
  from?: readonly string[];
  /** The notes on what was not found that it names. */
  notFound?: readonly string[];
  /** Quotes whose own words are in `from`. */
  behind?: readonly QuoteInContext[];
  expression?: string | undefined;
}

export interface Judged {
  verdict: Verdict;
  method: string;
  reason?: string | undefined;
  /** True when it asserts nothing. */
  isFraming?: boolean;
  /** The only words of it that do not hold. */
  excess?: string;
  /** The parts of the question that its quotes answer, when that was to be judged. */
  part_ids?: string[];
}

/** `ids`: of the statements. `parts`: the ids of the parts of the question, when those of each quote are wanted. */
function verdictsSchema(ids: readonly string[], parts: readonly string[] | undefined) {
  const fields = {
    id: nameAmong(ids),
    // A verdict counts without its reason.
    why: z.string().catch(""),
    verdict: z.enum(["supported", "partly", "contradicted", "unclear", "framing"]),
    /** The words that go too far. */
    excess: z
      .string()
      .max(MAX_REASON * 4)
      .optional(),
  };
  const part_ids = z
    .array(nameAmong(parts ?? []))
    .max(20)
    .describe("the parts that its quote answers; none is an answer");
  return z.object({ verdicts: z.array(z.object(parts === undefined ? fields : { ...fields, part_ids })) });
}
type Judgement = z.infer<ReturnType<typeof verdictsSchema>>["verdicts"][number] & { part_ids?: string[] };
type Verdicts = { verdicts: Judgement[] };

/** What all statements are judged by. */
export interface Inquiry {
  /** The name of the brief, within the step. */
  name: string;
  question: string;
  /** When given, the verifier also says which of them the quotes of each statement answer. */
  parts?: readonly QuestionPart[];
}

const EXAMPLE: Verdicts["verdicts"][number] = {
  id: "s1",
  why: "q1 says two minutes, and the statement says so.",
  verdict: "supported",
};

const VERDICTS = new PromptFile(words);

/** The result has a judgement by the id of each statement. */
export function verdictsBrief(
  { name, question, parts }: Inquiry,
  statements: readonly StatementToJudge[],
): Brief<Verdicts, Map<string, Judged>> {
  const wanted = statements.map(({ id }) => id);
  const asksParts = parts === undefined ? {} : { parts: parts.map(({ id, text }) => ({ id, part: text })) };
  const asks = new Map(statements.map((one) => [one.id, one.asks]));
  return {
    name,
    role: "verifier",
    who: VERDICTS.part("who"),
    demands: [...VERDICTS.list("demands"), ...(parts === undefined ? [] : VERDICTS.list("demands_of_parts"))],
    task: { ...asksParts, ...shownStatements(question, statements) },
    answer: {
      schema: verdictsSchema(
        wanted,
        asksParts.parts?.map(({ id }) => id),
      ),
      description: "Hands the verdicts in.",
      example: { verdicts: [parts === undefined ? EXAMPLE : { ...EXAMPLE, part_ids: ["recovery"] }] },
    },
    problemsOf: ({ verdicts }) => problemsOf(verdicts, wanted, parts),
    resultOf: ({ verdicts }, by) =>
      new Map(
        verdicts.map((one) => {
          const part_ids = "part_ids" in one ? { part_ids: [...new Set(one.part_ids)] } : {};
          return [one.id, { ...judgementOf(one, asks.get(one.id), by), ...part_ids }] as const;
        }),
      ),
  };
}

const FIELD_OF_TEXTS: Record<StatementToJudge["asks"], string> = {
  cited: "beside",
  disagree: "beside",
  derived: "follows_from",
  suggested: "follows_from",
  unmarked: "beside",
  gap: "beside",
  label: "below",
};

/** The task: each quote once, and the statements with the ids of their quotes. */
function shownStatements(question: string, toJudge: readonly StatementToJudge[]) {
  const quotes = new Map<string, { id: string; context: QuoteInContext }>();
  const idOf = (context: QuoteInContext): string => {
    const key = spanKey(context.quote);
    const known = quotes.get(key) ?? { id: context.name ?? `q${quotes.size + 1}`, context };
    quotes.set(key, known);
    return known.id;
  };
  const statements = toJudge.map(
    ({ id, text, asks, quotes: own, against = [], from = [], notFound = [], expression }) => ({
      id,
      asks,
      statement: text,
      ...(own.length === 0 ? {} : { quotes: own.filter((one) => !against.includes(one)).map(idOf) }),
      ...(against.length === 0 ? {} : { against: against.map(idOf) }),
      ...(from.length === 0 ? {} : { [FIELD_OF_TEXTS[asks]]: from }),
      ...(notFound.length === 0 ? {} : { not_found: notFound }),
      ...(expression === undefined ? {} : { computed_by: expression }),
    }),
  );
  return {
    question,
    quotes: [...quotes.values()].map(({ id, context }) => ({ id, ...shownContext(context) })),
    statements,
  };
}

const WHAT_FAILS: Partial<Record<StatementToJudge["asks"], string>> = {
  derived: "does not follow",
  suggested: "is no advice",
  disagree: "its quotes do not disagree so",
  label: "does not fit",
};

function judgementOf(
  { verdict, why, excess = "" }: Verdicts["verdicts"][number],
  asks: StatementToJudge["asks"] | undefined,
  by: string,
): Judged {
  const method = shortened(by, MAX_METHOD);
  const reason = (text: string): string => shortened(text, MAX_REASON);
  if (verdict === "framing")
    return { verdict: "supported", method, isFraming: true, reason: reason(`asserts nothing: ${why}`) };
  if (verdict === "supported") return { verdict, method };
  if (verdict === "contradicted") return { verdict, method, reason: reason(why || "its quotes say the opposite") };
  const what = (asks === undefined ? undefined : WHAT_FAILS[asks]) ?? "not found in its quotes";
  const text = excess.trim() === "" ? `${what}: ${why}` : `goes too far in “${excess.trim()}”: ${why}`;
  const isExcess = verdict === "partly" && excess.trim() !== "";
  return { verdict: "not_checked", method, reason: reason(text), ...(isExcess ? { excess: excess.trim() } : {}) };
}

function problemsOf(
  verdicts: Verdicts["verdicts"],
  wanted: readonly string[],
  parts: readonly QuestionPart[] = [],
): string[] {
  const problems: string[] = [];
  const ids = verdicts.map(({ id }) => id);
  const given = new Set(ids);
  const missing = wanted.filter((id) => !given.has(id));
  if (missing.length > 0) problems.push(`no verdict on ${missing.join(", ")}`);
  // A verdict on a statement that was not to be judged is ignored.
  for (const id of new Set(wanted)) if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push(`${id} stands twice`);
  const known = parts.map(({ id }) => id);
  const named = new Set(verdicts.flatMap((one) => ("part_ids" in one ? one.part_ids : [])));
  for (const id of named)
    if (!known.includes(id)) problems.push(`there is no part ${id}; there are: ${known.join(", ")}`);
  return problems;
}
