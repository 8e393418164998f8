// deep-research inspect
import { inspectRun } from "../../operations/look/inspect-run.ts";
import { settledStanding } from "../../operations/look/triage-run.ts";
import { inspectStep } from "../../operations/look/inspect-step.ts";
import { runCommand } from "../command.ts";
import { LOOK_EXITS } from "../exits.ts";
import { inspectStepText, inspectText } from "../text/inspect-text.ts";
import { text } from "../../kernel/field.ts";
import type { Style } from "../terminal/style.ts";

export const command = runCommand({
  description: "All that is stored about a run or one of its steps, in words or, with --json, as it is stored.",
  seeAlso: ["status", "triage", "verify"],
  fields: { step: text("KEY", "one step: its attempts, its result, the sources stored meanwhile") },
  examples: [
    ["inspect", "the newest run"],
    ["inspect dr_2026 --step wave1:overview", "one step with its attempts and result"],
  ],
  exits: LOOK_EXITS,
  async run(context, input) {
    const { runRoot, seen } = await context.find(input.run);
    if (input.step !== undefined) {
      const outcome = await inspectStep(context.ports, runRoot, input.step, seen);
      return { outcome, text: (style) => inspectStepText(outcome.result, style) };
    }
    const outcome = await inspectRun(context.ports, runRoot, seen);
    const { run, result } = outcome;
    const words = async (style: Style): Promise<string> =>
      inspectText(run, result, await settledStanding(context.ports, run), style);
    return { outcome, text: words };
  },
});
