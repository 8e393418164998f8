// The digest of everything that the result of a step depends on. A stored result counts while this digest is the same.
import { digestOfJson, type Digest } from "../kernel/digest.ts";
import type { Driver } from "../ports/driver.ts";
import { modelNames } from "../run/settings/model-names.ts";
import type { Settings } from "../run/settings/settings.ts";
import { hasFailedForGood } from "../run/log/step.ts";
import type { AnyStepPlan, StageContext } from "./stage-definition.ts";
import { rankIdentity } from "../run/settings/rankers.ts";

/** Equal inputs under the same driver and models give the same digest, in this run and in a fork of it. */
export function inputsDigest(
  driver: Driver,
  { task, identity }: AnyStepPlan,
  { models, rank, role_drivers }: Pick<Settings, "models" | "rank" | "role_drivers">,
): Digest {
  return digestOfJson({
    driver: `${driver.id}/${driver.version}`,
    ...(role_drivers === undefined ? {} : { role_drivers }),
    ...(models === undefined ? {} : { models: modelNames(models) }),
    ...(rank === undefined ? {} : { rank: rankIdentity(rank) }),
    task,
    identity,
  });
}

/** True when the step failed for good. Later steps were made without it, so it is not tried again, also after a resume. */
export function isLeftOut({ manifest, driver }: StageContext, plan: AnyStepPlan): boolean {
  const { steps, settings, accepted_drift } = manifest;
  const step = steps[plan.key];
  if (step === undefined || !hasFailedForGood(step)) return false;
  return accepted_drift !== null || step.inputs_digest === inputsDigest(driver, plan, settings);
}
