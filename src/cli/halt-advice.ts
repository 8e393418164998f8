// What a person sees to before the first command of a halt leads any further.
import { haltKind, type Halt, type HaltKind } from "../run/halt.ts";
import { isNothing } from "./fact-text.ts";

/** In words that go on with ", then" and the command; null where the command alone is enough. */
export function adviceOn(kind: HaltKind, details: Readonly<Record<string, unknown>>): string | null {
  switch (kind) {
    case "no_evidence":
      return isNothing(details["searched"])
        ? "set up more to search under providers in your configuration"
        : "add documents to the corpus";
    case "quota":
      return details["retry_at"] === undefined ? "see to the account, for the provider does not say when" : null;
    case "budget":
      return typeof details["unknown_price"] === "string"
        ? `say what ${details["unknown_price"]} costs under prices in your configuration`
        : null;
    case "tool_outcome_unknown":
      return "look whether the call did its work";
    case "gate_blocked":
      if (typeof details["help"] === "string") return details["help"];
      if (typeof details["model"] === "string") return "see to the key and the account";
      if (!Array.isArray(details["steps"])) return null;
      return details["steps"].some(failedByModel) ? ANOTHER_MODEL : "remove the cause";
    default:
      return null;
  }
}

const ANOTHER_MODEL =
  "consider another model, which may do better (resume RUN --model PROVIDER:NAME), or keep the one there is";

/** Given up for what the model did: it was reached, and asking it the same again is of little use. */
function failedByModel(step: unknown): boolean {
  const error = (step as { error?: { code?: unknown; retryable?: unknown } | null }).error;
  return error?.code === "MODEL_FAILED" && error.retryable === false;
}

export function adviceOnHalt(halt: Halt): string | null {
  if (halt.schema_version !== "halt.v1") return null;
  const { retry_at, details } = halt;
  return adviceOn(haltKind(halt), retry_at === undefined ? details : { ...details, retry_at });
}
