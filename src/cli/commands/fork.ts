// deep-research fork
import { dirname } from "node:path";
import { forkRun, type ForkResult } from "../../operations/fork-run.ts";
import type { MadeDifference } from "../../operations/made-with.ts";
import { commandFor } from "../../run/next-commands.ts";
import { defineCommand, ONE_RUN } from "../command.ts";
import { CHANGE_EXITS } from "../exits.ts";
import { givenInitOptions, INIT } from "../init-options.ts";
import { SELECTOR, text, withoutDefaults } from "../options.ts";
import { nextText } from "../status-text.ts";
import { count, pairs } from "../text.ts";

const { runId: _newRunId, ...OVERRIDES } = withoutDefaults(INIT);
const { runId: _oldRunId, ...SELECT_BY_PATH } = SELECTOR;

export const command = defineCommand({
  name: "fork",
  purpose: "start a new run that keeps the finished steps, sources and settings of another",
  operands: ONE_RUN,
  options: {
    ...SELECT_BY_PATH,
    ...OVERRIDES,
    runId: text("ID", "the id of the new run (default: made from the time)"),
    question: text("TEXT", "another question"),
  },
  examples: [
    ["fork dr_2026", "the same again, with what is finished kept; then: deep-research run"],
    ["fork dr_2026 --max-rounds 5", "with other limits"],
    ["fork dr_2026 --corpus ./docs-moved", "over a corpus that lies elsewhere now"],
  ],
  notes: [
    "What is not given stays as it is in the run that is forked.",
    "Driver and models are among the inputs of each step: under others, all of them are done again.",
  ],
  exits: CHANGE_EXITS,
  async run(context, values, operands) {
    const { manifest, runRoot, runsRoot } = values;
    const parent = await context.locate({ manifest, runRoot, runId: undefined }, operands);
    const overrides = {
      ...givenInitOptions(context, values),
      ...(values.question === undefined ? {} : { question: values.question }),
    };
    // Beside its parent, so that the printed command does the same from everywhere.
    const target = runsRoot === undefined ? dirname(parent) : context.absolute(runsRoot);
    const outcome = await forkRun(context.ports, parent, { ...overrides, runsRoot: target }, await context.observe());
    const { run_id, run_root, forked_from, offered_steps, sources } = outcome.result;
    return {
      outcome,
      text: (style) =>
        `${style.bold(run_id)}  forked from ${forked_from}\n${pairs([
          ["folder", run_root],
          ["brought along", `${count(offered_steps, "finished step")}, ${count(sources, "source")}`],
          ["done again", doneAgainText(outcome.result)],
        ])}${nextText([commandFor(context.ports, "run", run_root)], style)}`,
    };
  },
});

const OTHERS: Record<MadeDifference, string> = {
  driver: "by another driver or version of it",
  models: "with other models",
  question: "another question",
  documents: "other documents, or their folder another name",
  limits: "other limits",
};

/** What the new run pays for once more; null where every step is taken over. */
function doneAgainText({ offered_steps, done_again, perhaps_done_again, differs_in }: ForkResult): string | null {
  const words = (wanted: readonly MadeDifference[]): string =>
    differs_in.flatMap((what) => (wanted.includes(what) ? [OTHERS[what]] : [])).join(" and ");
  const certain = `${done_again === offered_steps ? "all" : done_again} of these steps`;
  const made = words(["driver", "models"]);
  const changed = words(["question", "documents", "limits"]);
  const parts = [
    ...(done_again === 0 ? [] : [`${certain}: made ${made}, what they brought is not taken over`]),
    ...(perhaps_done_again === 0 ? [] : [`each step whose inputs change: the run has ${changed}`]),
  ];
  return parts.length === 0 ? null : parts.join("; ");
}
