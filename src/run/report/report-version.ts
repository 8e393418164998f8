// The metadata of a report version, which the manifest keeps.
import { z } from "../../kernel/zod.ts";
import { countSchema, digestSchema } from "../common.ts";

const triggerTypeSchema = z.enum(["auto_natural_stop", "manual", "budget"]);
export type TriggerType = z.infer<typeof triggerTypeSchema>;

/**
 * Whether the question is answered: `partly` where a part of it is not, or not wholly; `nearest` where nothing is, and the page
 * shows what came near without a claim.
 */
export const answeredSchema = z.enum(["yes", "partly", "nearest"]);
export type Answered = z.infer<typeof answeredSchema>;

export const versionFieldsSchema = {
  version_index: z.int().min(1),
  trigger_type: triggerTypeSchema,
  /** True when the run had not finished its stages yet. */
  partial: z.boolean(),
  /** Covers the digests of the sources and the spans of the quotes alone. */
  evidence_digest: digestSchema,
};

export const reportVersionSchema = z.object({
  version_index: z.int().min(1),
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
  /** How many of the claims. Absent means 0. */
  contradicted: countSchema.optional(),
  not_checked: countSchema.optional(),
  sources: countSchema,
  /** As the report says it. Absent in versions that were made before it was recorded. */
  answered: answeredSchema.optional(),
  /** The template, unless the whole page is shown. */
  template: z.object({ name: z.string().min(1).max(120), digest: digestSchema }).optional(),
  /** What the asker wished of this version. */
  instruction: z.string().optional(),
  usage: z.object({
    calls: countSchema,
    tokens: countSchema,
    cost_usd: z.number().min(0),
    /** For calls that were not settled when the version was made. */
    reserved_usd: z.number().min(0).optional(),
    reserved_tokens: countSchema.optional(),
    cached_input_tokens: countSchema.optional(),
    /** Calls of unknown price. No sum of money includes them. */
    unpriced_calls: countSchema.optional(),
    /** Calls for which the provider gave no figures. The sums include the most that they can have used. */
    estimated_calls: countSchema.optional(),
  }),
});
export type ReportVersion = z.infer<typeof reportVersionSchema>;

/** Whether the current version answers the question; undefined where there is none, or where it does not say. */
export function answeredBy(run: {
  report_versions: readonly ReportVersion[];
  current_report_version_index: number | null;
}): Answered | undefined {
  return run.report_versions.find(({ version_index }) => version_index === run.current_report_version_index)?.answered;
}
