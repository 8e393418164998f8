// The option that names execution states, as several commands take it.
import { anyOf } from "../kernel/any-of.ts";
import { executionStateSchema, type ExecutionState } from "../run/lifecycle.ts";
import { wrongValue, type ListSpec } from "./options.ts";

/** `about` says what happens to runs in these states. */
export function states(about: string): ListSpec<ExecutionState[]> {
  const known = executionStateSchema.options;
  return {
    kind: "list",
    value: "STATE",
    text: `${about} (commas may join them): ${known.join(", ")}`,
    choices: known,
    read: (raw) => raw.split(",").map(oneState),
  };
}

function oneState(raw: string): ExecutionState {
  const known = executionStateSchema.options;
  const state = known.find((one) => one === raw);
  if (state === undefined) throw wrongValue(raw, anyOf(known), known);
  return state;
}
