// Asks the verifier if statements hold. A statement that could not be judged gets the verdict `not_checked`.
import { isFault } from "../../kernel/errors.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { TaskTools } from "../../ports/driver.ts";
import { spanKey } from "../../run/report/source.ts";
import { performBrief } from "../asking/performer.ts";
import { isFromOutside, shownContext } from "./quote-context.ts";
import { verdictsBrief, type StatementToJudge, type Inquiry, type Judged } from "./verdicts-brief.ts";

const STATEMENTS_PER_CALL = 60;
const MAX_CALL_LENGTH = 40_000;
/** A call may be this many times as long as the result of a tool. The prompts and the verdicts need room, too. */
const RESULTS_PER_CALL = 1.5;
const MAX_REASON = 400;
/** Tries when the verifier fails for a moment. */
const MAX_TRIES = 3;

/** A judgement of every statement, by its id. */
export async function judgeSupport(
  inquiry: Inquiry,
  statements: readonly StatementToJudge[],
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

/** As `judgeSupport`, for statements that have to assert something. One that asserts nothing is not checked. */
export async function judgeSaid(...given: Parameters<typeof judgeSupport>): Promise<Map<string, Judged>> {
  const judged = await judgeSupport(...given);
  for (const [id, { isFraming, ...one }] of judged)
    if (isFraming === true) judged.set(id, { ...one, verdict: "not_checked" });
  return judged;
}

/** The method of a verdict when the verifier failed. */
const NO_JUDGE = "none";
export const NOT_JUDGED = { verdict: "not_checked", method: NO_JUDGE } as const;

export function isJudged({ method }: Pick<Judged, "method">): boolean {
  return method !== NO_JUDGE;
}

/** True when it was judged neither supported nor contradicted, since its quotes say something else or less. */
export function isUnclear(judged: Pick<Judged, "verdict" | "method">): boolean {
  return judged.verdict === "not_checked" && isJudged(judged);
}

/**
 * The statements of each call. A text from outside may hold orders to the verifier, so it is in no call with statements that rest
 * on other sources, and can change no verdict but its own. The asker's own documents may share a call.
 */
function batches(statements: readonly StatementToJudge[], most: number): StatementToJudge[][] {
  const groups = Map.groupBy(statements, ({ quotes, behind = [] }) => {
    const outside = [...quotes, ...behind].filter(isFromOutside);
    return [...new Set(outside.map(({ quote }) => quote.source_digest))].sort().join(" ");
  });
  return [...groups.values()].flatMap((group) => batchesOf(group, most));
}

/** In the order of the statements. A call shows a quote once, so that it counts once. */
function batchesOf(group: readonly StatementToJudge[], most: number): StatementToJudge[][] {
  const calls: StatementToJudge[][] = [];
  let shown = new Set<string>();
  let length = 0;
  for (const one of group) {
    const last = calls.at(-1);
    let own = lengthOf(one, shown);
    if (last === undefined || last.length === STATEMENTS_PER_CALL || length + own > most) {
      [shown, length] = [new Set(), 0];
      own = lengthOf(one, shown);
      calls.push([one]);
    } else last.push(one);
    length += own;
    for (const { quote } of one.quotes) shown.add(spanKey(quote));
  }
  return calls;
}

/** `shown`: the quotes of statements before it in the same call. */
function lengthOf({ text, quotes, from = [], notFound = [] }: StatementToJudge, shown: ReadonlySet<string>): number {
  const own = quotes.filter(({ quote }) => !shown.has(spanKey(quote)));
  const parts = [text, ...from, ...notFound, ...own.map((quote) => JSON.stringify(shownContext(quote)))];
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/**
 * Another try, or another attempt at the step, continues the stored conversation. A conversation that ended without a result
 * would end so again, so the next try begins a new one.
 */
async function judgeBatch(
  inquiry: Inquiry,
  batch: readonly StatementToJudge[],
  tools: TaskTools,
): Promise<Map<string, Judged>> {
  for (let [tries, conversation] = [1, 1]; ;) {
    const name = conversation === 1 ? inquiry.name : `${inquiry.name}:${conversation}`;
    try {
      return await performBrief(verdictsBrief({ ...inquiry, name }, batch), tools);
    } catch (error) {
      if (!isFault(error, "MODEL_FAILED")) throw error;
      const { goes_on, kind, asked, reason } = error.facts;
      if (goes_on !== true && asked === 0) conversation++;
      else if (goes_on === true && kind !== "rate_limited" && tries < MAX_TRIES) tries++;
      else return unjudged(batch, shortened(`the verifier failed: ${reason ?? error.code}`, MAX_REASON));
    }
  }
}

function unjudged(batch: readonly StatementToJudge[], reason: string): Map<string, Judged> {
  return new Map(batch.map(({ id }) => [id, { ...NOT_JUDGED, reason }]));
}
