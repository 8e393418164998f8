// Reads back the stored results of the stages so far.
import { RunError } from "../kernel/errors.ts";
import { STANCES, type PlanRevision } from "../ports/driver.ts";
import { parseWith, type ContentRef } from "../run/common.ts";
import { parseStrictJson } from "../kernel/strict-json.ts";
import { earlierEvidenceSchema, type EarlierEvidence } from "../run/report/earlier-evidence.ts";
import { withNotes, withParts } from "../run/report/earlier-results.ts";
import type { Manifest } from "../run/log/manifest.ts";
import type { AnyRecord } from "../run/log/record.ts";
import type { Draft } from "../run/report/report.ts";
import { draftSchema } from "../run/report/stored-report.ts";
import {
  citationsSchema,
  findingsSchema,
  outlineSchema,
  pivotSchema,
  planSchema,
  reviewSchema,
  summarySchema,
  type Citations,
  type Findings,
  type Outline,
  type Pivot,
  type Plan,
  type Review,
  type Summary,
} from "../run/report/research.ts";
import type { Source } from "../run/report/source.ts";
import type { Stage } from "../run/stage.ts";
import { hasFailedForGood, reasonOf, type ResultRef, type StepState, type Steps } from "../run/log/step.ts";
import { sourceFiles } from "../run/log/layout.ts";
import { joinedPivot, planAfter } from "../run/report/parts-now.ts";
import type { Publication } from "./publication.ts";
import type { Verification } from "./verification.ts";
import { z } from "../kernel/zod.ts";
import { unreadPages } from "../run/log/unread-pages.ts";

/** Reads what is stored of a run, under its lease or without it. */
export interface EvidenceReader {
  readSteps(stage: Stage): Promise<Steps>;
  readResult(ref: ResultRef): Promise<unknown>;
  readContent(ref: Pick<ContentRef, "path" | "sha256">): Promise<Uint8Array>;
  readRecords(): Promise<readonly AnyRecord[]>;
  /** What the question follows; undefined where it follows none. */
  follows(): Manifest["follows"];
  /** Checks the whole run, with a report that is about to be published. */
  verification(draft: Publication): Promise<Verification>;
}

/** The steps of synthesis whose result is the whole page. */
const WHOLE_PAGES: ReadonlySet<string> = new Set(["synthesis:draft-1", "synthesis:answer"]);

export const PLAN_STEP = "perspectives:plan";
/** Begins the keys of the steps that draft a plan. The stance follows. */
export const DRAFT_PREFIX = "perspectives:draft-";
/** Begins the keys of the steps in which the planner assesses the evidence after wave 2 and later. The next wave follows. */
export const LOOK_PREFIX = "pivot:wave-";
/** Begins the keys of the steps that judge together what a wave recorded. The wave follows. */
export const VERDICTS_PREFIX = "verdicts:wave-";
/** Research that the review of a draft requested. Both numbers are from 1. */
interface Wish {
  draft: number;
  wish: number;
}

/** The key of the step that researches a wish. */
export function researchKey({ draft, wish }: Wish): string {
  return `review:research-${draft}-${wish}`;
}

/** The key of the step that checks what the research has found. */
export function checkKey({ draft, wish }: Wish): string {
  return `review:citations-${draft}-${wish}`;
}

export class Evidence {
  readonly #reader: EvidenceReader;

  constructor(reader: EvidenceReader) {
    this.#reader = reader;
  }

