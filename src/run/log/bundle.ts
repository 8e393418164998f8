// A bundle records a completed run so that it can be replayed: its question, the results of its steps, its sources.
import { digestOfJson, type Digest } from "../../kernel/digest.ts";
import { RunError } from "../../kernel/errors.ts";
import { z } from "../../kernel/zod.ts";
import { digestSchema, parseWith, providerIdSchema, stepKeySchema } from "../common.ts";
import { sourceFiles } from "./layout.ts";
import { reportScopeSchema } from "../report/report.ts";
import { findingsSchema } from "../report/research.ts";
import { sourceSchema } from "../report/source.ts";

export const BUNDLE_FILE = "bundle.json";

/** bundle.v2, or bundle.v1 of version 0.1.0. It holds no path of the machine, no conversation, and nothing about how models are reached. */
export const bundleSchema = z.object({
  schema_version: z.enum(["bundle.v1", "bundle.v2"]),
  /** Covers the canonical JSON of the bundle without this member. */
  digest: digestSchema,
  question: z.string().min(1),
  scope: reportScopeSchema,
  providers: z.object({
    run: z.array(providerIdSchema),
    workspace: z.array(providerIdSchema),
    user: z.array(providerIdSchema).optional(),
  }),
  /** Digest of the report.json that a replay publishes as its first version. */
  report_digest: digestSchema,
  steps: z.record(stepKeySchema, z.unknown()),
  /** Steps that the run continued without, and why. */
  left_out: z.record(stepKeySchema, z.string().min(1)).optional(),
  /** Every source that the results name. Its bytes and its text lie beside the bundle, as in a run root. */
  sources: z.array(sourceSchema),
});
export type Bundle = z.infer<typeof bundleSchema>;

export function sealedBundle(bundle: Omit<Bundle, "digest">): Bundle {
  return { ...bundle, digest: digestOfJson(bundle) };
}

/**
 * Errors: `SCHEMA_UNSUPPORTED` for a newer bundle, `INTEGRITY_ERROR` for one that was altered or lacks a source that it
 * names, `SCHEMA_VALIDATION_FAILED`.
 */
export function parseBundle(value: unknown, facts: Record<string, unknown>): Bundle {
  const { schema_version: version } = parseWith(z.looseObject({ schema_version: z.string() }), value, facts);
  if (/^bundle\.v([3-9]|[1-9]\d+)$/.test(version))
    throw new RunError("SCHEMA_UNSUPPORTED.bundle", {
      reason: `the bundle was written by a newer version (${version})`,
      ...facts,
    });
  const bundle = parseWith(bundleSchema, value, facts);
  // The digest covers all that is there, also members that this version does not read.
  const { digest, ...rest } = value as Bundle;
  const found = digestOfJson(rest);
  if (found !== digest) throw altered(facts, [{ path: BUNDLE_FILE, expected: digest, found }]);
  const held = new Set<string>(bundle.sources.map(({ source_digest }) => source_digest));
  if (held.size < bundle.sources.length)
    throw new RunError("SCHEMA_VALIDATION_FAILED", { reason: "the bundle names a source twice", ...facts });
  const lacking = [...sourcesNamedBy(Object.values(bundle.steps))].filter((one) => !held.has(one));
  if (lacking.length > 0)
    throw altered(
      facts,
      lacking.map((one) => ({ path: sourceFiles(one).bytes, expected: one, found: "not among its sources" })),
    );
  return bundle;
}

function altered(facts: object, files: { path: string; expected: string; found: string }[]): RunError {
  return new RunError("INTEGRITY_ERROR.bundle", { reason: "the bundle does not verify", ...facts, files });
}

/** The sources of all findings among the results. Results of later stages rest on no others. */
export function sourcesNamedBy(results: readonly unknown[]): Set<Digest> {
  const named = new Set<Digest>();
  for (const result of results) {
    const findings = findingsSchema.safeParse(result).data;
    for (const { source_digest } of [...(findings?.sources ?? []), ...(findings?.quotes ?? [])])
      named.add(source_digest);
  }
  return named;
}
