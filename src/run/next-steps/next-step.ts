// The next steps of a run as data: a verb and its input. A terminal writes a command, a page a button, a tool a call.
import { flagName } from "../../kernel/field.ts";
import { shellQuote } from "../../kernel/shell.ts";
import type { z } from "../../kernel/zod.ts";
import type { verbInputSchema } from "../common.ts";

export type StepInput = Readonly<z.infer<typeof verbInputSchema>>;

export interface NextStep {
  /** Such as `resume` or `report show`. */
  verb: string;
  /** Null for a verb that works on no run. */
  runRoot: string | null;
  input: StepInput;
  /** Fields that the reader fills in first, each with the word that stands for it; `""` is the operand. */
  asks: Readonly<Record<string, string>>;
  /** What it does, in a few words. */
  why: string;
}

export type StepMaker = (verb: string, why: string, input?: StepInput, asks?: NextStep["asks"]) => NextStep;

/** Null for verbs that work on no run. */
export function stepsOn(runRoot: string | null): StepMaker {
  return (verb, why, input = {}, asks = {}) => ({ verb, runRoot, input, asks, why });
}

/** The whole command with absolute paths, for programs and files: `/usr/bin/bun /opt/dr/src/main.ts resume /data/runs/dr_1`. */
export function fullCommand({ cliInvocation }: { cliInvocation: string }, step: NextStep): string {
  return commandText(cliInvocation, step, step.runRoot);
}

/** `run` is how the command names the run: its root, or its id. */
export function commandText(program: string, { verb, input, asks }: NextStep, run: string | null): string {
  const { "": operand, ...others } = asks;
  const options = Object.entries(input).flatMap(([name, value]) =>
    value === true ? [flagName(name)] : [value].flat().flatMap((one) => [flagName(name), shellQuote(String(one))]),
  );
  // A word to be filled in is not quoted.
  const open = Object.entries(others).flatMap(([name, word]) => [flagName(name), word]);
  const named = [run === null ? [] : shellQuote(run), operand ?? []].flat();
  return [program, verb, ...named, ...options, ...open].join(" ");
}