  /** The drafts that a plan is made of, one for each stance. Null while one is missing. */
  async planDrafts(): Promise<Plan[] | null> {
    const keys = STANCES.map((stance) => `${DRAFT_PREFIX}${stance}`);
    const drafts = await Promise.all(
      keys.map((wanted) => this.#read("perspectives", (key) => key === wanted, planSchema)),
    );
    return drafts.every((found) => found.length > 0) ? drafts.flat() : null;
  }

  /** What was taken over from the run that the question follows; null where it follows none. */
  async earlier(): Promise<EarlierEvidence | null> {
    const ref = this.#reader.follows()?.evidence;
    if (ref === undefined) return null;
    const bytes = await this.#reader.readContent(ref);
    return parseWith(earlierEvidenceSchema, parseStrictJson(bytes, bytes.byteLength), { path: ref.path });
  }

  async plan(): Promise<Plan> {
    const [plan] = await this.#all("perspectives", PLAN_STEP, planSchema);
    return plan ?? resultMissing("perspectives", PLAN_STEP);
  }

  /** The plan that a person wishes to be another; null where none is wished for, and once that one is made. */
  async planRevision(): Promise<PlanRevision | null> {
    const isOpenAgain = ({ state, result }: StepState): boolean => state !== "completed" && result !== undefined;
    const [plan] = await this.#read("perspectives", (key) => key === PLAN_STEP, planSchema, isOpenAgain);
    if (plan === undefined) return null;
    const records = await this.#reader.readRecords();
    const wished = records.findLastIndex(
      ({ kind, data }) => kind === "step.reopened" && data.instruction !== undefined,
    );
    const made = records.findLastIndex(({ kind, data }) => kind === "step.completed" && data.key === PLAN_STEP);
    return wished > made ? { plan, instructions: await this.planInstructions() } : null;
  }

  /** What a person wished of the plan, the newest last. */
  async planInstructions(): Promise<string[]> {
    return (await this.#reader.readRecords()).flatMap(({ kind, data }) =>
      kind === "step.reopened" && data.key === PLAN_STEP ? (data.instruction ?? []) : [],
    );
  }

  /** The plan, with the parts of the question as the planner last changed them. */
  async planNow(): Promise<Plan> {
    return planAfter(await this.plan(), await this.pivots());
  }

  /** What the planner said of the evidence, all pivots in one. Errors: `INTEGRITY_ERROR` before the first one. */
  async pivot(): Promise<Pivot> {
    return (await this.pivotSoFar()) ?? resultMissing("pivot");
  }

  async pivotSoFar(): Promise<Pivot | null> {
    return joinedPivot(await this.pivots());
  }

  /** What the planner said of the evidence before each further wave. */
  async pivots(): Promise<Pivot[]> {
    const first = await this.#all("pivot", "pivot:decide", pivotSchema);
    return [...first, ...(await this.#all("wave2", LOOK_PREFIX, pivotSchema))];
  }

  /** Wave 1 by perspective, then the later waves by gap, each in the order of their keys. */
  async findings(): Promise<Findings[]> {
    return [...(await this.wave1()), ...(await this.#judged("wave2"))];
  }

  async wave1(): Promise<Findings[]> {
    return await this.#judged("wave1");
  }

  /** What the researchers of a stage recorded, as it was before it was judged together. */
  async recorded(stage: "wave1" | "wave2"): Promise<Findings[]> {
    return await this.#all(stage, `${stage}:`, findingsSchema);
  }

  async #judged(stage: "wave1" | "wave2"): Promise<Findings[]> {
    const judged = await this.#all(stage, VERDICTS_PREFIX, z.array(findingsSchema));
    const bySubject = new Map<string, Findings>(judged.flat().map((found) => [found.subject, found]));
    return (await this.recorded(stage)).map((found) => bySubject.get(found.subject) ?? found);
  }

  /** A step that was opened again counts with its earlier result until it is done. */
  async citations(): Promise<Citations[]> {
    const hasResult = ({ result }: StepState): boolean => result !== undefined;
    const isOfStage = (key: string): boolean => key.startsWith("citations:");
    const checked = await this.#read("citations", isOfStage, citationsSchema, hasResult);
    return withParts(checked, await this.findings());
  }

  async summaries(): Promise<Summary[]> {
    return withNotes(await this.#all("summaries", "summaries:", summarySchema), await this.findings());
  }

  /** The outline of a page that is written section by section; null before, and for any other page. */
  async outline(): Promise<Outline | null> {
    const [outline] = await this.#all("synthesis", "synthesis:outline", outlineSchema);
    return outline ?? null;
  }

  /** The sections of the page in their order. Null while one is missing. */
  async sections(count: number): Promise<Draft[] | null> {
    const keys = new Set(Array.from({ length: count }, (_, index) => `synthesis:section:${index + 1}`));
    const written = await this.#read("synthesis", (key) => keys.has(key), draftSchema);
    return written.length === count ? written : null;
  }

  /** The drafts so far: the first from synthesis, the others from review. */
  async drafts(): Promise<Draft[]> {
    const first = await this.#read("synthesis", (key) => WHOLE_PAGES.has(key), draftSchema);
    return [...first, ...(await this.#all("review", "review:revise-", draftSchema))];
  }

  /** The draft that becomes the report, with what its own review still requests as remarks. */
  async lastDraft(): Promise<Draft> {
    const drafts = await this.drafts();
    const draft = drafts.at(-1);
    if (draft === undefined) throw new RunError("INTEGRITY_ERROR", { reason: "a run ends with a draft" });
    const review = (await this.reviews()).find(({ draft: number }) => number === drafts.length);
    const remarks = [...(review?.directives.map(({ detail }) => detail) ?? []), ...(await this.#leftOut())];
    return remarks.length === 0 ? draft : { ...draft, made: { ...draft.made, remarks } };
  }

  /** The research that reviews requested and the run continued without, with the reason. */
  async #leftOut(): Promise<string[]> {
    const steps = await this.#reader.readSteps("review");
    const wishes = await this.#wishes();
    const failed = (keyOf: (wish: Wish) => string, what: string): string[] =>
      wishes.flatMap(({ detail, ...wish }) => {
        const step = steps[keyOf(wish)];
        if (step?.error === undefined || !hasFailedForGood(step)) return [];
        return [`${what}: ${detail} (${reasonOf(step.error)})`];
      });
    return [
      ...failed(checkKey, "What further research found could not be checked"),
      ...failed(researchKey, "Further research failed"),
    ];
  }

  /** The results of the research that reviews of earlier drafts than this one requested. */
  async researched(draftNumber: number): Promise<{ findings: Findings[]; citations: Citations[] }> {
    const wishes = (await this.#wishes()).filter(({ draft }) => draft < draftNumber);
    const isOf = (keyOf: (wish: Wish) => string) => {
      const keys = new Set(wishes.map(keyOf));
      return (key: string): boolean => keys.has(key);
    };
    return {
      findings: await this.#read("review", isOf(researchKey), findingsSchema),
      citations: await this.#read("review", isOf(checkKey), citationsSchema),
    };
  }

  /** What all reviews wanted to be researched. */
  async #wishes(): Promise<(Wish & { detail: string })[]> {
    return (await this.reviews()).flatMap(({ draft, directives }) =>
      directives
        .filter(({ kind }) => kind === "research")
        .map(({ detail }, index) => ({ draft, wish: index + 1, detail })),
    );
  }

  async reviews(): Promise<Review[]> {
    return (await this.#all("review", "review:draft-", reviewSchema)).sort((a, b) => a.draft - b.draft);
  }

  /** The digests of the results of a stage by step key. Later steps depend on them. */
  async digests(stage: Stage): Promise<Record<string, string>> {
    const digests: Record<string, string> = {};
    for (const [key, step] of Object.entries(await this.#reader.readSteps(stage))) {
      if (step.stage === stage && step.result !== undefined) digests[key] = step.result.digest;
    }
    return digests;
  }

  /** The sources that the run stored, in the order of their digests. */
  async sources(): Promise<Source[]> {
    const sources = new Map<string, Source>();
    for (const record of await this.#reader.readRecords()) {
      if (record.kind === "source.stored") sources.set(record.data.source.source_digest, record.data.source);
    }
    return [...sources.values()].sort((a, b) => (a.source_digest < b.source_digest ? -1 : 1));
  }

  /** In words; null when all pages could be read. */
  async unreadPages(): Promise<string | null> {
    return unreadPages(await this.#reader.readRecords());
  }

  async sourceText(source: Pick<Source, "source_digest" | "text_digest">): Promise<Uint8Array> {
    return await this.#reader.readContent({ path: sourceFiles(source.source_digest).text, sha256: source.text_digest });
  }

  async sourceBytes({ source_digest }: Pick<Source, "source_digest">): Promise<Uint8Array> {
    return await this.#reader.readContent({ path: sourceFiles(source_digest).bytes, sha256: source_digest });
  }

  async verification(draft: Publication): Promise<Verification> {
    return await this.#reader.verification(draft);
  }

  async #all<T>(stage: Stage, prefix: string, schema: z.ZodType<T>): Promise<T[]> {
    return await this.#read(stage, (key) => key.startsWith(prefix), schema);
  }

  async #read<T>(
    stage: Stage,
    wants: (key: string) => boolean,
    schema: z.ZodType<T>,
    counts: (step: StepState) => boolean = ({ state }) => state === "completed",
  ): Promise<T[]> {
    const steps = await this.#reader.readSteps(stage);
    const results: T[] = [];
    for (const key of Object.keys(steps).sort(byNumberedName)) {
      const step = steps[key];
      if (step?.stage !== stage || !counts(step) || step.result === undefined || !wants(key)) continue;
      results.push(parseWith(schema, await this.#reader.readResult(step.result), { step: key }));
    }
    return results;
  }
}

function resultMissing(stage: Stage, step?: string): never {
  throw new RunError("INTEGRITY_ERROR", { reason: "the result of an earlier stage is missing", stage, step });
}

/** Sorts by code units, but numbers by their value: `draft-10` comes behind `draft-9`. */
function byNumberedName(a: string, b: string): number {
  const pad = (text: string): string => text.replace(/\d+/g, (digits) => digits.padStart(8, "0"));
  const [left, right] = [pad(a), pad(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
