// Stages wave1 and wave2: research each perspective, then each gap. Gate B judges the findings. Stage wave2 holds all later
// waves, and the planner assesses the evidence before each further one.
import { assert } from "../kernel/assert.ts";
import { given } from "../kernel/given.ts";
import { adoptedFindings, EARLIER, limitsOf, type EarlierEvidence } from "../run/report/earlier-evidence.ts";
import { gapsOf, planAfter } from "../run/report/parts-now.ts";
import type { Findings, NearMiss, Perspective, Pivot, Plan, QuestionPart } from "../run/report/research.ts";
import type { Tasks } from "../ports/driver.ts";
import { verdict, type GateVerdict } from "../run/log/gate.ts";
import type { Limits } from "../run/settings/settings.ts";
import { findingsMarkdown } from "./findings-markdown.ts";
import { LOOK_PREFIX, VERDICTS_PREFIX } from "./evidence.ts";
import {
  gapStep,
  judgedLater,
  limitedStep,
  searchStep,
  stepPlan,
  type AnyStepPlan,
  type StageContext,
  type StageDefinition,
} from "./stage-definition.ts";

export const wave1Stage: StageDefinition = {
  stage: "wave1",
  gathers: true,
  async plan(context) {
    const { manifest, evidence, driver } = context;
    const plan = await evidence.plan();
    const { perspectives, parts } = plan;
    const earlier = await evidence.earlier();
    const held = earlier === null ? [] : adoptedFindings(earlier, plan).quotes;
    const steps = perspectives.map((perspective) => {
      if (perspective.id === EARLIER && earlier !== null) return adoptionStep(manifest, earlier, plan);
      const others = perspectives.flatMap(({ id, title }) => (id === perspective.id ? [] : [title]));
      const input = {
        question: manifest.query.text,
        perspective,
        parts,
        others,
        ...knownTo(perspective, held),
        limits: manifest.limits,
        ...judgedLater(driver),
      };
      const product = { base: `wave-1/${perspective.id}`, markdown: findingsMarkdown };
      return searchStep(manifest, { key: `wave1:${perspective.id}`, task: "research", input, product });
    });
    return [
      ...steps,
      ...(await verdictSteps(context, {
        stage: "wave1",
        wave: 1,
        parts,
        subjects: perspectives.filter(({ id }) => id !== EARLIER),
      })),
    ];
  },
  async halt({ manifest, evidence }) {
    const findings = await evidence.wave1();
    if (findings.some(({ quotes }) => quotes.length > 0)) return null;
    const { parts } = await evidence.plan();
    const unread = await evidence.unreadPages();
    return {
      kind: "no_evidence",
      details: {
        reason:
          unread === null
            ? "nothing was found for the question"
            : `nothing that could be read answers the question; ${unread}`,
        searched: manifest.settings.corpora.map(({ name, documents, partly_read }) => ({
          corpus: name,
          documents,
          ...given({ partly_read: partly_read?.most.map(({ document, unread }) => `${document}: ${unread}`) }),
        })),
        looked_for: parts.map(({ text, terms, absent }) => ({ part: text, terms, ...(absent && { absent }) })),
        nearest: nearestOf(findings),
      },
    };
  },
  async judge({ manifest, evidence }) {
    const { perspectives } = await evidence.plan();
    return [
      judgeFindings(
        await evidence.wave1(),
        perspectives.map(({ id }) => id),
        manifest.limits,
      ),
    ];
  },
  async next() {
    return { to: "pivot", reason: "every perspective was researched" };
  },
};

