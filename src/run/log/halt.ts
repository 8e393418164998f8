// Halts: typed stops that name their reason and the exact next commands.
import { z } from "../../kernel/zod.ts";
import { countSchema, digestSchema, runIdSchema, stepKeySchema, timestampSchema } from "../common.ts";
import { HALT_KINDS, type HaltKind } from "./halt-kinds.ts";
import { stageSchema } from "../stage.ts";
import { usageSchema } from "../money/usage.ts";

export const haltKindSchema = z.enum(HALT_KINDS);

const haltHead = {
  created_at: timestampSchema,
  run_id: runIdSchema,
  manifest_path: z.string(),
  stage: stageSchema,
  last_step: z.object({ key: stepKeySchema, state: z.string(), attempts: countSchema }).nullable(),
  last_good_checkpoint: z.object({ seq: countSchema, digest: digestSchema }),
  usage: usageSchema,
  next_commands: z.array(z.string()).min(1),
};

export const timeoutHaltSchema = z.object({
  schema_version: z.literal("halt.timeout.v1"),
  ...haltHead,
  /** `kind` and `details` are as in halt.v1; version 0.1.0 wrote neither. */
  kind: z.literal("timeout").optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  elapsed_s: z.number().min(0),
  timeout_s: z.number().positive(),
  /** The manifest field that the time is counted from. */
  timer_origin_field: z.enum(["stage.started_at", "stage.last_progress_at"]),
  timer_origin: timestampSchema,
  checkpoint_md_path: z.string(),
});
export type TimeoutHalt = z.infer<typeof timeoutHaltSchema>;

export const plainHaltSchema = z.object({
  schema_version: z.literal("halt.v1"),
  ...haltHead,
  kind: haltKindSchema.exclude(["timeout"]),
  retry_at: timestampSchema.optional(),
  details: z.record(z.string(), z.unknown()),
});
export type PlainHalt = z.infer<typeof plainHaltSchema>;

export const haltSchema = z.discriminatedUnion("schema_version", [timeoutHaltSchema, plainHaltSchema]);
export type Halt = z.infer<typeof haltSchema>;

export function haltKind(halt: Halt): HaltKind {
  return halt.schema_version === "halt.timeout.v1" ? "timeout" : halt.kind;
}

/** True for a halt that time alone ends, once the time has come. */
export function isHaltOver(halt: Halt, nowMs: number): boolean {
  return halt.schema_version === "halt.v1" && halt.retry_at !== undefined && Date.parse(halt.retry_at) <= nowMs;
}

export const TIMEOUT_JSON_PATH = "logs/halt.timeout.v1.json";
export const TIMEOUT_MARKDOWN_PATH = "logs/timeout-checkpoint.md";

const MEASURED = {
  time_worked: "counting only time in which the run was worked on",
  wall_clock: "by the wall clock since the last progress",
} as const;

/** The halt of a late run in words: the same facts as the JSON checkpoint. */
export function timeoutMarkdown(halt: TimeoutHalt): string {
  const { measured } = halt.details ?? {};
  const lastStep =
    halt.last_step === null
      ? "none"
      : `\`${halt.last_step.key}\` (${halt.last_step.state}, attempt ${halt.last_step.attempts})`;
  return [
    "# Timeout checkpoint",
    "",
    `- run: \`${halt.run_id}\``,
    `- stage: ${halt.stage}`,
    `- no progress: for ${halt.elapsed_s} s (limit ${halt.timeout_s} s), ${MEASURED[measured === "wall_clock" ? measured : "time_worked"]}`,
    `- last progress: ${halt.timer_origin_field} = ${halt.timer_origin}`,
    `- last step: ${lastStep}`,
    `- last good checkpoint: record ${halt.last_good_checkpoint.seq}, \`${halt.last_good_checkpoint.digest}\``,
    `- written: ${halt.created_at}`,
    "",
    "Every finished step is kept. Next:",
    "",
    ...halt.next_commands.map((command) => `    ${command}`),
    "",
  ].join("\n");
}

/** Halts that are about finished steps. When such a step gets another answer, the halt is lifted and judged anew. */
const JUDGING: ReadonlySet<HaltKind> = new Set(["gate_blocked", "human_review", "no_evidence"]);

/** True when an answer ends the halt. `replaces`: the answer takes the place of an earlier one. */
export function endsByAnswer(halt: Halt, replaces: boolean): boolean {
  const kind = haltKind(halt);
  return kind === "agent_required" || (replaces && JUDGING.has(kind));
}
