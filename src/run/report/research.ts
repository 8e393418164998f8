// The schemas of the results that stages hand on: plan, findings, pivot, citations, summaries, outline, review.
import { z } from "../../kernel/zod.ts";
import { countSchema, digestSchema } from "../common.ts";
import { quoteSchema, spansSchema } from "./source.ts";
import { judgementSchema, verdictSchema } from "./report.ts";

/** Ids are used in step keys and file names. */
export const subjectIdSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/);

// --- plan ---------------------------------------------------------------------------------------------------------

/** A part of the question that the report should answer. */
const questionPartSchema = z.object({
  id: subjectIdSchema,
  text: z.string().min(1).max(2_000),
  terms: z.array(z.string()),
  /** The weight of each of `terms`, 0 to 1, in the same order; equal by default. */
  weights: z.array(z.number().min(0).max(1)).optional(),
  /** The `terms` that were taken over from another part, as the question spells them. */
  inherited: z.array(z.string()).optional(),
  /** The `terms` that the corpus does not hold, as the question spells them. */
  absent: z.array(z.string()).optional(),
});
export type QuestionPart = z.infer<typeof questionPartSchema>;

export const perspectiveSchema = z.object({
  id: subjectIdSchema,
  title: z.string().min(1).max(300),
  /** `contrarian` searches for what contradicts the expected answer. Every plan has one. */
  kind: z.enum(["overview", "facet", "practice", "contrarian"]),
  questions: z.array(z.string().min(1).max(2_000)),
  queries: z.array(z.string().min(1).max(1_000)),
  part_ids: z.array(subjectIdSchema),
  /** Words of the corpus that this perspective is about, next to those of the question. */
  focus: z.array(z.string().min(1).max(200)).optional(),
});
export type Perspective = z.infer<typeof perspectiveSchema>;

export const MAX_ASSUMPTIONS = 3;
/** What is taken for granted where the question leaves it open: a version, a size, who acts. */
export const assumptionsSchema = z.array(z.string().min(1).max(300)).max(MAX_ASSUMPTIONS);

export const planSchema = z.object({
  parts: z.array(questionPartSchema),
  perspectives: z.array(perspectiveSchema),
  assumptions: assumptionsSchema.optional(),
  /**
   * Quotes of the run before that answer a part, and gaps of it that belong there, by their numbers from 0. Only for a question
   * that follows another.
   */
  held: z
    .array(
      z.object({
        part_id: subjectIdSchema,
        quotes: z.array(countSchema),
        gaps: z.array(countSchema).min(1).optional(),
      }),
    )
    .optional(),
  /** What a limit cut off. */
  notes: z.array(z.string().min(1)).optional(),
  /** Where a plan was made of several drafts: the share of the parts of the first draft that the second one names, too. */
  agreement: z.number().min(0).max(1).optional(),
});
export type Plan = z.infer<typeof planSchema>;

/** Fields of a quote that is shown whole. */
const shownSchema = {
  /** The sentences of the quote that matter. */
  marks: spansSchema.optional(),
  /** Whole lines of code. The first may begin before the quote, which leaves out the blanks before its first word. */
  code: spansSchema.optional(),
  /** How much of the parts that it was recorded for it covers, 0 to 1, counted by words. */
  coverage: z.number().min(0).max(1).optional(),
  /** Whether that answers them. Absent: 0.1.0 recorded it, or a researcher who read it. */
  answers: z.boolean().optional(),
  /** The words of those parts that it lacks. */
  lacks: z.array(z.string().min(1).max(200)).optional(),
  /** The place that a ranker gave it, from 1, and whether the best ones answer, as a model judged. Absent: the order of the search. */
  ranked: z.object({ place: z.int().min(1), answers: z.enum(["yes", "partly", "no"]).optional() }).optional(),
};

// --- findings -----------------------------------------------------------------------------------------------------

const findingQuoteSchema = quoteSchema.extend({
  /** Relevance as the driver ranks it. Higher is better. Comparable within one run only. */
  score: z.number(),
  query: z.string(),
  part_ids: z.array(subjectIdSchema),
  /** What the quote supports, in the words of the researcher. Absent: the quote speaks for itself. */
  statement: z.string().min(1).max(600).optional(),
  /** The verdict on the statement. Absent: it is not judged yet. */
  judged: z.object(judgementSchema).optional(),
  ...shownSchema,
});
export type FindingQuote = z.infer<typeof findingQuoteSchema>;

/** A passage that comes close and does not answer. */
const nearMissSchema = z.object({
  origin: z.string().min(1),
  title: z.string(),
  text: z.string().min(1).max(2_000),
  /** The words of the question that it lacks. */
  lacks: z.array(z.string()),
});
export type NearMiss = z.infer<typeof nearMissSchema>;

const notedGapSchema = z.object({
  text: z.string().min(1),
  reason: z.string().min(1),
  part_ids: z.array(subjectIdSchema),
});

/** The note of a researcher on a gap. */
export function notFoundNote({ text, reason }: { text: string; reason: string }): string {
  return `Not found: ${text} (${reason})`;
}