export const wave2Stage: StageDefinition = {
  stage: "wave2",
  gathers: true,
  async plan(context) {
    const { manifest, evidence } = context;
    const [pivots, findings] = [await evidence.pivots(), await evidence.findings()];
    const waves: AnyStepPlan[][] = [];
    for (const index of pivots.keys())
      waves.push(await waveSteps(context, pivots.slice(0, index + 1), findingsBefore(pivots, index, findings)));
    // A pivot stays among the steps once it is done.
    const later = await Promise.all(
      pivots.slice(1).map((_, index) => pivotStep(context, pivots.slice(0, index + 1), findings)),
    );
    const done = new Set<string>(findings.map(({ subject }) => subject));
    const isDone =
      gapsOf(pivots).every(({ id }) => done.has(id)) &&
      waves.flat().every(({ key }) => !key.startsWith(VERDICTS_PREFIX) || manifest.steps[key]?.state === "completed");
    const isNext = isDone && pivots.length < manifest.limits.max_depth - 1 && gapsOf(pivots.slice(-1)).length > 0;
    return [...waves.flat(), ...later, ...(isNext ? [await pivotStep(context, pivots, findings)] : [])];
  },
  async judge({ manifest, evidence }) {
    const { perspectives } = await evidence.plan();
    const required = [...perspectives.map(({ id }) => id), ...gapsOf(await evidence.pivots()).map(({ id }) => id)];
    return [judgeFindings(await evidence.findings(), required, manifest.limits)];
  },
  async next() {
    return { to: "citations", reason: "every gap was worked on" };
  },
};

/** What was taken over for the parts of a perspective; nothing where that is nothing. */
function knownTo({ part_ids: own }: Perspective, held: Findings["quotes"]): Pick<Tasks["research"]["input"], "known"> {
  const known = held.filter(({ part_ids }) => part_ids.some((id) => own.includes(id)));
  if (known.length === 0) return {};
  return {
    known: known.map(({ source_digest, start, end, text, part_ids }) => ({
      source_digest,
      start,
      end,
      text,
      part_ids,
    })),
  };
}

/** Takes over what was found before. Nothing is searched, so no driver performs it; a replay has its result. */
function adoptionStep(
  { query, limits, follows }: StageContext["manifest"],
  earlier: EarlierEvidence,
  plan: Plan,
): AnyStepPlan {
  const key = `wave1:${EARLIER}`;
  const perspective = plan.perspectives.find(({ id }) => id === EARLIER);
  assert(perspective !== undefined, "the plan has the perspective");
  const step = stepPlan({
    key,
    task: "research",
    identity: { evidence: follows?.evidence.sha256, held: plan.held },
    input: async () => ({ question: query.text, perspective, parts: plan.parts, limits }),
    product: { base: `wave-1/${EARLIER}`, markdown: findingsMarkdown },
  });
  return {
    ...step,
    perform: async (driver, tools) =>
      driver.id === "fixture" ? await step.perform(driver, tools) : adoptedFindings(earlier, plan),
  };
}

/** The findings for the perspectives, and for the gaps that earlier pivots named. */
function findingsBefore(pivots: readonly Pivot[], index: number, findings: readonly Findings[]): Findings[] {
  const earlier = new Set<string>(gapsOf(pivots.slice(0, index)).map(({ id }) => id));
  return findings.filter(({ subject, subject_kind }) => subject_kind === "perspective" || earlier.has(subject));
}

/** The steps for the gaps that the last of these pivots named. */
async function waveSteps(
  context: StageContext,
  pivots: readonly Pivot[],
  found: readonly Findings[],
): Promise<AnyStepPlan[]> {
  const { manifest, evidence, driver } = context;
  const { parts } = planAfter(await evidence.plan(), pivots);
  const gaps = gapsOf(pivots.slice(-1));
  const steps = gaps.map((gap) => {
    const product = { base: `wave-2/${gap.id}`, markdown: findingsMarkdown };
    return gapStep(manifest, { key: `wave2:${gap.id}`, gap, parts, found, product, ...judgedLater(driver) });
  });
  const wave = { stage: "wave2" as const, wave: pivots.length + 1, parts, subjects: gaps };
  return [...steps, ...(await verdictSteps(context, wave))];
}

