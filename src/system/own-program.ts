// Finds out whether a name on the PATH starts this very program.
import { unlessThrown } from "../kernel/unless-thrown.ts";
import fs from "node:fs";
import { isAbsolute, join } from "node:path";
import { realPathOf } from "./small-file.ts";

export interface RunningProgram {
  /** The entry file, or the compiled binary. */
  entry: string;
  /** What the entry file needs on the PATH to be started; null for a compiled binary. */
  interpreter: string | null;
}

/** True when a shell would start `program` by `name` from any folder. */
export function leadsTo(path: string | undefined, name: string, program: RunningProgram): boolean {
  const found = firstOnPath(path, name);
  if (found === null || realPathOf(found) !== realPathOf(program.entry)) return false;
  return program.interpreter === null || firstOnPath(path, program.interpreter) !== null;
}

/** Null also when the first match lies in a folder that is relative to the working folder. */
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
