// The fixture driver returns the results that a bundle has recorded, by the key of each step.
import { RunError } from "../kernel/errors.ts";
import type { Driver, TaskKind, Tasks, TaskTools } from "../ports/driver.ts";
import type { Bundle } from "../run/log/bundle.ts";

/** A bundle has this step when its page was written section by section. */
const OUTLINE = "synthesis:outline";
/** A bundle has this step when what its researchers recorded was judged together. */
const WAVE_VERDICTS = "verdicts:wave-1";
/** A bundle has this step when its plan was made of several drafts. */
const PLAN_DRAFT = "perspectives:draft-primary";
/** Runs used to have their only draft reviewed: what that review says is printed with the report. */
const FIRST_REVIEW = "review:draft-1";

/** Its results pass the same schemas and gates as those of any driver. Errors: `INVALID_STATE` for a step without a result. */
export function fixtureDriver({ digest, steps, left_out = {} }: Pick<Bundle, "digest" | "steps" | "left_out">): Driver {
  return {
    id: "fixture",
    version: digest,
    writesSections: Object.hasOwn(steps, OUTLINE),
    judgesWaves: Object.hasOwn(steps, WAVE_VERDICTS),
    draftsPlans: Object.hasOwn(steps, PLAN_DRAFT),
    reviewsOnlyDraft: Object.hasOwn(steps, FIRST_REVIEW),
    async perform<K extends TaskKind>(_kind: K, _input: Tasks[K]["input"], { step, signal }: TaskTools) {
      signal.throwIfAborted();
      if (!Object.hasOwn(steps, step))
        throw new RunError("INVALID_STATE", {
          // A step that was left out is left out again, for the same reason.
          reason: Object.hasOwn(left_out, step) ? left_out[step] : `the bundle holds no result of the step ${step}`,
          step,
          retryable: false,
        });
      // The caller parses it, as it does the result of any driver.
      return steps[step] as Tasks[K]["result"];
    },
  };
}
