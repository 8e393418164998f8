// Stage citations: looks up every quote in its stored source. Gate C judges the result.
import { digestOfJson } from "../kernel/digest.ts";
import type { Citation, Findings } from "../run/report/research.ts";
import { partsFor } from "../run/report/parts-now.ts";
import { verdict, type GateVerdict } from "../run/log/gate.ts";
import type { Limits } from "../run/settings/settings.ts";
import { emptinessOf, isVerbatim } from "../run/report/source.ts";
import { doubtsOf, tooManyDoubts } from "../run/report/doubts.ts";
import { VERDICTS_PREFIX, type Evidence } from "./evidence.ts";
import { stepPlan, type StageDefinition } from "./stage-definition.ts";

export const citationsStage: StageDefinition = {
  stage: "citations",
  gathers: false,
  async plan({ manifest, evidence }) {
    const upstream = { ...(await evidence.digests("wave1")), ...(await evidence.digests("wave2")) };
    const isJudgedApart = Object.keys(upstream).some((key) => key.startsWith(VERDICTS_PREFIX));
    // A step that judged several findings has them with their verdicts.
    const digestOf = (findings: Findings) => (isJudgedApart ? digestOfJson(findings) : upstream[stepKeyOf(findings)]);
    const [question, plan, pivots] = [manifest.query.text, await evidence.plan(), await evidence.pivots()];
    return (await evidence.findings()).map((findings) =>
      stepPlan({
        key: `citations:${findings.subject}`,
        task: "check_citations",
        identity: { subject: findings.subject, findings: digestOf(findings) },
        input: async () => {
          const earlier = (await evidence.citations()).find(({ subject }) => subject === findings.subject);
          const { subject } = findings;
          return {
            question,
            parts: partsFor(subject, plan, pivots),
            subject,
            findings,
            ...(earlier === undefined ? {} : { earlier }),
          };
        },
      }),
    );
  },
  async judge({ manifest, evidence }) {
    const checked = (await evidence.citations()).flatMap(({ citations }) => citations);
    const citations = await lookedUp(checked, evidence);
    const quotes = (await evidence.findings()).reduce((sum, findings) => sum + findings.quotes.length, 0);
    return [judgeCitations(citations, quotes, manifest.limits)];
  },
  async next() {
    return { to: "summaries", reason: "every quote was looked up" };
  },
};

function stepKeyOf({ subject, subject_kind }: Findings): string {
  return `${subject_kind === "perspective" ? "wave1" : "wave2"}:${subject}`;
}

/**
 * The citations with `found` as the stored bytes say it, since the gate trusts no driver. One text is held at a time. Errors:
 * `MISSING_ARTIFACT` and `INTEGRITY_ERROR` for a source that is gone or altered, which is no verdict on its quotes.
 */
export async function lookedUp(citations: readonly Citation[], evidence: Evidence): Promise<Citation[]> {
  const sources = new Map((await evidence.sources()).map((source) => [source.source_digest, source]));
  const checked = citations.map((citation) => ({ ...citation }));
  for (const [digest, ofSource] of Map.groupBy(checked, ({ quote }) => quote.source_digest)) {
    const source = sources.get(digest);
    const text = source === undefined ? null : await evidence.sourceText(source);
    for (const citation of ofSource) citation.found &&= text !== null && isVerbatim(citation.quote, text);
  }
  return checked;
}

/** Gate C: every quote is in its stored source, and few enough claims are contradicted or unchecked. */
export function judgeCitations(citations: readonly Citation[], quotes: number, limits: Limits): GateVerdict {
  const reasons: string[] = [];
  const unresolved = citations.filter(({ found }) => !found);
  if (citations.length !== quotes) reasons.push(`${quotes} quotes, but ${citations.length} were looked up`);
  if (unresolved.length > 0) {
    reasons.push(
      `${unresolved.length} quote(s) are not in their stored source: ${unresolved
        .slice(0, 5)
        .map(({ citation_id }) => citation_id)
        .join(", ")}`,
    );
  }
  const empty = citations.filter(({ quote }) => emptinessOf(quote) !== null).length;
  if (empty > 0) reasons.push(`${empty} quote(s) say nothing: too short, or a byte was lost`);
  const doubts = doubtsOf(citations);
  const tooMany = tooManyDoubts(doubts, limits);
  if (tooMany !== null) reasons.push(tooMany);
  return verdict("C", { citations: citations.length, unresolved: unresolved.length, ...doubts.metrics }, reasons);
}