/** The step that judges what a wave recorded, once all of it is there: one call of a verifier costs less than many. */
async function verdictSteps(
  { manifest, evidence, driver }: StageContext,
  wave: { stage: "wave1" | "wave2"; wave: number; parts: QuestionPart[]; subjects: readonly { id: string }[] },
): Promise<AnyStepPlan[]> {
  const wanted = new Set(wave.subjects.map(({ id }) => id));
  const recorded = (await evidence.recorded(wave.stage)).filter(({ subject }) => wanted.has(subject));
  if (driver.judgesWaves !== true || wanted.size === 0 || recorded.length < wanted.size) return [];
  const input = { question: manifest.query.text, parts: wave.parts, findings: recorded };
  return [
    stepPlan({
      key: `${VERDICTS_PREFIX}${wave.wave}`,
      task: "judge_findings",
      identity: input,
      input: async () => ({ ...input, sources: await evidence.sources() }),
    }),
  ];
}

/** The step in which the planner assesses what the waves after these pivots have found. */
async function pivotStep(
  { manifest, evidence }: StageContext,
  pivots: readonly Pivot[],
  findings: readonly Findings[],
): Promise<AnyStepPlan> {
  const wave = pivots.length + 2;
  const input = {
    question: manifest.query.text,
    plan: planAfter(await evidence.plan(), pivots),
    findings: findingsBefore(pivots, pivots.length, findings),
    wave,
    gaps: gapsOf(pivots),
    limits: manifest.limits,
  };
  return limitedStep({ key: `${LOOK_PREFIX}${wave}`, task: "pivot", input });
}

const MAX_NEAREST = 5;

/** The passages that came close in any perspective, one for each document. Those that lack the fewest words come first. */
export function nearestOf(findings: readonly Findings[]): NearMiss[] {
  const nearest = new Map<string, NearMiss>();
  for (const miss of findings.flatMap((found) => found.nearest ?? [])) {
    const known = nearest.get(miss.origin);
    if (known === undefined || miss.lacks.length < known.lacks.length) nearest.set(miss.origin, miss);
  }
  return [...nearest.values()].sort((a, b) => a.lacks.length - b.lacks.length).slice(0, MAX_NEAREST);
}

/** Gate B: all required findings exist, keep the limits, and name the source of every quote. */
function judgeFindings(all: readonly Findings[], required: readonly string[], ofRun: Limits): GateVerdict {
  const reasons: string[] = [];
  const subjects = all.map(({ subject }) => subject);
  for (const subject of required) if (!subjects.includes(subject)) reasons.push(`${subject} has no findings`);
  for (const subject of new Set(subjects))
    if (!required.includes(subject)) reasons.push(`${subject} is not one of the required`);
  for (const { subject, quotes, sources, notes } of all) {
    const limits = limitsOf(subject, ofRun);
    const words = quotes.reduce((sum, { text }) => sum + wordCount(text), 0);
    if (quotes.length > limits.max_quotes_per_subject)
      reasons.push(`${subject} has ${quotes.length} quotes; at most ${limits.max_quotes_per_subject} are allowed`);
    if (words > limits.max_words_per_subject)
      reasons.push(`${subject} has ${words} words; at most ${limits.max_words_per_subject} are allowed`);
    if (sources.length > limits.max_sources_per_subject)
      reasons.push(`${subject} has ${sources.length} sources; at most ${limits.max_sources_per_subject} are allowed`);
    const named = new Set<string>(sources.map(({ source_digest }) => source_digest));
    if (quotes.some(({ source_digest }) => !named.has(source_digest)))
      reasons.push(`${subject} quotes a source that it does not name`);
    if (quotes.length === 0 && notes.length === 0) reasons.push(`${subject} found nothing and does not say so`);
  }
  const quotes = all.reduce((sum, findings) => sum + findings.quotes.length, 0);
  return verdict("B", { outputs: all.length, required: required.length, quotes }, reasons);
}

function wordCount(text: string): number {
  return text.split(/\s+/u).filter((word) => word !== "").length;
}
