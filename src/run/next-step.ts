// The next steps of a run as data. Surfaces write each as a command that can be run from any directory.
import { shellQuote } from "../kernel/shell.ts";

export interface NextStep {
  /** Such as `resume` or `report show`. */
  verb: string;
  /** Null for a command that works on no run. */
  runRoot: string | null;
  /** Words behind the run, quoted for sh where they need it. */
  flags: readonly string[];
  /** What the command does, in a few words. */
  why: string;
}

export type StepMaker = (verb: string, why: string, ...flags: string[]) => NextStep;

export function stepsOn(runRoot: string): StepMaker {
  return (verb, why, ...flags) => ({ verb, runRoot, flags, why });
}

/** The whole command with absolute paths, for programs and files: `/usr/bin/bun /opt/dr/src/main.ts resume /data/runs/dr_1`. */
export function fullCommand({ cliInvocation }: { cliInvocation: string }, step: NextStep): string {
  return commandText(cliInvocation, step, step.runRoot);
}

/** `run` is how the command names the run: its root, or its id. */
export function commandText(program: string, { verb, flags }: NextStep, run: string | null): string {
  return [program, verb, ...(run === null ? [] : [shellQuote(run)]), ...flags].join(" ");
}
