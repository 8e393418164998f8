// Stage summaries: sums up what was found for each perspective and gap. Gate D judges that all are covered within the limits.
import type { Citations, Findings, Summary } from "../run/report/research.ts";
import { verdict, type GateVerdict } from "../run/log/gate.ts";
import { limitsOf } from "../run/report/earlier-evidence.ts";
import { workLimits, type Limits } from "../run/settings/settings.ts";
import { summaryMarkdown } from "./findings-markdown.ts";
import { stepPlan, type StageDefinition } from "./stage-definition.ts";

export const summariesStage: StageDefinition = {
  stage: "summaries",
  gathers: false,
  async plan({ manifest, evidence }) {
    const { limits } = manifest;
    const upstream = await evidence.digests("citations");
    const checked = new Map<string, Citations>(
      (await evidence.citations()).map((citations) => [citations.subject, citations]),
    );
    return (await evidence.findings()).map((findings) => {
      const { subject } = findings;
      return stepPlan({
        key: `summaries:${subject}`,
        task: "summarize",
        identity: { subject, citations: upstream[`citations:${subject}`], limits: workLimits(limits) },
        input: async () => ({
          findings,
          citations: checked.get(subject) ?? { subject, citations: [] },
          limits: limitsOf(subject, limits),
        }),
        product: { base: `summaries/${subject}`, markdown: summaryMarkdown },
      });
    });
  },
  async judge({ manifest, evidence }) {
    return [judgeSummaries(await evidence.summaries(), await evidence.findings(), manifest.limits)];
  },
  async next() {
    return { to: "synthesis", reason: "every subject is summarized" };
  },
};

/** Gate D: every perspective and gap has a summary within the limits, with points if it has quotes. */
function judgeSummaries(summaries: readonly Summary[], findings: readonly Findings[], ofRun: Limits): GateVerdict {
  const reasons: string[] = [];
  const bySubject = new Map<string, Summary>(summaries.map((summary) => [summary.subject, summary]));
  for (const { subject, quotes } of findings) {
    const summary = bySubject.get(subject);
    if (summary === undefined) reasons.push(`${subject} has no summary`);
    else if (quotes.length > 0 && summary.points.length === 0)
      reasons.push(`the summary of ${subject} has no point, although quotes were found`);
  }
  for (const { subject, points } of summaries) {
    const limits = limitsOf(subject, ofRun);
    const words = points.reduce((sum, { text }) => sum + text.split(/\s+/u).length, 0);
    if (words > limits.max_words_per_subject)
      reasons.push(`the summary of ${subject} has ${words} words; at most ${limits.max_words_per_subject} are allowed`);
    if (points.length > limits.max_quotes_per_subject)
      reasons.push(
        `the summary of ${subject} has ${points.length} points; at most ${limits.max_quotes_per_subject} are allowed`,
      );
  }
  return verdict("D", { summaries: summaries.length, subjects: findings.length }, reasons);
}
