// The schemas of everything that other programs read, by the name in `schema_version`.
import { ERROR_CODES } from "../kernel/errors.ts";
import { z } from "../kernel/zod.ts";
import { bundleSchema } from "../run/log/bundle.ts";
import { haltKindSchema, plainHaltSchema, timeoutHaltSchema } from "../run/log/halt.ts";
import { leaseRecordSchema } from "../run/log/lock-record.ts";
import { manifestSchema } from "../run/log/manifest.ts";
import { dataSchemaOf, RECORD_KINDS } from "../run/log/record.ts";
import { reportV2Schema, reportV3Schema } from "../run/report/report.ts";
import { resultRequestSchema, stopRequestSchema } from "../run/log/request.ts";
import { findingsSchema, summarySchema } from "../run/report/research.ts";
import { sourceSchema } from "../run/report/source.ts";

/** What `--json` prints; `result` differs by command. */
export const envelopeSchema = z.strictObject({
  schema_version: z.literal("dr.cli.v1"),
  ok: z.boolean(),
  command: z.string(),
  contract: z.strictObject({
    run_id: z.string().nullable(),
    run_root: z.string().regex(/^\//).nullable(),
    manifest_path: z
      .string()
      .regex(/\/manifest\.json$/)
      .nullable(),
    stage_current: z.string().nullable(),
    execution_state: z.string().nullable(),
    revision: z.int().nullable(),
    cli_invocation: z.string().min(1),
  }),
  result: z.unknown(),
  error: z
    .strictObject({
      code: z.enum(ERROR_CODES),
      message: z.string().min(1),
      details: z.record(z.string(), z.unknown()),
      retryable: z.boolean(),
      hint: z.string().min(1),
    })
    .nullable(),
  halt: z
    .strictObject({
      kind: z.enum(haltKindSchema.options),
      path: z.string(),
      retry_at: z.string().optional(),
      next_commands: z.array(z.string()).min(1),
      blockers: z.array(z.unknown()),
    })
    .nullable(),
});

/** One line of `--jsonl`. */
export const eventSchema = z.strictObject({
  schema_version: z.literal("dr.event.v1"),
  event: z.string().min(1),
  ts: z.iso.datetime(),
  seq: z.int().optional(),
  digest: z.string().optional(),
  /** Where the events of several runs are reported together. */
  run_id: z.string().optional(),
  data: z.record(z.string(), z.unknown()),
});

/** Where each format is met, and its schema. */
export const SCHEMAS: Readonly<Record<string, { where: string; schema: z.ZodType }>> = {
  "dr.cli.v1": { where: "printed by --json", schema: envelopeSchema },
  "dr.event.v1": { where: "one line of --jsonl", schema: eventSchema },
  "manifest.v2": { where: "manifest.json, which also holds digest", schema: manifestSchema },
  "report.v2": { where: "reports/<n>/report.json", schema: reportV2Schema },
  "report.v3": { where: "reports/<n>/report.json", schema: reportV3Schema },
  "source.v1": { where: "sources/<hex>.json", schema: sourceSchema },
  "findings.v1": { where: "wave-1/*.json, wave-2/*.json", schema: findingsSchema },
  "summary.v1": { where: "summaries/*.json", schema: summarySchema },
  "bundle.v2": {
    where: "bundle.json of a folder that capture wrote",
    schema: bundleSchema.extend({ schema_version: z.literal("bundle.v2") }),
  },
  "halt.v1": { where: "halt in manifest.json, stdin of on_halt", schema: plainHaltSchema },
  "halt.timeout.v1": { where: "the same after a timeout, logs/halt.timeout.v1.json", schema: timeoutHaltSchema },
  "lock.v1": { where: ".lock, .lock.<epoch>", schema: leaseRecordSchema },
  "request.v1": { where: "requests/<id>.json", schema: stopRequestSchema },
  "request.result.v1": { where: "requests/<id>.json", schema: resultRequestSchema },
  "journal.v2": {
    where: "data of each kind of record in journal.jsonl",
    schema: z.object(Object.fromEntries(RECORD_KINDS.map((kind) => [kind, dataSchemaOf(kind)]))),
  },
};

/** JSON Schema, draft 2020-12. */
export function jsonSchemaOf({ schema }: { schema: z.ZodType }): unknown {
  return withoutSingleUses(z.toJSONSchema(schema, { unrepresentable: "any", io: "output", reused: "ref" }));
}

/** zod takes a schema with a check for one that is used twice, with the check and without: what is used once is inlined. */
function withoutSingleUses({ $defs = {}, ...schema }: z.core.JSONSchema.JSONSchema): unknown {
  const uses = Map.groupBy(JSON.stringify([schema, $defs]).matchAll(/"#\/\$defs\/(\w+)"/g), ([, name]) => name);
  const shared = Object.keys($defs).filter((name) => uses.get(name)?.length !== 1);
  const inlined = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(inlined);
    const { $ref, ...rest } = value as Record<string, unknown>;
    const members = Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, inlined(member)]));
    if (typeof $ref !== "string") return members;
    const name = $ref.slice("#/$defs/".length);
    const at = shared.indexOf(name);
    return at < 0 ? { ...(inlined($defs[name]) as object), ...members } : { $ref: `#/$defs/__schema${at}`, ...members };
  };
  const defs = shared.map((name, at) => [`__schema${at}`, inlined($defs[name])]);
  return { ...(inlined(schema) as object), ...(defs.length === 0 ? {} : { $defs: Object.fromEntries(defs) }) };
}
