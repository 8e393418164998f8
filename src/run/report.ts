// report.v1: sections of claims, each with its verdict and the quotes that support it.
import { z } from "../kernel/schema.ts";
import { countSchema, digestSchema } from "./common.ts";
import { driverIdSchema, leftOutSchema, limitsSchema, modeSchema, roleSchema } from "./settings.ts";
import { quoteSchema } from "./source.ts";

export const verdictSchema = z.enum(["supported", "contradicted", "not_checked"]);
export type Verdict = z.infer<typeof verdictSchema>;

export const claimSchema = z
  .object({
    claim_id: z.string().min(1).max(120),
    text: z.string().min(1).max(20_000),
    verdict: verdictSchema,
    /** How the verdict was reached, e.g. `verbatim`: the claim is the quoted sentence itself. */
    method: z.string().min(1).max(120),
    reason: z.string().max(500).optional(),
    quotes: z.array(quoteSchema),
  })
  .refine((claim) => claim.verdict !== "not_checked" || claim.reason !== undefined, {
    message: "a claim that was not checked says why",
  });
export type Claim = z.infer<typeof claimSchema>;

/** What a later look says of a claim. */
export const judgedClaimSchema = z.object({
  claim_id: z.string().min(1).max(120),
  verdict: verdictSchema,
  method: z.string().min(1).max(120),
  reason: z.string().max(500).optional(),
});
export type JudgedClaim = z.infer<typeof judgedClaimSchema>;

export const sectionSchema = z.object({
  title: z.string().min(1).max(500),
  /**
   * `answer` stands up front and says the most important; `contradicted` holds the claims whose quotes say the opposite; a
   * section without a role is one of many.
   */
  role: z.enum(["answer", "perspective", "gap", "contradicted"]).optional(),
  claims: z.array(claimSchema),
});
export type Section = z.infer<typeof sectionSchema>;

export const reportSourceSchema = z.object({
  number: z.number().int().min(1),
  source_digest: digestSchema,
  title: z.string(),
  origin: z.string(),
});

/** Something that was looked for and not found, or found only weakly. */
export const reportGapSchema = z.object({
  text: z.string().min(1),
  reason: z.string().min(1),
  /** Whether something was found after all; without it, nothing was. */
  evidence: z.enum(["none", "weak"]).optional(),
});

/** How well a part of the question is answered, by counting: `reason` says what was counted. */
export const partStrengthSchema = z.object({
  text: z.string().min(1),
  evidence: z.enum(["strong", "moderate", "weak", "none"]),
  claims: countSchema,
  sources: countSchema,
  reason: z.string().min(1),
});
export type PartStrength = z.infer<typeof partStrengthSchema>;

/** Claims of the report to be read side by side: different numbers for one thing, or sentences that may not agree. */
export const comparisonSchema = z.object({
  kind: z.enum(["numbers", "disagreement"]),
  title: z.string().min(1).max(500),
  /** By which rule they were put together; it is a hint, no verdict. */
  method: z.string().min(1).max(120),
  /** `value`: the number with its unit as it stands in the quote, or the words that speak for or against. */
  sides: z.array(z.object({ claim_id: z.string().min(1).max(120), value: z.string().min(1).max(200) })).min(2),
});
export type Comparison = z.infer<typeof comparisonSchema>;

export const draftSchema = z.object({
  question: z.string().min(1),
  sections: z.array(sectionSchema),
  sources: z.array(reportSourceSchema),
  gaps: z.array(reportGapSchema),
  strengths: z.array(partStrengthSchema).optional(),
  comparisons: z.array(comparisonSchema).optional(),
  /** What a reader should know of how the evidence was gathered: limits that cut something off, documents left out. */
  notes: z.array(z.string().min(1)).optional(),
  /** Of a partial one: what the run had not done yet when it was made. */
  unfinished: z.array(z.string().min(1)).optional(),
});
/** A report before it is published: the same without version, trigger and scope. */
export type Draft = z.infer<typeof draftSchema>;

/** What the run worked with; no place and no time. */
export const reportScopeSchema = z.object({
  driver: driverIdSchema,
  mode: modeSchema,
  limits: limitsSchema,
  corpora: z.array(z.object({ name: z.string(), documents: countSchema, left_out: leftOutSchema.optional() })),
  /** `PROVIDER:NAME` by role, as the settings have them when the version is made; a live run has them. */
  models: z.partialRecord(roleSchema, z.string()).optional(),
});
export type ReportScope = z.infer<typeof reportScopeSchema>;

export const triggerTypeSchema = z.enum(["auto_natural_stop", "manual", "budget"]);
export type TriggerType = z.infer<typeof triggerTypeSchema>;

export const reportSchema = draftSchema.extend({
  schema_version: z.literal("report.v1"),
  version_index: z.number().int().min(1),
  trigger_type: triggerTypeSchema,
  /** True when the run had not finished its stages when this version was made. */
  partial: z.boolean(),
  /** Over source digests and spans only. */
  evidence_digest: digestSchema,
  scope: reportScopeSchema.optional(),
});
export type Report = z.infer<typeof reportSchema>;

export function claimsOf(draft: Draft): Claim[] {
  return draft.sections.flatMap((section) => section.claims);
}

const CONTRADICTED_TITLE = "What its quotes contradict";

/** The same claims, with those that are contradicted in a section of their own behind all others. */
export function contradictedLast(sections: readonly Section[]): Section[] {
  const isContradicted = ({ verdict }: Claim): boolean => verdict === "contradicted";
  const contradicted = sections.flatMap(({ claims }) => claims).filter(isContradicted);
  if (contradicted.length === 0) return [...sections];
  const others = sections.map((section) => ({ ...section, claims: section.claims.filter((c) => !isContradicted(c)) }));
  return [
    ...others.filter(({ claims }) => claims.length > 0),
    { title: CONTRADICTED_TITLE, role: "contradicted", claims: contradicted },
  ];
}

/** The distinct spans a report rests on, in a fixed order: what `evidence_digest` covers. */
export function evidenceOf(draft: Draft): { source_digest: string; start: number; end: number }[] {
  const spans = new Map<string, { source_digest: string; start: number; end: number }>();
  for (const { quotes } of claimsOf(draft)) {
    for (const { source_digest, start, end } of quotes) {
      spans.set(`${source_digest} ${String(start).padStart(12, "0")} ${end}`, { source_digest, start, end });
    }
  }
  return [...spans.entries()].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, span]) => span);
}

export const reportVersionSchema = z.object({
  version_index: z.number().int().min(1),
  created_at: z.string(),
  trigger_type: triggerTypeSchema,
  partial: z.boolean(),
  /** report.md, relative to the run root. */
  report_file_path: z.string(),
  /** Digest of report.json's bytes. */
  digest: digestSchema,
  report_md_digest: digestSchema,
  evidence_digest: digestSchema,
  claims: countSchema,
  /** Of the claims; without it none is. */
  contradicted: countSchema.optional(),
  not_checked: countSchema.optional(),
  sources: countSchema,
  usage: z.object({
    calls: countSchema,
    tokens: countSchema,
    cost_usd: z.number().min(0),
    /** For calls that were not settled yet when the version was made. */
    reserved_usd: z.number().min(0).optional(),
    reserved_tokens: countSchema.optional(),
    cached_input_tokens: countSchema.optional(),
    /** Their price is not known: they stand in no sum of money. */
    unpriced_calls: countSchema.optional(),
    /** Their provider gave no figures: they stand in the sums with the most that they can have used. */
    estimated_calls: countSchema.optional(),
  }),
});
export type ReportVersion = z.infer<typeof reportVersionSchema>;
