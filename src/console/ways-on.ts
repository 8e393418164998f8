// The next steps of a run for the page: each as a command, and as the body of the request that does the same.
import { basename, dirname } from "node:path";
import type { Standing } from "../operations/standing.ts";
import { commandText, type NextStep } from "../run/next-step.ts";
import { shellUnquoted } from "../kernel/shell.ts";
import type { WriteStep } from "../surface/advice.ts";
import { addressOf } from "./asked.ts";

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
  /** The address of the run that it is about, where that is another one. */
  elsewhere: string | null;
  /** Null where no request does the same, or where somebody has to fill in a word first. */
  request: { action: string; label: string; body: Record<string, unknown> } | null;
}

/** `runRoot` and `runId`: of the run that stands so. A step may be about another one, such as its fork. */
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

function requestOf({ verb, flags }: NextStep): Way["request"] {
  // Somebody has to find other words: the page fills its form.
  if (verb === "fork" && flags.includes("--question")) return { action: "ask", label: "Ask again", body: {} };
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
