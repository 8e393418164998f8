// The next steps of a run for the page: each as a command, and as the body of the request that does the same.
import { basename, dirname } from "node:path";
import type { Standing } from "../operations/look/conditions.ts";
import { commandText, type NextStep, type StepInput } from "../run/next-steps/next-step.ts";
import type { WriteStep } from "../surface/advice.ts";
import { addressOf } from "./request.ts";

interface Route {
  /** The last word of the route. */
  action: string;
  /** What the button says. */
  label: string;
}

/** The verbs that a request can do. The route `resume` also begins a run, and continues once answers are in. */
const ROUTES: Readonly<Record<string, Route>> = {
  run: { action: "resume", label: "Run now" },
  tick: { action: "resume", label: "Continue" },
  resume: { action: "resume", label: "Resume" },
  fork: { action: "fork", label: "Fork" },
  approve: { action: "approve", label: "Approve" },
  settle: { action: "settle", label: "It was done" },
  "report generate": { action: "generate", label: "Write a report" },
};
const CALL_AGAIN: Route = { action: "settle", label: "Call again" };

export interface Way {
  /** What it does, in a few words. */
  why: string;
  /** Runs verbatim, from any folder. */
  command: string;
  /** The same in short, for people to read. */
  shown: string;
  /** The address of the run that it is about, where that is another one. */
  elsewhere: string | null;
  /** Null where no request does the same, or where a person has to fill in a word first. */
  request: (Route & { body: StepInput }) | null;
}

/** `runRoot` and `runId`: of the run that the steps are for. A step may be about another one, such as its fork. */
export function waysOn(
  { next }: Pick<Standing, "next">,
  write: WriteStep,
  { runRoot, runId }: { runRoot: string; runId: string },
): Way[] {
  return next.map((step) => {
    const isElsewhere = step.runRoot !== null && step.runRoot !== runRoot;
    const name = step.runRoot === null ? null : isElsewhere ? nameBeside(step.runRoot, runRoot) : runId;
    return {
      why: step.why,
      command: write(step),
      shown: name === undefined ? write(step) : commandText("deep-research", step, name),
      elsewhere: isElsewhere && name !== undefined && name !== null ? addressOf(name) : null,
      request: isElsewhere ? null : requestOf(step),
    };
  });
}

/** The name of a run in the same runs root. */
function nameBeside(other: string, runRoot: string): string | undefined {
  return dirname(other) === dirname(runRoot) ? basename(other) : undefined;
}

function requestOf({ verb, input, asks }: NextStep): Way["request"] {
  // A person has to find other words: the page fills its form.
  if (verb === "fork" && asks["question"] !== undefined) return { action: "ask", label: "Ask again", body: {} };
  const route = verb === "settle" && input["replay"] === true ? CALL_AGAIN : ROUTES[verb];
  return route === undefined || Object.keys(asks).length > 0 ? null : { ...route, body: input };
}
