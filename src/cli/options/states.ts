// The option that names execution states, as several commands take it.
import { RunError } from "../../kernel/errors.ts";
import { anyOf } from "../../kernel/any-of.ts";
import { executionStateSchema, type ExecutionState } from "../../run/lifecycle.ts";
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
  // A halt is no state of its own: beside it a run is running, paused or interrupted.
  if (raw === "stopped" || raw === "halted")
    throw new RunError("INVALID_ARGS", {
      reason: `"${raw}" is no state; --halted picks runs that a halt stopped`,
      did_you_mean: "--halted",
    });
  const state = known.find((one) => one === raw);
  if (state === undefined) throw wrongValue(raw, anyOf(known), known);
  return state;
}
