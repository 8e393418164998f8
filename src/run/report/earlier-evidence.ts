// The format evidence.v1: the answer and the checked quotes of a run, as the run of a question that follows it takes them over.
import { counted } from "../../kernel/counted.ts";
import { shortened } from "../../kernel/shortened.ts";
import { z } from "../../kernel/zod.ts";
import { digestSchema, runIdSchema } from "../common.ts";
import { bareReason, judgementSchema, LOOKED_IN_VAIN } from "./report.ts";
import type { Limits } from "../settings/settings.ts";
import { assumptionsSchema, notFoundNote, type Findings, type Plan } from "./research.ts";
import { quoteSchema } from "./source.ts";

/** The id of the perspective whose quotes come from the run before. */
export const EARLIER = "earlier";
/** The most quotes that are taken over, whatever a mode allows for one perspective. */
const MOST_ADOPTED = 24;
const MOST_WORDS = 10_000;
const MAX_QUESTION = 300;

const earlierQuoteSchema = quoteSchema.extend({
  statement: z.string().min(1).max(600).optional(),
  judged: z.object(judgementSchema),
});

export const earlierEvidenceSchema = z.object({
  schema_version: z.literal("evidence.v1"),
  /** The questions before, the oldest first. */
  thread: z.array(z.object({ run_id: runIdSchema, question: z.string().min(1) })).min(1),
  /** Markdown. */
  answer: z.string(),
  quotes: z.array(earlierQuoteSchema),
  sources: z.array(z.object({ source_digest: digestSchema, title: z.string(), origin: z.string() })),
  /** What was looked for in vain. */
  gaps: z.array(z.object({ text: z.string().min(1), reason: z.string() })),
  /** What was taken for granted. */
  assumptions: assumptionsSchema.optional(),
});
export type EarlierEvidence = z.infer<typeof earlierEvidenceSchema>;

/** For the reader: which question this one follows, what was taken over, and what was researched anew. */
export function followingNote({ thread }: Pick<EarlierEvidence, "thread">, taken: number, searched: number): string {
  const before = thread.at(-1);
  const anew =
    searched === 0 ? "nothing had to be researched anew" : `${counted(searched, "perspective")} researched anew`;
  const what = taken === 0 ? "no quote was taken over from it" : `${counted(taken, "quote")} taken over from it`;
  return `This question follows “${shortened(before?.question ?? "", MAX_QUESTION)}” (run ${before?.run_id}): ${what}, ${anew}.`;
}

/** The limits for the findings of a subject: what was found before was within those of its own run. */
export function limitsOf(subject: string, limits: Limits): Limits {
  if (subject !== EARLIER) return limits;
  return {
    ...limits,
    max_quotes_per_subject: MOST_ADOPTED,
    max_sources_per_subject: MOST_ADOPTED,
    max_words_per_subject: MOST_WORDS,
  };
}

/** The quotes and gaps that the plan takes over, as findings of one perspective. Each quote keeps the verdict that it has. */
export function adoptedFindings(
  { quotes, sources, gaps }: EarlierEvidence,
  { perspectives, held = [] }: Plan,
): Findings {
  const own = perspectives.find(({ id }) => id === EARLIER);
  const partsOf = (holds: (of: (typeof held)[number]) => boolean): string[] => [
    ...new Set(held.filter(holds).map(({ part_id }) => part_id)),
  ];
  const adopted = quotes.flatMap((quote, at) => {
    const part_ids = partsOf((one) => one.quotes.includes(at));
    return part_ids.length === 0 ? [] : [{ ...quote, score: 1, query: "", part_ids }];
  });
  const kept = gaps.flatMap(({ text, reason }, at) => {
    const part_ids = partsOf((one) => one.gaps?.includes(at) === true);
    return part_ids.length === 0 ? [] : [{ text, reason: bareReason(reason) || LOOKED_IN_VAIN, part_ids }];
  });
  const digests = new Set(adopted.map(({ source_digest }) => source_digest));
  const notes = kept.map(notFoundNote);
  return {
    schema_version: "findings.v1",
    subject: EARLIER,
    subject_kind: "perspective",
    title: own?.title ?? "What was found before",
    questions: own?.questions ?? [],
    quotes: adopted.slice(0, MOST_ADOPTED),
    sources: sources.filter(({ source_digest }) => digests.has(source_digest)),
    notes: adopted.length + notes.length === 0 ? ["Nothing that was found before answers this question."] : notes,
    ...(kept.length === 0 ? {} : { gaps: kept }),
  };
}
