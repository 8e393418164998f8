// Steps of the review that somebody outside did: what they handed in may be replaced, where a gate has judged by it.
import type { Manifest } from "./manifest.ts";
import { stepsOn, type NextStep } from "./next-step.ts";
import type { Role } from "./role.ts";

type Reviewed = Pick<Manifest, "settings" | "limits" | "steps">;

/** The last draft, and its review where another draft may follow it. A draft of an earlier stage stays. */
export function otherAnswers({ settings, limits, steps }: Reviewed, runRoot: string): NextStep[] {
  const step = stepsOn(runRoot);
  const isOutside = (role: Role): boolean => settings.driver === "task" || settings.role_drivers?.[role] !== undefined;
  // What a fork took over was asked of nobody in this run.
  const isDoneHere = (key: string): boolean =>
    steps[key]?.state === "completed" && steps[key].adopted_from === undefined;
  const last = Object.keys(steps).filter((key) => key.startsWith(REVIEW)).length;
  const replace = (key: string, role: Role, why: string): NextStep[] =>
    isOutside(role) && isDoneHere(key)
      ? [step("agent-result", why, "--step", key, "--replace", "--input", "-", "--agent-run-id", "ID")]
      : [];
  return [
    ...replace(`review:revise-${last}`, "writer", "hand in another draft, then run"),
    ...(last < limits.max_rounds
      ? replace(`${REVIEW}${last}`, "reviewer", "hand in another review, which asks for another draft, then run")
      : []),
  ];
}

const REVIEW = "review:draft-";
