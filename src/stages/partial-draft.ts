// A draft from what a run has found so far: finished results where there are some, the driver for what is missing.
import { RunError } from "../kernel/errors.ts";
import type { TaskTools } from "../ports/driver.ts";
import type { Draft } from "../run/report.ts";
import type { Citations, Findings, Plan, Summary } from "../run/research.ts";
import type { StageContext } from "./stage-definition.ts";

/** Stores nothing. Errors: `NO_EVIDENCE` when no quote was found yet. */
export async function composeDraft({ manifest, evidence, driver }: StageContext, tools: TaskTools): Promise<Draft> {
  const { limits, query } = manifest;
  const question = query.text;
  const findings = await evidence.findings();
  if (!findings.some(({ quotes }) => quotes.length > 0)) {
    throw new RunError("NO_EVIDENCE", { reason: "the run has found nothing to report", stage: manifest.stage.current });
  }
  const plan: Plan = await evidence.plan();
  const checkedBefore = new Map((await evidence.citations()).map((citations) => [citations.subject, citations]));
  const summarizedBefore = new Map((await evidence.summaries()).map((summary) => [summary.subject, summary]));
  const citations: Citations[] = [];
  const summaries: Summary[] = [];
  for (const found of findings) {
    const checked =
      checkedBefore.get(found.subject) ??
      (await driver.perform("check_citations", { subject: found.subject, findings: found }, tools));
    citations.push(checked);
    summaries.push(
      summarizedBefore.get(found.subject) ??
        (await driver.perform("summarize", { findings: found, citations: checked, limits }, tools)),
    );
  }
  const wave1: Findings[] = findings.filter(({ subject_kind }) => subject_kind === "perspective");
  const pivot = await driver.perform("pivot", { question, plan, findings: wave1, limits }, tools);
  const sources = await evidence.sources();
  return await driver.perform(
    "draft",
    { question, plan, pivot, summaries, citations, sources, directives: [], previous: null, limits },
    tools,
  );
}
