// The small schemas that all others use: times, digests, ids, references to stored content.
import { z } from "../kernel/zod.ts";
import { DIGEST_PATTERN, type Digest } from "../kernel/digest.ts";
import { RUN_ID_PATTERN, STEP_KEY_PATTERN } from "../kernel/ids.ts";
import { RunError } from "../kernel/errors.ts";

/** RFC 3339 in UTC with milliseconds. */
export const timestampSchema = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const digestSchema = z.custom<Digest>((value) => typeof value === "string" && DIGEST_PATTERN.test(value), {
  message: "not a sha256 digest",
});
export const runIdSchema = z.string().regex(RUN_ID_PATTERN);
export const stepKeySchema = z.string().regex(STEP_KEY_PATTERN);
export const countSchema = z.int().min(0);

/** The label of a chat that holds the run, and may hold others; without control characters. */
export const chatIdSchema = z
  .string()
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u);

/** A run without a label is alone in a chat of its own id. */
export function chatOf({ chat_id, run_id }: { chat_id?: string | null | undefined; run_id: string }): string {
  return chat_id ?? run_id;
}

/** A path below the run root: forward slashes, no empty, dot or dot-dot segment. */
export const relativePathSchema = z
  .string()
  .max(400)
  .refine(
    (path) =>
      path !== "" &&
      !path.includes("\0") &&
      path.split("/").every((part) => part !== "" && part !== "." && part !== ".."),
    { message: "not a path inside the run root" },
  );

export const contentRefSchema = z.object({ path: relativePathSchema, sha256: digestSchema, bytes: countSchema });
export type ContentRef = z.infer<typeof contentRefSchema>;

/** Content that is gone, or is not what its record says. */
export const missingContentSchema = z.object({ path: relativePathSchema, sha256: digestSchema });
export type MissingContent = z.infer<typeof missingContentSchema>;

export const PROVIDER_IDS = ["filesystem", "web", "mcp"] as const;
export const providerIdSchema = z.enum(PROVIDER_IDS);
export type ProviderId = z.infer<typeof providerIdSchema>;

/** Who gives documents: a provider that was asked, or the operator (a person or an agent outside), who brings them unasked. */
export const giverIdSchema = z.enum([...PROVIDER_IDS, "operator"]);
export type GiverId = z.infer<typeof giverIdSchema>;

/** Parses a value from outside. The error names the first faults. */
export function parseWith<T>(schema: z.ZodType<T>, value: unknown, facts: Record<string, unknown>): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new RunError("SCHEMA_VALIDATION_FAILED", {
    reason: "does not fit its schema",
    ...facts,
    issues: issuesOf(parsed.error),
  });
}

export function issuesOf(error: z.ZodError): { at: string; message: string }[] {
  return error.issues.slice(0, 10).map((issue) => ({ at: issue.path.join("."), message: issue.message }));
}

/** The input of a verb: by the name of a field, as requests and files write it. */
export const verbInputSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);

/** The record that was folded last, and where its log keeps it. */
export const foldedUpToSchema = z.object({ seq: countSchema, offset: countSchema, digest: digestSchema });
export type FoldedUpTo = z.infer<typeof foldedUpToSchema>;
