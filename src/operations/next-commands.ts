// Commands that run as they stand from any directory.
import { shellQuote } from "../kernel/shell.ts";
import type { Ports } from "../ports/ports.ts";

/** `verb` of this installation on the run, e.g. `/usr/bin/bun /opt/dr/src/main.ts resume /data/runs/dr_1`. */
export function commandFor(ports: Pick<Ports, "cliInvocation">, verb: string, runRoot: string, ...flags: string[]): string {
  return [ports.cliInvocation, verb, shellQuote(runRoot), ...flags].join(" ");
}
