// deep-research abort
import { shownLine } from "../../kernel/shown-text.ts";
import { abortRun, refusalToStop } from "../../operations/change/stop-run.ts";
import { stepsOn } from "../../run/next-steps/next-step.ts";
import { runCommand } from "../command.ts";
import { confirm, unconfirmed } from "../confirmation.ts";
import { flag } from "../../kernel/field.ts";
import { doNext } from "../../surface/advice.ts";
import { nextText } from "../text/next-text.ts";
import { STOP_EXITS, STOP_FIELDS, stopOptions } from "./pause.ts";

export const command = runCommand({
  description: "Ends the research of a run. It never continues; everything it found stays on disk.",
  seeAlso: ["pause", "fork", "remove"],
  fields: {
    yes: flag("do not ask for confirmation"),
    ...STOP_FIELDS,
  },
  examples: [
    ["abort dr_2026", "asks for confirmation"],
    ["abort dr_2026 --yes", "from a script"],
  ],
  notes: ["Reports can still be generated from what was found, and fork keeps the finished steps."],
  exits: STOP_EXITS,
  async run(context, input) {
    const { host, ports } = context;
    const runRoot = await context.locate(input.run);
    const run = await ports.store.look(runRoot);
    // What cannot be done, or is done already, needs no confirmation.
    const refused = refusalToStop(run, "abort");
    if (refused !== null) throw refused;
    const needsConsent = !input.yes && run.state !== "aborted";
    const question = { verb: "abort", text: questionOf(runRoot), facts: { run_root: runRoot } } as const;
    if (needsConsent && !(await confirm(host, context.common.json, question)))
      return unconfirmed("nothing was changed");
    const outcome = await abortRun(ports, runRoot, stopOptions(context, input));
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
  return `This ends research permanently for the run\n  ${shownLine(runRoot)}\nFinished steps stay, and a fork can use them. Abort it?`;
}
