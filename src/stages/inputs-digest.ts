// The digest of all that the result of a step depends on: whether what is stored of it still answers what is asked.
import { digestOfJson, type Digest } from "../kernel/digest.ts";
import type { Driver } from "../ports/driver.ts";
import { modelNames } from "../run/model-names.ts";
import type { Settings } from "../run/settings.ts";
import { hasFailedForGood } from "../run/step.ts";
import type { AnyStepPlan, StageContext } from "./stage-definition.ts";

/** Equal inputs under the same driver and models give the same digest, in this run and in a fork of it. */
export function inputsDigest(
  driver: Driver,
  { task, identity }: AnyStepPlan,
  { models, role_drivers }: Pick<Settings, "models" | "role_drivers">,
): Digest {
  return digestOfJson({
    driver: `${driver.id}/${driver.version}`,
    ...(role_drivers === undefined ? {} : { role_drivers }),
    ...(models === undefined ? {} : { models: modelNames(models) }),
    task,
    identity,
  });
}

/** It failed for good, and nobody tries it again: what came later was made without it. A resume changes nothing about that. */
export function isLeftOut({ manifest, driver }: StageContext, plan: AnyStepPlan): boolean {
  const { steps, settings, accepted_drift } = manifest;
  const step = steps[plan.key];
  if (step === undefined || !hasFailedForGood(step)) return false;
  return accepted_drift !== null || step.inputs_digest === inputsDigest(driver, plan, settings);
}
