// Finds out whether a name on the PATH starts this very program.
import { unlessThrown } from "../kernel/unless-thrown.ts";
import fs from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { realPathOf } from "./small-file.ts";

export interface RunningProgram {
  /** The entry file, or the built program. */
  entry: string;
  /** What the entry file needs on the PATH to be started; null for the built program. */
  interpreter: string | null;
}

/** Next to both: it starts the built program or the source. */
const LAUNCHER = "../src/deep-research";

/** True when a shell would start `program` by `name` from any folder, directly or by the launcher. */
export function leadsTo(path: string | undefined, name: string, program: RunningProgram): boolean {
  const found = firstOnPath(path, name);
  if (found === null) return false;
  const entry = realPathOf(program.entry);
  if (![entry, join(dirname(entry), LAUNCHER)].includes(realPathOf(found))) return false;
  return program.interpreter === null || firstOnPath(path, program.interpreter) !== null;
}

/** Null also when the first match is in a folder that is relative to the working folder. */
function firstOnPath(path: string | undefined, name: string): string | null {
  for (const folder of (path ?? "").split(":")) {
    const file = join(folder, name);
    if (isProgram(file)) return isAbsolute(file) ? file : null;
  }
  return null;
}

function isProgram(file: string): boolean {
  return unlessThrown(() => {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  }, false);
}
