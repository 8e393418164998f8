// deep-research pause
import { given } from "../../kernel/given.ts";
import { pauseRun, type StopOptions } from "../../operations/change/stop-run.ts";
import { stepsOn } from "../../run/next-steps/next-step.ts";
import { type CommandContext, runCommand } from "../command.ts";
import { CHANGE_EXITS } from "../exits.ts";
import { integer, text, type InputOf } from "../../kernel/field.ts";
import { doNext } from "../../surface/advice.ts";
import { nextText } from "../text/next-text.ts";
import type { LeaseSummary } from "../../operations/look/status.ts";
import { ownerText } from "../../surface/fact-words.ts";

const DEFAULT_WAIT_S = 60;

/** Of pause and abort. */
export const STOP_FIELDS = {
  wait: integer(
    "SECONDS",
    "how long to wait for the process that works on it",
    {
      least: 0,
      most: 86_400,
    },
    DEFAULT_WAIT_S,
  ),
  reason: text("TEXT", "why, for the journal"),
};

export const STOP_EXITS = [
  ...CHANGE_EXITS,
  [4, "the process that works on it has not answered yet; the request stays"],
] as const;

export const command = runCommand({
  description:
    "Requests a stop from the process that works on the run, and waits until everything is on disk. A paused run stays paused, also across a reboot, until resume.",
  seeAlso: ["resume", "abort"],
  fields: STOP_FIELDS,
  examples: [
    ["pause", "the newest run; exit 0 means: safe to power off"],
    ["pause dr_2026 --wait 0", "only request it"],
  ],
  exits: STOP_EXITS,
  async run(context, input) {
    const runRoot = await context.locate(input.run);
    const outcome = await pauseRun(context.ports, runRoot, stopOptions(context, input));
    return {
      outcome,
      text: (style) =>
        outcome.error === null
          ? `${style.good("paused")}${outcome.result.already ? " already" : ""}: everything is on disk, it is safe to power off\n${nextText(doNext(stepsOn(runRoot)("resume", "end the pause and continue")), style)}`
          : "",
    };
  },
});

/** Says on stderr which process it waits for and how long at the most; says nothing with --json and --quiet. */
export function stopOptions(
  { host, common }: Pick<CommandContext, "host" | "common">,
  { wait = DEFAULT_WAIT_S, reason }: InputOf<typeof STOP_FIELDS>,
): StopOptions {
  const onWait = (owner: LeaseSummary): void => {
    if (common.json || common.jsonl === true || common.quiet) return;
    const whom = ownerText(owner) ?? "the process that works on it";
    host.write("stderr", `waiting for ${whom}; at most ${wait} s in all (--wait)\n`);
  };
  return { waitSeconds: wait, onWait, ...given({ reason }) };
}
