// Says on stderr what does not verify of a report that is shown all the same.
import { isRepaired } from "../../operations/damage.ts";
import type { RunLook } from "../../ports/run-store.ts";
import { stepsOn } from "../../run/next-step.ts";
import { doNext } from "../../surface/advice.ts";
import { nextText } from "./next-text.ts";
import { factText, problemText } from "../../surface/fact-words.ts";
import type { Style } from "../terminal/style.ts";
import { paragraph } from "../terminal/wrapping.ts";

export function damageNote(run: RunLook | null, style: Style): string | null {
  if (run === null || run.problems.length === 0) return null;
  const files = run.problems.map(problemText).join("; ");
  const step = stepsOn(run.runRoot);
  const next = isRepaired(run, run.problems)
    ? step("triage", "see what can be done")
    : step("verify", "see everything that is damaged");
  const what = paragraph(`${style.bad("stored files are damaged")}: ${factText(files)}`, style.width, "", "  ");
  return `${what}\n${nextText(doNext(next), style).trimEnd()}`;
}
