// The kinds of halts: each with the code of its error, and the form of its details.
import { assert } from "../../kernel/assert.ts";
import type { ErrorCode } from "../../kernel/errors.ts";
import { z } from "../../kernel/zod.ts";
import { verbInputSchema } from "../common.ts";
import { gateVerdictSchema } from "./gate.ts";

/** A member that another version wrote in another form is as good as absent. */
function maybe<T extends z.ZodType>(schema: T) {
  return schema.optional().catch(undefined);
}

const reason = maybe(z.string());
/** Of halts of version 0.1.0. */
const reasons = maybe(z.array(z.string()));
/** The server of the model did not answer. */
const unreachable = maybe(z.boolean());
/** What a person does first. */
const help = maybe(z.string());
const model = maybe(z.string());
/** What the command that continues has to say again. */
const resume_input = maybe(verbInputSchema);

export const failedStepSchema = z.looseObject({
  key: z.string(),
  error: z
    .looseObject({ code: maybe(z.string()), message: z.string(), retryable: maybe(z.boolean()), unreachable })
    .nullable(),
});

/** Every kind of halt: the code of its error, and what its record says of why the run stopped. */
export const HALTS = {
  agent_required: {
    code: "RUN_AGENT_REQUIRED",
    details: z.looseObject({
      reason,
      /** `name` is the name of the prompt within the step, `prompt` its file in the run. */
      waiting: maybe(z.array(z.looseObject({ key: z.string(), name: z.string(), prompt: z.string() }))),
    }),
  },
  human_review: {
    code: "HUMAN_REVIEW_REQUIRED",
    details: z.looseObject({ reason, draft: maybe(z.string().nullable()) }),
  },
  /** `gates` did not pass, or `steps` failed; or else a model did not do what was requested. */
  gate_blocked: {
    code: "GATE_BLOCKED",
    details: z.looseObject({
      reason,
      gates: maybe(z.array(gateVerdictSchema)),
      reasons,
      steps: maybe(z.array(failedStepSchema)),
      help,
      model,
      unreachable,
      resume_input,
    }),
  },
  no_evidence: {
    code: "NO_EVIDENCE",
    details: z.looseObject({
      reason,
      searched: maybe(z.array(z.unknown())),
      looked_for: maybe(z.array(z.unknown())),
      reasons,
    }),
  },
  drift: {
    code: "SETTINGS_DRIFT",
    details: z.looseObject({ reason, differences: maybe(z.array(z.looseObject({ what: z.string() }))), resume_input }),
  },
  /** `call` is what `settle --call` takes, `key` the key of its step. */
  tool_outcome_unknown: {
    code: "TOOL_OUTCOME_UNKNOWN",
    details: z.looseObject({
      reason,
      call: maybe(z.string()),
      key: maybe(z.string()),
      /** Of the tool. */
      name: maybe(z.string()),
    }),
  },
  budget: {
    code: "BUDGET_EXCEEDED",
    details: z.looseObject({
      reason,
      budget: maybe(z.string()),
      limit: maybe(z.number()),
      would_be: maybe(z.number()),
      /** The model whose price is not known. */
      unknown_price: maybe(z.string()),
      /** Why no report could be made of what was found. */
      no_report: maybe(z.string()),
    }),
  },
  quota: {
    code: "QUOTA_EXCEEDED",
    details: z.looseObject({ reason, help, model, unreachable }),
  },
  timeout: {
    code: "WATCHDOG_TIMEOUT",
    details: z.looseObject({
      reason,
      elapsed_s: maybe(z.number()),
      timeout_s: maybe(z.number()),
      measured: maybe(z.string()),
    }),
  },
  internal: {
    code: "INTERNAL",
    details: z.looseObject({ reason, step: maybe(z.string()), stack: maybe(z.array(z.string())) }),
  },
} satisfies Record<string, { code: ErrorCode; details: z.ZodType }>;

export type HaltKind = keyof typeof HALTS;
export const HALT_KINDS = Object.keys(HALTS) as HaltKind[];
export type HaltCode = (typeof HALTS)[HaltKind]["code"];

export function isHaltCode(code: ErrorCode): code is HaltCode {
  return HALT_KINDS.some((kind) => HALTS[kind].code === code);
}

export function kindOfCode(code: HaltCode): HaltKind {
  const kind = HALT_KINDS.find((one) => HALTS[one].code === code);
  assert(kind !== undefined, "every code of a halt has its kind");
  return kind;
}
