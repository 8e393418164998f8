// deep-research start
import { startRun } from "../../operations/change/start-run.ts";
import { defineCommand } from "../command.ts";
import { WORK_EXITS } from "../exits.ts";
import { corpusRows } from "../text/evidence-text.ts";
import { RUN_FIELDS } from "../../run/settings/fields.ts";
import {
  DETACH,
  initOptions,
  limitsNote,
  MAIN_OPTIONS,
  QUESTION,
  QUESTION_OPERAND,
  RUN_CONFIGURATION,
  withQuestion,
} from "../options/run-options.ts";
import { EVENTS } from "../options/options.ts";

export const command = defineCommand({
  description:
    "Makes a run for the question and works on it until it is completed, halts or is stopped. Every statement of the report rests on quotes that are word for word in the documents. Where nothing is found there is no report: the run halts with no_evidence. A run that was stopped at any moment, even by kill -9, continues from its last finished step: repeat the line with the same --run-id, or use resume. Ctrl-C pauses the run, a second Ctrl-C leaves at once.",
  seeAlso: ["init", "run", "status", "report show", "verify"],
  mainOptions: MAIN_OPTIONS,
  operand: QUESTION_OPERAND,
  fields: { question: QUESTION, ...RUN_FIELDS, detach: DETACH },
  options: EVENTS,
  examples: [
    ['start "How are command-line options parsed?" --corpus ./docs', "the main job"],
    ['start "What broke in March?" --corpus ./logs ./notes --mode deep', "several folders, more depth"],
    [
      'start "How are options parsed?" --corpus ./docs --run-id options-1',
      "repeat the same line to continue after a crash",
    ],
    ['start "Which parts are risky?" --corpus ./docs --model openai:gpt-5-mini', "by a model"],
    [
      'start "What is new?" --provider web --model anthropic:claude-haiku-4-5 --max-cost-usd 2',
      "on the web, for $2 at most",
    ],
    ['start "What changed?" --corpus /docs --detach', "a worker of the store does it"],
    ["start - --corpus ./docs < question.txt", "the question is in a file"],
    ["start --bundle ./bundle", "what capture recorded, again, without its documents and models"],
  ],
  notes: [limitsNote()],
  configuration: RUN_CONFIGURATION,
  exits: WORK_EXITS,
  readInput: withQuestion,
  async run(context, input) {
    const options = { ...initOptions(context, input), detach: input.detach };
    const signals = await context.takeSignals();
    const outcome = await startRun(context.ports, options, await context.observe(), signals);
    return {
      outcome,
      text: async (style) =>
        (await import("../text/run-text.ts")).runText(
          context.ports,
          outcome,
          style,
          corpusRows(outcome.result.corpora, "; --json names each"),
        ),
    };
  },
});
