// deep-research fork
import { given } from "../../kernel/given.ts";
import { dirname } from "node:path";
import { type ForkResult, forkRun } from "../../operations/make/fork-run.ts";
import type { MadeDifference } from "../../operations/make/made-with.ts";
import { MAX_STAGE_TIMEOUT_S } from "../../run/stage.ts";
import { stepsOn } from "../../run/next-steps/next-step.ts";
import { runCommand } from "../command.ts";
import { CHANGE_EXITS } from "../exits.ts";
import { questionOrInput } from "../options/input-file.ts";
import { RUN_FIELDS } from "../../run/settings/fields.ts";
import { givenOptions } from "../options/run-options.ts";
import { decimal, text, withoutDefaults } from "../../kernel/field.ts";
import { doNext } from "../../surface/advice.ts";
import { nextText } from "../text/next-text.ts";
import { count } from "../../surface/words.ts";
import { pairs } from "../terminal/layout.ts";

const { bundle: _noOther, ...OVERRIDES } = withoutDefaults(RUN_FIELDS);

export const command = runCommand({
  description:
    "Makes a new run from another one, whatever its state. Steps whose inputs are the same keep their results; the others are redone. The old run is not changed.",
  seeAlso: ["run", "resume", "inspect"],
  mainOptions: ["question", "corpus", "model", "mode", "run_id"],
  fields: {
    ...OVERRIDES,
    run_id: RUN_FIELDS.run_id,
    question: text("TEXT", "another question"),
    stage_timeout: decimal("SECONDS", "how long each stage may make no progress", {
      above: 0,
      most: MAX_STAGE_TIMEOUT_S,
    }),
  },
  examples: [
    ["fork dr_2026", "the same again, with what is finished kept; then: deep-research run"],
    ["fork dr_2026 --max-rounds 5", "with other limits"],
    ["fork dr_2026 --stage-timeout 3600", "with more time, after a timeout"],
    ["fork dr_2026 --corpus ./docs-moved", "over a corpus that was moved"],
  ],
  notes: [
    "Options that you leave out are copied from the original run. With another --mode only limits that were named are copied.",
    "With another driver or other models every step is redone: they are part of its inputs.",
  ],
  exits: CHANGE_EXITS,
  readInput: async (context, input) => ({ ...input, question: await questionOrInput(context, input.question) }),
  async run(context, input) {
    const { runs_root: runsRoot } = context.common;
    const parent = await context.locate(input.run);
    const overrides = {
      ...givenOptions(context, { ...input, bundle: undefined }),
      ...given({
        question: input.question,
        stageTimeoutSeconds: input.stage_timeout,
      }),
    };
    // The new run is next to its parent, so that the printed command works from any folder.
    const target = runsRoot === undefined ? dirname(parent) : context.absolute(runsRoot);
    const outcome = await forkRun(context.ports, parent, { ...overrides, runsRoot: target }, await context.observe());
    const { run_id, run_root, forked_from, offered_steps, sources } = outcome.result;
    return {
      outcome,
      text: (style) =>
        `${style.bold(run_id)}  forked from ${forked_from}\n${pairs(
          [
            ["folder", run_root],
            ["copied", `${count(offered_steps, "finished step")}, ${count(sources, "source")}`],
            ["limits kept", keptText(outcome.result)],
            ["will redo", doneAgainText(outcome.result)],
          ],
          style.width,
        )}${nextText(doNext(stepsOn(run_root)("run", "start it")), style)}`,
    };
  },
});

const OTHERS: Record<MadeDifference, string> = {
  assignment: "other readers, another length or day",
  driver: "by another driver or version of it",
  models: "with other models",
  question: "the new question",
  documents: "other documents, or another name of their folder",
  limits: "other limits",
};

function keptText({ kept_limits }: ForkResult): string | null {
  const limits = Object.entries(kept_limits).map(([name, value]) => `${name} ${value}`);
  return limits.length === 0 ? null : limits.join(", ");
}

/** The steps that the new run pays for once more; null where it keeps all of them. */
function doneAgainText({ offered_steps, done_again, perhaps_done_again, differs_in }: ForkResult): string | null {
  const words = (wanted: readonly MadeDifference[]): string =>
    differs_in.flatMap((what) => (wanted.includes(what) ? [OTHERS[what]] : [])).join(" and ");
  const certain = `${done_again === offered_steps ? "all" : done_again} of these steps`;
  const made = words(["driver", "models"]);
  const changed = words(["question", "assignment", "documents", "limits"]);
  const parts = [
    ...(done_again === 0 ? [] : [`${certain}: made ${made}, their results are not reused`]),
    ...(perhaps_done_again === 0 ? [] : [`steps affected by ${changed}`]),
  ];
  return parts.length === 0 ? null : parts.join("; ");
}
