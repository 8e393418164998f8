// deep-research settle
import { RunError } from "../../kernel/errors.ts";
import { shownLine } from "../../kernel/shown-text.ts";
import { settleCall } from "../../operations/change/settle-call.ts";
import { stepsOn } from "../../run/next-steps/next-step.ts";
import { runCommand } from "../command.ts";
import { CHANGE_EXITS } from "../exits.ts";
import { flag, needed, text } from "../../kernel/field.ts";
import { doNext } from "../../surface/advice.ts";
import { nextText } from "../text/next-text.ts";
import { pairs } from "../terminal/layout.ts";

export const command = runCommand({
  description:
    "If a process dies during a tool call that is not safe to repeat, the run halts until a person says what became of it.",
  seeAlso: ["triage", "run", "inspect"],
  fields: {
    call: needed(text("ID", "the call, as the halt names it"), "no call was named: triage shows the one that waits"),
    assume_done: flag("it did its work; its output is lost, and the model hears that"),
    replay: flag("it may run once more"),
  },
  examples: [
    ["settle dr_2026 --call wave1:overview/main/6/call_2 --assume-done", "its work is done"],
    ["settle dr_2026 --call wave1:overview/main/6/call_2 --replay", "it did nothing, or may do it twice"],
  ],
  exits: CHANGE_EXITS,
  async run(context, input) {
    const { call } = input;
    if (input.assume_done === input.replay)
      throw new RunError("INVALID_ARGS", { reason: "say either --assume-done or --replay", option: "--replay" });
    const runRoot = await context.locate(input.run);
    const as = input.replay ? "replay" : "assume_done";
    const outcome = await settleCall(context.ports, runRoot, { call, as }, await context.observe());
    const { tool } = outcome.result;
    return {
      outcome,
      text: (style) =>
        `${style.good("settled")}\n${pairs(
          [
            ["call", shownLine(call)],
            ["tool", shownLine(tool)],
            ["taken as", as === "replay" ? "not done: it runs once more" : "done"],
          ],
          style.width,
        )}${nextText(doNext(stepsOn(runRoot)("run", "continue until it stops")), style)}`,
    };
  },
});
