// The details of a halt, read by its kind: why the run stopped.
import type { z } from "../../kernel/zod.ts";
import { haltKind, type Halt } from "./halt.ts";
import { type failedStepSchema, HALTS, type HaltKind } from "./halt-kinds.ts";

export type HaltDetails<Kind extends HaltKind> = z.infer<(typeof HALTS)[Kind]["details"]>;

/** A halt with the details of its kind. `retry_at`: RFC 3339, set when time alone ends the halt. */
export type KnownHalt<Kind extends HaltKind = HaltKind> = {
  [K in Kind]: { kind: K; details: HaltDetails<K>; retry_at?: string | undefined };
}[Kind];

/** Reads a stored halt of any form. Older timeouts have their facts at the top level and no details. */
export function knownHalt(halt: Halt): KnownHalt {
  const kind = haltKind(halt);
  if (halt.schema_version === "halt.v1") return known(kind, halt.details, halt.retry_at);
  const { elapsed_s, timeout_s, details } = halt;
  return known(kind, details ?? { elapsed_s, timeout_s });
}

/** The halt that an error with these facts describes. */
export function haltFrom(kind: HaltKind, facts: Readonly<Record<string, unknown>>): KnownHalt {
  const { retry_at } = facts;
  return known(kind, facts, typeof retry_at === "string" ? retry_at : undefined);
}

function known(kind: HaltKind, details: unknown, retry_at?: string): KnownHalt {
  return { kind, details: HALTS[kind].details.parse(details), retry_at };
}

/** The failed steps that the halt is about. */
export function failedStepsIn(halt: KnownHalt): readonly z.infer<typeof failedStepSchema>[] {
  return (halt.kind === "gate_blocked" ? halt.details.steps : undefined) ?? [];
}

/** True when the run halted because the server of the model does not answer. Halts of earlier versions do not say so. */
export function isModelUnreachable(halt: KnownHalt): boolean {
  if (halt.kind !== "gate_blocked" && halt.kind !== "quota") return false;
  if (halt.details.unreachable === true) return true;
  const steps = failedStepsIn(halt);
  return steps.length > 0 && steps.every(({ error }) => error?.unreachable === true);
}

/** What is in the way of the run: verdicts of gates, failed steps, differences, or what was searched for in vain. */
export function obstaclesIn(halt: KnownHalt): readonly unknown[] {
  return namedObstacles(halt)[1] ?? [];
}

/** The same, with the name that it has among the details. */
export function namedObstacles({
  kind,
  details,
}: KnownHalt): readonly [name: string, obstacles?: readonly unknown[] | undefined] {
  switch (kind) {
    case "gate_blocked": {
      const { gates, reasons, steps } = details;
      return gates !== undefined ? ["gates", gates] : reasons !== undefined ? ["reasons", reasons] : ["steps", steps];
    }
    case "drift":
      return ["differences", details.differences];
    case "no_evidence":
      return details.looked_for === undefined ? ["reasons", details.reasons] : ["looked_for", details.looked_for];
    default:
      return ["obstacles"];
  }
}
