// deep-research pause
import { pauseRun } from "../../operations/pause-run.ts";
import { stepsOn } from "../../run/next-step.ts";
import { type CommandContext, defineCommand, ONE_RUN } from "../command.ts";
import { CHANGE_EXITS } from "../exits.ts";
import { given, integer, SELECTOR, text } from "../options/options.ts";
import { doNext } from "../../surface/advice.ts";
import { nextText } from "../text/next-text.ts";
import type { LeaseSummary } from "../../operations/status.ts";
import { ownerText } from "../../surface/fact-words.ts";

export const DEFAULT_WAIT_S = 60;
export const MAX_WAIT_S = 86_400;

export const command = defineCommand({
  operands: ONE_RUN,
  options: {
    ...SELECTOR,
    wait: integer("SECONDS", `how long to wait for the process that works on it (default: ${DEFAULT_WAIT_S})`, {
      least: 0,
      most: MAX_WAIT_S,
    }),
    reason: text("TEXT", "why, for the journal"),
  },
  examples: [
    ["pause", "the newest run; exit 0 means: safe to power off"],
    ["pause dr_2026 --wait 0", "only ask"],
  ],
  exits: [...CHANGE_EXITS, [4, "the process that works on it has not answered yet; the request stands"]],
  async run(context, values, operands) {
    const runRoot = await context.locate(values, operands);
    const { wait, reason } = values;
    const outcome = await pauseRun(context.ports, runRoot, {
      waitSeconds: wait ?? DEFAULT_WAIT_S,
      onWait: waitLine(context, values, wait ?? DEFAULT_WAIT_S),
      ...given({ reason }),
    });
    return {
      outcome,
      text: (style) =>
        outcome.error === null
          ? `${style.good("paused")}${outcome.result.already ? " already" : ""}: everything is on disk, it is safe to power off\n${nextText(doNext(stepsOn(runRoot)("resume", "end the pause and continue")), style)}`
          : "",
    };
  },
});

/** Says on stderr for whom it waits, and how long at the most; nothing for programs and with --quiet. */
export function waitLine(
  { host }: Pick<CommandContext, "host">,
  { json, quiet }: { json: boolean; quiet: boolean },
  seconds: number,
): (owner: LeaseSummary) => void {
  return (owner) => {
    if (json || quiet) return;
    const whom = ownerText(owner) ?? "the process that works on it";
    host.write("stderr", `waiting for ${whom}; at most ${seconds} s in all (--wait)\n`);
  };
}
