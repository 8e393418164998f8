// Advice after an error, a halt or a read-only command: words for a person, and steps that each surface writes in its own way.
import { fullCommand, type NextStep } from "../run/next-steps/next-step.ts";

/** Writes a step as a surface shows it, such as a command. */
export type WriteStep = (step: NextStep) => string;

/** Writes steps as commands that run as they are, from any folder. */
export function asCommands(surface: { cliInvocation: string }): WriteStep {
  return (step) => fullCommand(surface, step);
}

export interface Advice {
  /** What a person has to do before the steps, or in place of them; null where the steps say enough. */
  first: string | null;
  steps: readonly NextStep[];
}

/** Advice without a command. */
export function say(first: string): Advice {
  return { first, steps: [] };
}

export function doNext(...steps: NextStep[]): Advice {
  return { first: null, steps };
}

/** Advice in one line, for programs. */
export function adviceLine({ first, steps }: Advice, write: WriteStep): string {
  return [...(first === null ? [] : [first]), ...steps.map((step) => `${step.why}: ${write(step)}`)].join("; ");
}

/** Findings as programs get them: the next steps as the surface writes them. */
export function forPrograms<Finding extends { next: readonly NextStep[] }>(
  write: WriteStep,
  { next, ...finding }: Finding,
): Omit<Finding, "next"> & { next_commands: string[] } {
  return { ...finding, next_commands: next.map(write) };
}
