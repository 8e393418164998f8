// Writes the next steps for people at a terminal.
import { shownText } from "../../kernel/shown-text.ts";
import type { NextStep } from "../../run/next-steps/next-step.ts";
import type { Advice } from "../../surface/advice.ts";
import type { Style } from "../terminal/style.ts";
import { paragraph } from "../terminal/layout.ts";

/** What each command does, then the command on one line, however long, so that it can be pasted. */
export function nextText({ first, steps }: Advice, style: Style): string {
  if (first === null && steps.length === 0) return "";
  const head = `${style.bold("next:")}${first === null ? "" : ` ${shownText(first)}`}`;
  return `${paragraph(head, style.width, "", "  ")}\n${stepLines(steps, style)}`;
}

export function stepLines(steps: readonly NextStep[], style: Style): string {
  const why = (step: NextStep): string => paragraph(style.dim(step.why), style.width, "  ");
  return steps.map((step) => `${why(step)}\n    ${style.command(step)}\n`).join("");
}
