// A sign of life while a command waits for the process that works on a run.
import type { LeaseSummary } from "../../operations/status.ts";
import type { CommandContext } from "../command.ts";
import { ownerText } from "../../surface/fact-words.ts";

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
