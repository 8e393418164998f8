// deep-research fork
import { dirname } from "node:path";
import { forkRun } from "../../operations/fork-run.ts";
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
  notes: ["What is not given stays as it is in the run that is forked."],
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
        ])}${nextText([commandFor(context.ports, "run", run_root)], style)}`,
    };
  },
});
