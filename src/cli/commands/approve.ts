// deep-research approve
import { approvePlan } from "../../operations/change/approve-plan.ts";
import { RunError } from "../../kernel/errors.ts";
import { instructPlanner } from "../../operations/change/instruct-planner.ts";
import type { RunLook } from "../../ports/run-log.ts";
import { knownHalt } from "../../run/log/halt-details.ts";
import { haltSteps } from "../../run/next-steps/halt-steps.ts";
import { stepsOn } from "../../run/next-steps/next-step.ts";
import { type Advice, doNext } from "../../surface/advice.ts";
import { count } from "../../surface/words.ts";
import { defineCommand, RUN } from "../command.ts";
import { CHANGE_EXITS } from "../exits.ts";
import { inputFile } from "../options/input-file.ts";
import { instructionOf } from "../options/instruction.ts";
import { EVENTS } from "../options/options.ts";
import { decodeUtf8 } from "../../kernel/decoded-text.ts";
import { content, text } from "../../kernel/field.ts";
import { pairs } from "../terminal/layout.ts";
import { nextText } from "../text/next-text.ts";

const MAX_PLAN_BYTES = 1024 * 1024;

export const command = defineCommand({
  description:
    "A run that was started with --approve-plan halts once its plan is made. This command continues with the plan as it is, or with an edited copy of its JSON file. With a sentence the planner makes the plan once more, and the new one waits again.",
  seeAlso: ["start", "triage", "run"],
  operand: { name: "run", behind: "instruction", usage: "[<run> [<sentence>]]", least: 0, most: 2 },
  fields: {
    run: RUN,
    instruction: text("SENTENCE", "what is to be different in the plan, which is then made again and waits again"),
    plan: content("an edited copy of the plan, as JSON", MAX_PLAN_BYTES),
  },
  options: { input: text("FILE", "an edited copy of the plan's JSON file"), ...EVENTS },
  examples: [
    ["approve dr_2026", "continue with the plan as it is"],
    ["approve dr_2026 --input plan.json", "continue with the plan as you edited it"],
    ['approve dr_2026 "also cover costs"', "have the planner make it again"],
  ],
  exits: [
    ...CHANGE_EXITS,
    [3, "the planner made no other plan: the run halted (the next commands are printed)"],
    [4, "a provider answers no more for now"],
  ],
  readInput(context, input, { input: file }) {
    if (file === undefined) return input;
    return { ...input, plan: decodeUtf8(inputFile(context, file, { option: "--input", most: MAX_PLAN_BYTES })) };
  },
  async run(context, input) {
    const { plan } = input;
    const instruction = instructionOf(input.instruction);
    if (instruction !== undefined && plan !== undefined)
      throw new RunError("INVALID_ARGS", {
        reason: "say a sentence or give an edited plan, not both",
        option: "--input",
      });
    const runRoot = await context.locate(input.run);
    const { ports } = context;
    const outcome =
      instruction === undefined
        ? await approvePlan(
            ports,
            runRoot,
            plan === undefined ? null : new TextEncoder().encode(plan),
            await context.observe(),
          )
        : await instructPlanner(ports, runRoot, instruction, await context.observe(), await context.takeSignals());
    const { parts, perspectives, edited, waits = false } = outcome.result;
    const waiting = waits && outcome.run !== null ? outcome.run : null;
    const next = waiting === null ? doNext(stepsOn(runRoot)("run", "continue until it stops")) : waysOn(waiting);
    return {
      outcome,
      text: (style) =>
        `${style.good(waits ? "a new plan waits for approval" : "approved")}\n${pairs(
          [["plan", `${count(parts, "part")}, ${count(perspectives, "perspective")}${edited ? ", as edited" : ""}`]],
          style.width,
        )}${nextText(next, style)}`,
    };
  },
});

/** What a person does about the plan that waits. */
function waysOn({ runRoot, manifest }: RunLook): Advice {
  const { halt } = manifest;
  return doNext(...(halt === null ? [] : haltSteps(knownHalt(halt), runRoot, manifest)));
}
