// Whether quotes support a statement, as a verifying model judges it. What could not be judged is not checked.
import { z } from "../../kernel/schema.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Verdict } from "../../run/report.ts";
import { system, verdictDemands, VERIFIER } from "./prompts.ts";
import { askVerifier } from "./verifier-task.ts";

const STATEMENTS_PER_CALL = 10;
const MAX_REASON = 400;

export interface Statement {
  id: string;
  text: string;
  quotes: readonly string[];
}

export interface Judged {
  verdict: Verdict;
  method: string;
  reason?: string;
}

/** The method of a verdict that nobody gave: the verifier failed. */
const NOBODY = "none";

export function isJudged({ method }: Judged): boolean {
  return method !== NOBODY;
}

/** Judged, and neither supported nor contradicted: the quotes speak of something else, or of less. */
export function isUnclear(judged: Judged): boolean {
  return judged.verdict === "not_checked" && isJudged(judged);
}

const verdictsSchema = z.object({
  verdicts: z.array(
    z.object({
      id: z.string(),
      verdict: z.enum(["supported", "contradicted", "unclear"]),
      why: z.string().min(1).max(MAX_REASON),
    }),
  ),
});
type Verdicts = z.infer<typeof verdictsSchema>;

/** By the id of the statement; every statement has a judgement. */
export async function judgeSupport(
  name: string,
  statements: readonly Statement[],
  tools: TaskTools,
): Promise<Map<string, Judged>> {
  const judged = new Map<string, Judged>();
  for (let from = 0; from < statements.length; from += STATEMENTS_PER_CALL) {
    const batch = statements.slice(from, from + STATEMENTS_PER_CALL);
    const conversation = `${name}:${from / STATEMENTS_PER_CALL + 1}`;
    for (const [id, judgement] of await judgeBatch(conversation, batch, tools)) judged.set(id, judgement);
  }
  return judged;
}

async function judgeBatch(
  name: string,
  batch: readonly Statement[],
  tools: TaskTools,
): Promise<(readonly [string, Judged])[]> {
  const wanted = batch.map(({ id }) => id);
  const answered = await askVerifier<Verdicts>(
    {
      name,
      system: system(VERIFIER, verdictDemands()),
      user: JSON.stringify({
        statements: batch.map(({ id, text, quotes }) => ({ id, statement: text, document_text: quotes })),
      }),
      result: { schema: verdictsSchema, description: "Hands the verdicts in." },
      problemOf: ({ verdicts }) => problemOf(verdicts, wanted),
      maxTurns: 5,
    },
    tools,
  );
  if ("failed" in answered)
    return wanted.map((id) => [id, { verdict: "not_checked", method: NOBODY, reason: answered.failed }] as const);
  const { result, conversation } = answered;
  return result.verdicts.map(({ id, verdict, why }) => [id, judgementOf(verdict, why, conversation.model)] as const);
}

function judgementOf(verdict: Verdicts["verdicts"][number]["verdict"], why: string, model: string): Judged {
  const method = shortened(`model ${model}`, 120);
  if (verdict === "supported") return { verdict, method };
  if (verdict === "contradicted") return { verdict, method, reason: why };
  return { verdict: "not_checked", method, reason: `not found in its quotes: ${why}` };
}

function problemOf(verdicts: Verdicts["verdicts"], wanted: readonly string[]): string | null {
  const ids = verdicts.map(({ id }) => id);
  const missing = wanted.filter((id) => !ids.includes(id));
  if (missing.length > 0) return `no verdict on ${missing.join(", ")}`;
  const strange = ids.find((id, index) => !wanted.includes(id) || ids.indexOf(id) !== index);
  return strange === undefined ? null : `${strange} was not asked for, or stands twice`;
}
