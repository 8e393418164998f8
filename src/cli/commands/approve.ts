// deep-research approve
import { approvePlan } from "../../operations/change/approve-plan.ts";
import { stepsOn } from "../../run/next-steps/next-step.ts";
import { doNext } from "../../surface/advice.ts";
import { count } from "../../surface/words.ts";
import { runCommand } from "../command.ts";
import { CHANGE_EXITS } from "../exits.ts";
import { inputFile } from "../options/input-file.ts";
import { decodeUtf8 } from "../../kernel/decoded-text.ts";
import { content, text } from "../../kernel/field.ts";
import { pairs } from "../terminal/layout.ts";
import { nextText } from "../text/next-text.ts";

const MAX_PLAN_BYTES = 1024 * 1024;

export const command = runCommand({
  description:
    "A run that was started with --approve-plan halts once its plan is made. This command continues with the plan as it is, or with an edited copy of its JSON file.",
  seeAlso: ["start", "triage", "run"],
  fields: { plan: content("an edited copy of the plan, as JSON", MAX_PLAN_BYTES) },
  options: { input: text("FILE", "an edited copy of the plan's JSON file") },
  examples: [
    ["approve dr_2026", "continue with the plan as it is"],
    ["approve dr_2026 --input plan.json", "continue with the plan as you edited it"],
  ],
  exits: CHANGE_EXITS,
  readInput(context, input, { input: file }) {
    if (file === undefined) return input;
    return { ...input, plan: decodeUtf8(inputFile(context, file, { option: "--input", most: MAX_PLAN_BYTES })) };
  },
  async run(context, input) {
    const edited = input.plan === undefined ? null : new TextEncoder().encode(input.plan);
    const runRoot = await context.locate(input.run);
    const outcome = await approvePlan(context.ports, runRoot, edited, await context.observe());
    const { parts, perspectives, edited: isEdited } = outcome.result;
    return {
      outcome,
      text: (style) =>
        `${style.good("approved")}\n${pairs(
          [["plan", `${count(parts, "part")}, ${count(perspectives, "perspective")}${isEdited ? ", as edited" : ""}`]],
          style.width,
        )}${nextText(doNext(stepsOn(runRoot)("run", "continue until it stops")), style)}`,
    };
  },
});
