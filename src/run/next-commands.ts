// Commands that run as they stand from any directory.
import { shellQuote } from "../kernel/shell.ts";

/** `verb` of this installation on the run, e.g. `/usr/bin/bun /opt/dr/src/main.ts resume /data/runs/dr_1`. */
export function commandFor(
  installation: { cliInvocation: string },
  verb: string,
  runRoot: string,
  ...flags: string[]
): string {
  return [installation.cliInvocation, verb, shellQuote(runRoot), ...flags].join(" ");
}
