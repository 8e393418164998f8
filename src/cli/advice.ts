// What to do next about an error or a halt: words for people, and the steps that a command line can take.
import { shownText } from "../kernel/shown-text.ts";
import type { NextStep } from "../run/next-step.ts";
import type { Style } from "./terminal/style.ts";
import { paragraph } from "./terminal/wrapping.ts";

export interface Advice {
  /** What a person sees to first, or all there is to do; null where the steps say enough. */
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

/** In one line, for programs. */
export function adviceLine({ first, steps }: Advice, command: (step: NextStep) => string): string {
  return [...(first === null ? [] : [first]), ...steps.map((step) => `${step.why}: ${command(step)}`)].join("; ");
}

/** For people: what each command does, and the command whole on its line, however long, so that it can be pasted. */
export function nextText({ first, steps }: Advice, style: Style): string {
  if (first === null && steps.length === 0) return "";
  const head = `${style.bold("next:")}${first === null ? "" : ` ${shownText(first)}`}`;
  return `${paragraph(head, style.width, "", "  ")}\n${stepLines(steps, style)}`;
}

export function stepLines(steps: readonly NextStep[], style: Style): string {
  const why = (step: NextStep): string => paragraph(style.dim(step.why), style.width, "  ");
  return steps.map((step) => `${why(step)}\n    ${style.command(step)}\n`).join("");
}