export const findingsSchema = z.object({
  schema_version: z.literal("findings.v1"),
  subject: subjectIdSchema,
  subject_kind: z.enum(["perspective", "gap"]),
  title: z.string().min(1),
  questions: z.array(z.string()),
  quotes: z.array(findingQuoteSchema),
  sources: z.array(z.object({ source_digest: digestSchema, title: z.string(), origin: z.string() })),
  /** What a reader should know about: documents that changed or vanished, limits that cut something off. */
  notes: z.array(z.string()),
  /** What was searched for and not found, and why it is thought not to exist. */
  gaps: z.array(notedGapSchema).optional(),
  /** The searches that were answered, where a model chose them. */
  queries: z.array(z.string()).optional(),
  /** How much of each part all quotes together cover, 0 to 1, where words are counted. */
  coverage: z.array(z.object({ part_id: subjectIdSchema, coverage: z.number().min(0).max(1) })).optional(),
  /** The passages that come closest, when nothing was found. */
  nearest: z.array(nearMissSchema).optional(),
});
export type Findings = z.infer<typeof findingsSchema>;

// --- pivot --------------------------------------------------------------------------------------------------------

const gapSchema = z.object({
  id: subjectIdSchema,
  part_id: subjectIdSchema,
  title: z.string().min(1),
  evidence: z.enum(["none", "weak"]),
  reason: z.string().min(1),
  queries: z.array(z.string().min(1)),
});
export type Gap = z.infer<typeof gapSchema>;

export const pivotSchema = z.object({
  parts: z.array(
    z.object({
      part_id: subjectIdSchema,
      evidence: z.enum(["none", "weak", "strong"]),
      quotes: countSchema,
      sources: countSchema,
      /** As the findings count it. */
      coverage: z.number().min(0).max(1).optional(),
    }),
  ),
  gaps: z.array(gapSchema),
  /** `wave2`: the next wave searches for the gaps. */
  decision: z.enum(["wave2", "skip"]),
  reason: z.string().min(1),
  /** Parts of the question that reading showed to be missing. */
  added: z.array(questionPartSchema).optional(),
  /** Parts that are next to the question, or that another part covers as well. */
  dropped: z
    .array(z.object({ part_id: subjectIdSchema, reason: z.enum(["not_asked", "asked_by_another"]) }))
    .optional(),
  /** What a limit cut off, and which parts were added and dropped. */
  notes: z.array(z.string().min(1)).optional(),
});
export type Pivot = z.infer<typeof pivotSchema>;

// --- citations ----------------------------------------------------------------------------------------------------

export const citationSchema = z.object({
  citation_id: z.string().min(1).max(120),
  subject: subjectIdSchema,
  quote: quoteSchema,
  /** True when the quote is byte for byte in its stored source. */
  found: z.boolean(),
  verdict: verdictSchema,
  method: z.string().min(1),
  reason: z.string().optional(),
  /** What the verdict is about. Absent: the quote itself. */
  statement: z.string().min(1).max(600).optional(),
  /** The parts of the question that the quote was recorded for. */
  part_ids: z.array(subjectIdSchema).optional(),
  ...shownSchema,
});
export type Citation = z.infer<typeof citationSchema>;
export const citationsSchema = z.object({ subject: subjectIdSchema, citations: z.array(citationSchema) });
export type Citations = z.infer<typeof citationsSchema>;

// --- summaries ----------------------------------------------------------------------------------------------------

const summaryPointSchema = z.object({
  text: z.string().min(1),
  citation_ids: z.array(z.string()).min(1),
  score: z.number(),
  /** The parts of the question that it speaks about. */
  part_ids: z.array(subjectIdSchema).optional(),
});
export const summarySchema = z.object({
  schema_version: z.literal("summary.v1"),
  subject: subjectIdSchema,
  subject_kind: z.enum(["perspective", "gap"]),
  title: z.string().min(1),
  points: z.array(summaryPointSchema),
  notes: z.array(z.string().min(1)).optional(),
  /** What was searched for in vain, as the findings have it. */
  gaps: z.array(notedGapSchema).optional(),
});
export type Summary = z.infer<typeof summarySchema>;

// --- outline ------------------------------------------------------------------------------------------------------

export const outlinedSectionSchema = z.object({
  heading: z.string().min(1).max(300),
  /** What the section is to answer. */
  answers: z.string().min(1).max(600),
  /** `c1` and so on, the names of the citations for the writer. A citation belongs to the first section that names it. */
  citation_ids: z.array(z.string().min(1).max(20)),
});
/** The sections of a page before it is written. */
export const outlineSchema = z.object({
  title: z.string().min(1).max(300).optional(),
  sections: z.array(outlinedSectionSchema).min(1),
});
export type Outline = z.infer<typeof outlineSchema>;

// --- review -------------------------------------------------------------------------------------------------------

export const directiveSchema = z.object({
  /** `research`: researchers search for this before the next draft. */
  kind: z.enum(["remove_claim", "drop_duplicate", "move_claim", "add_citation", "research", "other"]),
  target: z.string(),
  detail: z.string().min(1),
  /** For research: its part of the question, and the searches to begin with. */
  part_id: subjectIdSchema.optional(),
  queries: z.array(z.string().min(1).max(400)).max(8).optional(),
});
export type Directive = z.infer<typeof directiveSchema>;
export const reviewSchema = z.object({
  draft: z.int().min(1),
  decision: z.enum(["accept", "revise"]),
  directives: z.array(directiveSchema),
});
export type Review = z.infer<typeof reviewSchema>;
