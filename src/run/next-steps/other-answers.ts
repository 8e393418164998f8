// The ways to replace an answer from outside that led gate E to its verdict: the last draft, and its review.
import type { Manifest } from "../log/manifest.ts";
import type { NextStep, StepMaker } from "./next-step.ts";
import type { Role } from "../role.ts";

type Reviewed = Pick<Manifest, "settings" | "limits" | "steps">;

/** Commands that replace the last draft, and its review where another draft may follow. */
export function otherAnswers({ settings, limits, steps }: Reviewed, step: StepMaker): NextStep[] {
  const isOutside = (role: Role): boolean => settings.driver === "task" || settings.role_drivers?.[role] !== undefined;
  // No answer was requested in this run for a step that a fork took over.
  const isDoneHere = (key: string): boolean =>
    steps[key]?.state === "completed" && steps[key].adopted_from === undefined;
  const last = Object.keys(steps).filter((key) => key.startsWith(REVIEW)).length;
  const replace = (key: string, role: Role, why: string): NextStep[] =>
    isOutside(role) && isDoneHere(key)
      ? [step("agent-result", why, { step: key, replace: true }, { input: "-", agent_run_id: "ID" })]
      : [];
  return [
    ...replace(`review:revise-${last}`, "writer", "submit another draft, then run"),
    ...(last < limits.max_rounds
      ? replace(`${REVIEW}${last}`, "reviewer", "submit another review, which requests another draft, then run")
      : []),
  ];
}

const REVIEW = "review:draft-";
