// The names of the six gates, and the form of a verdict. What a gate demands is defined with its stage.
import { z } from "../../kernel/zod.ts";
import { timestampSchema } from "../common.ts";

export const GATES = ["A", "B", "C", "D", "E", "F"] as const;
export const gateIdSchema = z.enum(GATES);
export type GateId = z.infer<typeof gateIdSchema>;

const gateMetricsSchema = z.record(z.string(), z.union([z.number(), z.string(), z.boolean()]));

export const gateVerdictSchema = z.object({
  gate: gateIdSchema,
  status: z.enum(["pass", "fail"]),
  metrics: gateMetricsSchema,
  reasons: z.array(z.string()),
});
/** `reasons` is empty exactly when the gate passes. */
export type GateVerdict = z.infer<typeof gateVerdictSchema>;

export const gateStateSchema = z.object({
  status: z.enum(["not_run", "pass", "fail"]),
  checked_at: timestampSchema.nullable(),
  metrics: gateMetricsSchema,
  reasons: z.array(z.string()),
});
export type GateState = z.infer<typeof gateStateSchema>;

export function verdict(gate: GateId, metrics: GateVerdict["metrics"], reasons: string[]): GateVerdict {
  return { gate, status: reasons.length === 0 ? "pass" : "fail", metrics, reasons };
}
