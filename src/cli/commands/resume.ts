// deep-research resume
import { given } from "../../kernel/given.ts";
import { resumeRun } from "../../operations/resume-run.ts";
import { STAGES } from "../../run/stage.ts";
import { runCommand } from "../command.ts";
import { WORK_EXITS } from "../exits.ts";
import { BUDGETS, budgetsOf, CALL_BOUNDS, changedModelsOf, MODEL } from "../options/model-options.ts";
import { corpus, JUDGING_LIMITS, judgingLimitsOf } from "../options/run-options.ts";
import { EVENTS, flag, integer, oneOf, withoutDefaults } from "../options/options.ts";
import { MAX_TICKS } from "./run.ts";

const UNNAMED_RUN = "the newest run that is interrupted, paused or halted";

export const command = runCommand({
  description:
    "Lifts a pause, a hold after an interruption or a halt, and then works as run does. A halt whose cause is still there comes again. Finished steps are not done twice.",
  seeAlso: ["run", "pause", "triage", "fork"],
  unnamedRun: UNNAMED_RUN,
  mainOptions: ["noRun", "until", "onDrift", "corpus", "model", "maxCostUsd"],
  options: {
    ...EVENTS,
    noRun: flag("only lift it"),
    until: oneOf("STAGE", "stop when this stage is reached", STAGES),
    maxTicks: integer("N", "at most this many ticks", { least: 1, most: MAX_TICKS }),
    onDrift: oneOf("POLICY", "what to do with a drift this time", ["continue", "refuse", "fork"]),
    corpus: corpus("where the corpora lie now, in the order they were given"),
    ...MODEL,
    ...CALL_BOUNDS,
    ...withoutDefaults({ ...BUDGETS, ...JUDGING_LIMITS }),
  },
  examples: [
    ["resume", UNNAMED_RUN],
    ["resume dr_2026 --no-run", "lift the pause; cron goes on"],
    ["resume dr_2026 --corpus /mnt/docs", "the corpus has moved"],
    ["resume dr_2026 --max-cost-usd 5", "a budget was reached, and may be larger"],
    ["resume dr_2026 --max-output-tokens 16000", "replies were cut off"],
    ["resume dr_2026 --model openai:gpt-5-mini", "another model goes on: a drift"],
    ["resume dr_2026 --model-base-url http://127.0.0.1:8080/v1", "the server of the run's models has moved: no drift"],
  ],
  notes: [
    "Budgets and limits that you give replace those of the run. What was spent before still counts, and finished steps stay.",
  ],
  exits: WORK_EXITS,
  async run(context, values, operands) {
    const runRoot = await context.locate(values, operands, "resumable");
    // Without a model beside it, the URL is for the models that the run has.
    const isMove = values.modelBaseUrl !== undefined && values.model === undefined && values.roleModel.length === 0;
    const models = changedModelsOf(isMove ? { ...values, modelBaseUrl: undefined } : values);
    const budgets = budgetsOf(values);
    const limits = judgingLimitsOf(values);
    const options = {
      noRun: values.noRun,
      ...given({ untilStage: values.until, maxTicks: values.maxTicks, onDrift: values.onDrift, models, budgets }),
      ...(values.corpus.length === 0 ? {} : { corpora: values.corpus.map(context.absolute) }),
      ...(isMove ? { modelBaseUrl: values.modelBaseUrl } : {}),
      ...(Object.keys(limits).length === 0 ? {} : { limits }),
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
