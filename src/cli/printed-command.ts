// Commands as people read them: the shortest form that runs from any folder.
import { basename, dirname } from "node:path";
import { RUN_ID_PATTERN } from "../kernel/ids.ts";
import { commandText, fullCommand, type NextStep } from "../run/next-step.ts";
import type { Host } from "./host.ts";

export const PROGRAM_NAME = "deep-research";

/** `idsFoundIn` is the runs root that an id is looked for in from any folder; null where only a path names a run. */
export function printedCommand(
  host: Pick<Host, "cliInvocation" | "isOnPath">,
  idsFoundIn: string | null,
  step: NextStep,
): string {
  if (!host.isOnPath(PROGRAM_NAME)) return fullCommand(host, step);
  const { runRoot } = step;
  const goesById = runRoot !== null && dirname(runRoot) === idsFoundIn && RUN_ID_PATTERN.test(basename(runRoot));
  return commandText(PROGRAM_NAME, step, goesById ? basename(runRoot) : runRoot);
}
