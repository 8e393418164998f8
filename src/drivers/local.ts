// The local driver makes a digest of excerpts. It uses no clock or randomness, and a model only where one is to choose among
// passages. All that it says about the subject is quoted byte for byte.
import { CODE_DIGESTS } from "./code-digests.ts";
import { driverOf } from "./driver-of.ts";
import { draft } from "./local/draft.ts";
import { plan } from "./local/plan.ts";
import { fillGap, research } from "./local/research.ts";
import { RANK_CHECK } from "./ranking/rank-check.ts";
import { counted } from "../kernel/counted.ts";
import type { Driver, Tasks, TaskTools } from "../ports/driver.ts";
import type { Pivot, Citation, Citations, Summary } from "../run/report/research.ts";
import { countedOf, doesAnswer, leadOf } from "./local/coverage.ts";
import { given } from "../kernel/given.ts";
import { isVerbatim } from "../run/report/source.ts";
import type { Claim, JudgedClaim } from "../run/report/report.ts";

const driver = driverOf("local", `local-11+${CODE_DIGESTS.local}`, {
  plan,
  research,
  pivot,
  fill_gap: fillGap,
  check_citations: checkCitations,
  summarize,
  draft,
  judge_claims: judgeClaims,
  // It was checked that the excerpts are in their sources. The reader judges if they answer.
  review: ({ draft_number }) => ({ draft: draft_number, decision: "accept", directives: [] }),
});

export const localDriver: Driver = { ...driver, rankCheck: RANK_CHECK };

/** How well the excerpts cover each part. No second wave follows, since the same words would find the same passages. */
function pivot({ plan, findings }: Tasks["pivot"]["input"]): Pivot {
  const all = findings.flatMap(({ quotes }) => quotes);
  const parts = plan.parts.map(({ id }) => {
    const quotes = all.filter(({ part_ids }) => part_ids.includes(id));
    const lead = leadOf(quotes);
    const coverage = lead === undefined ? 0 : countedOf(lead);
    const isWhole = lead !== undefined && doesAnswer(lead) && lead.ranked?.answers !== "partly";
    const evidence = lead === undefined ? "none" : isWhole ? "strong" : "weak";
    const sources = new Set<string>(quotes.map(({ source_digest }) => source_digest)).size;
    return { part_id: id, evidence, quotes: quotes.length, sources, coverage } as const;
  });
  const open = parts.filter(({ evidence }) => evidence !== "strong").length;
  const reason = `${counted(open, "part")} of the question without an answer; other words need a model`;
  return { parts, gaps: [], decision: "skip", reason };
}

/** Errors: those of a stored source that cannot be read. They are no verdict, so they end the tick. */
async function checkCitations(
  { subject, findings }: Tasks["check_citations"]["input"],
  tools: TaskTools,
): Promise<Citations> {
  const citations: Citation[] = [];
  for (const [index, found] of findings.quotes.entries()) {
    tools.signal.throwIfAborted();
    const { source_digest, start, end, text, anchor } = found;
    const quote = { source_digest, start, end, text, ...given({ anchor }) };
    const stands = isVerbatim(quote, await tools.sourceText(quote.source_digest));
    const { part_ids, marks, code, coverage, answers, lacks, ranked } = found;
    citations.push({
      citation_id: `${subject}-q${index + 1}`,
      subject,
      quote,
      ...(stands ? STANDS : NOT_THERE),
      part_ids,
      ...given({ marks, code, coverage, answers, lacks, ranked }),
    });
  }
  return { subject, citations };
}

type Checked = Pick<Citation, "found" | "verdict" | "method" | "reason">;

const STANDS: Checked = { found: true, verdict: "supported", method: "verbatim" };
const NOT_THERE: Checked = {
  found: false,
  verdict: "not_checked",
  method: "verbatim",
  reason: "the quote is not in its stored source",
};

/** Sums up a subject by its quotes that were found in their sources. A point is a quote, with its score in the search. */
function summarize({ findings, citations }: Tasks["summarize"]["input"]): Summary {
  const { subject, subject_kind, title, notes } = findings;
  const points = citations.citations.flatMap(({ citation_id, quote, found, part_ids = [] }, index) =>
    found
      ? [{ text: quote.text, citation_ids: [citation_id], score: findings.quotes[index]?.score ?? 0, part_ids }]
      : [],
  );
  return { schema_version: "summary.v1", subject, subject_kind, title, points, notes };
}

/** A claim that is a quote is supported when the quote is in its source. Others keep their verdict. */
async function judgeClaims({ claims }: Tasks["judge_claims"]["input"], tools: TaskTools): Promise<JudgedClaim[]> {
  const judged: JudgedClaim[] = [];
  for (const claim of claims) {
    tools.signal.throwIfAborted();
    const { statement_id, verdict, method, reason } = claim;
    if (await isItsQuote(claim, tools)) judged.push({ statement_id, verdict: "supported", method: "verbatim" });
    else judged.push({ statement_id, verdict, method, ...given({ reason }) });
  }
  return judged;
}

async function isItsQuote({ text, quotes }: Claim, tools: TaskTools): Promise<boolean> {
  for (const quote of quotes)
    if (quote.text === text && isVerbatim(quote, await tools.sourceText(quote.source_digest))) return true;
  return false;
}
