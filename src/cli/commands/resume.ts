// deep-research resume
import { given } from "../../kernel/given.ts";
import { resumeRun } from "../../operations/change/resume-run.ts";
import { STAGES } from "../../run/stage.ts";
import { runCommand } from "../command.ts";
import { WORK_EXITS } from "../exits.ts";
import { budgetsOf, changedModelsOf, corpusPaths, judgingLimitsOf } from "../../operations/run-input.ts";
import {
  BUDGET_FIELDS,
  CALL_FIELDS,
  corpusField,
  JUDGING_FIELDS,
  MODEL_FIELDS,
  ON_DRIFT,
} from "../../run/settings/fields.ts";
import { flag, integer, oneOf, withoutDefaults } from "../../kernel/field.ts";
import { EVENTS } from "../options/options.ts";
import { DETACH } from "../options/run-options.ts";
import { MAX_TICKS } from "./run.ts";

const UNNAMED_RUN = "the newest run that is interrupted, paused or halted";

export const command = runCommand({
  description:
    "Lifts a pause, a hold after an interruption or a halt, and then works as run does. A halt whose cause is still there comes again. Finished steps are not done twice.",
  seeAlso: ["run", "pause", "triage", "fork"],
  unnamedRun: UNNAMED_RUN,
  mainOptions: ["no_run", "until", "on_drift", "corpus", "model", "max_cost_usd"],
  options: EVENTS,
  fields: {
    no_run: flag("only lift it"),
    detach: DETACH,
    until: oneOf("STAGE", "stop when this stage is reached", STAGES),
    max_ticks: integer("N", "at most this many ticks", { least: 1, most: MAX_TICKS }),
    on_drift: oneOf("POLICY", "what to do with a drift this time", ON_DRIFT),
    corpus: corpusField("where the corpora lie now, in the order they were given"),
    ...MODEL_FIELDS,
    ...CALL_FIELDS,
    ...withoutDefaults({ ...BUDGET_FIELDS, ...JUDGING_FIELDS }),
  },
  examples: [
    ["resume", UNNAMED_RUN],
    ["resume dr_2026 --no-run", "lift the pause; cron continues"],
    ["resume dr_2026 --corpus /mnt/docs", "the corpus has moved"],
    ["resume dr_2026 --max-cost-usd 5", "a budget was reached, and may be larger"],
    ["resume dr_2026 --max-output-tokens 16000", "replies were cut off"],
    ["resume dr_2026 --model openai:gpt-5-mini", "another model continues: a drift"],
    ["resume dr_2026 --model-base-url http://127.0.0.1:8080/v1", "the server of the run's models has moved: no drift"],
  ],
  notes: [
    "Budgets and limits that you give replace those of the run. What was spent before still counts, and finished steps stay.",
  ],
  exits: WORK_EXITS,
  async run(context, input) {
    const runRoot = await context.locate(input.run, "resumable");
    // Without a model next to it, the URL is for the models that the run has.
    const isMove = input.model_base_url !== undefined && input.model === undefined && input.role_model.length === 0;
    const models = changedModelsOf(isMove ? { ...input, model_base_url: undefined } : input);
    const budgets = budgetsOf(input);
    const limits = judgingLimitsOf(input);
    const options = {
      noRun: input.no_run,
      detach: input.detach,
      ...given({
        untilStage: input.until,
        maxTicks: input.max_ticks,
        onDrift: input.on_drift,
        models,
        budgets,
        limits,
      }),
      ...(input.corpus.length === 0 ? {} : { corpora: corpusPaths(input.corpus, context.absolute) }),
      ...(isMove ? { modelBaseUrl: input.model_base_url } : {}),
    };
    const outcome = await resumeRun(
      context.ports,
      runRoot,
      options,
      await context.observe(),
      await context.takeSignals(),
    );
    return {
      outcome,
      text: async (style) => (await import("../text/run-text.ts")).runText(context.ports, outcome, style),
    };
  },
});
