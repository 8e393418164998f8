// deep-research abort
import { abortRun } from "../../operations/abort-run.ts";
import { stepsOn } from "../../run/next-step.ts";
import { defineCommand, ONE_RUN } from "../command.ts";
import { confirm, unconfirmed } from "../confirmation.ts";
import { CHANGE_EXITS } from "../exits.ts";
import { given, flag, integer, SELECTOR, text } from "../options/options.ts";
import { doNext } from "../../surface/advice.ts";
import { nextText } from "../text/next-text.ts";
import { DEFAULT_WAIT_S, MAX_WAIT_S, waitLine } from "./pause.ts";

export const command = defineCommand({
  operands: ONE_RUN,
  options: {
    ...SELECTOR,
    yes: flag("do not ask"),
    wait: integer("SECONDS", `how long to wait for the process that works on it (default: ${DEFAULT_WAIT_S})`, {
      least: 0,
      most: MAX_WAIT_S,
    }),
    reason: text("TEXT", "why, for the journal"),
  },
  examples: [
    ["abort dr_2026", "asks first"],
    ["abort dr_2026 --yes", "from a script"],
  ],
  notes: [
    "What it leaves\n  Everything found so far; reports can still be generated from it, and fork keeps the finished steps.",
  ],
  exits: [...CHANGE_EXITS, [4, "the process that works on it has not answered yet; the request stands"]],
  async run(context, values, operands) {
    const { host, ports } = context;
    const runRoot = await context.locate(values, operands);
    const question = { verb: "abort", text: questionOf(runRoot), facts: { run_root: runRoot } } as const;
    if (!values.yes && !(await confirm(host, values.json, question))) return unconfirmed("nothing was changed");
    const { wait, reason } = values;
    const outcome = await abortRun(ports, runRoot, {
      waitSeconds: wait ?? DEFAULT_WAIT_S,
      onWait: waitLine(context, values, wait ?? DEFAULT_WAIT_S),
      ...given({ reason }),
    });
    const step = stepsOn(runRoot);
    // A run that has read nothing has nothing to report.
    const hasFound = outcome.run?.manifest.counters.sources !== 0;
    const next = [
      ...(hasFound ? [step("report generate", "write a report from what was found")] : []),
      step("fork", "a new run that keeps the finished steps"),
    ];
    return {
      outcome,
      text: (style) =>
        outcome.error === null
          ? `${style.warn("aborted")}${outcome.result.already ? " already" : ""}\n${nextText(doNext(...next), style)}`
          : "",
    };
  },
});

function questionOf(runRoot: string): string {
  return `This ends research permanently for the run\n  ${runRoot}\nFinished steps stay, and a fork can use them. Abort it?`;
}
