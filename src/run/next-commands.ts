// Commands that run as they stand from any directory.
import { shellQuote } from "../kernel/shell.ts";
import type { Halt } from "./halt.ts";
import { MANIFEST_FILE } from "./layout.ts";

/** `verb` of this installation on the run, e.g. `/usr/bin/bun /opt/dr/src/main.ts resume /data/runs/dr_1`. */
export function commandFor(
  installation: { cliInvocation: string },
  verb: string,
  runRoot: string,
  ...flags: string[]
): string {
  return [installation.cliInvocation, verb, shellQuote(runRoot), ...flags].join(" ");
}

/** The commands of a halt for the run where it lies now: it may have been moved or copied since. */
export function commandsOfHalt({ next_commands, manifest_path }: Halt, runRoot: string): string[] {
  const rootThen = ` ${shellQuote(manifest_path.slice(0, -`/${MANIFEST_FILE}`.length))}`;
  return next_commands.map((command) =>
    // The word and no more: the path of the program may begin like it.
    `${command} `.replaceAll(`${rootThen} `, () => ` ${shellQuote(runRoot)} `).slice(0, -1),
  );
}

/** True for the verb on this run and nothing more; what stands in paths is no verb. */
export function isBareCommand(command: string, verb: string, runRoot: string): boolean {
  return command.endsWith(` ${verb} ${shellQuote(runRoot)}`);
}
