// dr.cli.v1 and dr.event.v1 as a program would check them: nothing less, nothing unknown.
import { z } from "zod";
import { ERROR_CODES } from "../../src/kernel/errors.ts";
import { haltKindSchema } from "../../src/run/halt.ts";

export const envelopeSchema = z.strictObject({
  schema_version: z.literal("dr.cli.v1"),
  ok: z.boolean(),
  command: z.string(),
  contract: z.strictObject({
    run_id: z.string().nullable(),
    run_root: z.string().startsWith("/").nullable(),
    manifest_path: z.string().endsWith("/manifest.json").nullable(),
    stage_current: z.string().nullable(),
    execution_state: z.string().nullable(),
    revision: z.number().int().nullable(),
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

export const eventSchema = z.strictObject({
  schema_version: z.literal("dr.event.v1"),
  event: z.string().min(1),
  ts: z.iso.datetime(),
  seq: z.number().int().optional(),
  digest: z.string().optional(),
  data: z.record(z.string(), z.unknown()),
});

/** Parses stdout as exactly one line of dr.cli.v1, whose parts agree with each other. */
export function envelopeIn(stdout: string): z.infer<typeof envelopeSchema> {
  const lines = stdout.split("\n");
  if (lines.length !== 2 || lines[1] !== "") throw new Error(`not exactly one line: ${stdout.slice(0, 500)}`);
  const envelope = envelopeSchema.parse(JSON.parse(lines[0] ?? ""));
  if (envelope.ok !== (envelope.error === null)) throw new Error("ok and error disagree");
  return envelope;
}
