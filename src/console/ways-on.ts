// The next steps of a run for the page: each as a command, and as the body of the request that does the same.
import { basename } from "node:path";
import type { Standing } from "../operations/standing.ts";
import { commandText, type NextStep } from "../run/next-step.ts";
import { shellUnquoted } from "../kernel/shell.ts";
import type { WriteStep } from "../surface/advice.ts";

/**
 * The verbs that a request can do, each with the last word of its route and the label of its button. The route `resume` also
 * begins a run, and goes on once answers are in.
 */
const ROUTES: Readonly<Record<string, { action: string; label: string }>> = {
  run: { action: "resume", label: "Run now" },
  tick: { action: "resume", label: "Go on" },
  resume: { action: "resume", label: "Resume" },
  fork: { action: "fork", label: "Fork" },
  approve: { action: "approve", label: "Approve" },
  "settle --assume-done": { action: "settle", label: "It was done" },
  "settle --replay": { action: "settle", label: "Call again" },
  "report generate": { action: "generate", label: "Write a report" },
};

export interface Way {
  /** What it does, in a few words. */
  why: string;
  /** Runs as it stands, from any folder. */
  command: string;
  /** The same in short, for people to read. */
  shown: string;
  /** Null where no request does the same, or where somebody has to fill in a word first. */
  request: { action: string; label: string; body: Record<string, unknown> } | null;
}

/** The page has the routes of its own run: a step on another one, such as a fork, is a command alone. */
export function waysOn(
  { next }: Pick<Standing, "next">,
  write: WriteStep,
  page: { runId: string; runRoot: string },
): Way[] {
  return next.map((step) => {
    const { runRoot } = step;
    const isOther = runRoot !== null && runRoot !== page.runRoot;
    return {
      why: step.why,
      command: write(step),
      shown: commandText("deep-research", step, runRoot === null ? null : isOther ? basename(runRoot) : page.runId),
      request: isOther ? null : requestOf(step),
    };
  });
}

function requestOf({ verb, flags }: NextStep): Way["request"] {
  const body: Record<string, unknown> = {};
  for (let at = 0; at < flags.length; at++) {
    const [flag = "", value] = [flags[at], flags[at + 1]];
    if (!flag.startsWith("--")) return null;
    const name = flag.slice(2).replaceAll("-", "_");
    if (value === undefined || value.startsWith("--")) body[name] = true;
    else {
      if (isToBeFilledIn(value)) return null;
      const plain = shellUnquoted(value);
      body[name] = Number.isFinite(Number(plain)) ? Number(plain) : plain;
      at++;
    }
  }
  const route = ROUTES[verb] ?? ROUTES[`${verb} ${flags.at(-1)}`];
  return route === undefined ? null : { ...route, body };
}

/** `PATH`, `FILE`, `"..."` */
function isToBeFilledIn(value: string): boolean {
  return /^[A-Z]+$/.test(value) || value.includes("...");
}
