// deep-research ask
import { dirname } from "node:path";
import { given } from "../../kernel/given.ts";
import { text, withoutDefaults } from "../../kernel/field.ts";
import { askRun } from "../../operations/change/ask-run.ts";
import { RUN_FIELDS } from "../../run/settings/fields.ts";
import { defineCommand, RUN } from "../command.ts";
import { WORK_EXITS } from "../exits.ts";
import { EVENTS } from "../options/options.ts";
import { givenOptions } from "../options/run-options.ts";

const { bundle: _noOther, ...OVERRIDES } = withoutDefaults(RUN_FIELDS);

export const command = defineCommand({
  description:
    "Asks on: answers a question that follows a finished run. A new run takes over the quotes that were checked there, researches only what is missing, and writes a page of its own; the run before stays as it is. With a model two to four calls where the evidence holds. Without one the documents are searched again.",
  seeAlso: ["start", "report show", "fork"],
  mainOptions: ["model", "mode", "max_cost_usd", "run_id"],
  operand: { name: "run", behind: "question", usage: "<run> <question>", least: 2, most: 2 },
  fields: {
    run: RUN,
    question: { ...text("QUESTION", "what to ask on"), needed: 'say what to ask: ask RUN "and on Windows?"' },
    ...OVERRIDES,
    run_id: RUN_FIELDS.run_id,
  },
  options: EVENTS,
  examples: [
    ['ask dr_2026 "and on Windows?"', "with the settings of that run"],
    ['ask dr_2026 "What does it cost?" --mode standard', "researched more widely"],
    ['ask dr_2026 "and on Windows?" --run-id windows', "repeat the same line to continue after a crash"],
  ],
  notes: [
    "The new run has the corpora, the models and the budgets of the run before, and the mode quick. Options that you give replace them.",
    "The page says which question it follows, and how many quotes were taken over.",
  ],
  exits: WORK_EXITS,
  async run(context, input) {
    const before = await context.locate(input.run);
    const { runs_root } = context.common;
    const options = {
      ...givenOptions(context, { ...input, bundle: undefined }),
      ...given({ question: input.question }),
      runsRoot: runs_root === undefined ? dirname(before) : context.absolute(runs_root),
    };
    const outcome = await askRun(
      context.ports,
      before,
      { ...options, question: input.question },
      await context.observe(),
      await context.takeSignals(),
    );
    return {
      outcome,
      text: async (style) =>
        (await import("../text/run-text.ts")).runText(context.ports, outcome, style, [
          ["follows", outcome.result.follows],
        ]),
    };
  },
});
