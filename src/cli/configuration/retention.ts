// What the configuration says about runs that may go: the defaults of prune.
import type { ExecutionState } from "../../run/lifecycle.ts";
import { age } from "../options/ages.ts";
import type { Configuration } from "./configuration.ts";

export interface Retention {
  olderThanMs?: number;
  keep?: number;
  states?: ExecutionState[];
}

export const AGE = age("AGE", "");
export const MAX_KEPT = 1_000_000;

/** Each as the nearest file that may say it has it; they were read by configuration-groups.ts. */
export function retentionOf(configuration: Configuration): Retention {
  const said = configuration.group("retention");
  const [olderThan, keep, states] = ["older_than", "keep", "states"].map((name) => said.get(name)?.value);
  return {
    ...(typeof olderThan === "string" ? { olderThanMs: AGE.read(olderThan) } : {}),
    ...(typeof keep === "number" ? { keep } : {}),
    ...(Array.isArray(states) ? { states: states as ExecutionState[] } : {}),
  };
}
