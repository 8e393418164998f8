// `store export` and `store import`: a run from the store into a folder, and back.
import { basename } from "node:path";
import { RunError } from "../../kernel/errors.ts";
import { RUN_ID_PATTERN } from "../../kernel/ids.ts";
import type { Ports } from "../../ports/ports.ts";
import type { MovedRun } from "../../ports/store-server.ts";
import { stepsOn, type NextStep } from "../../run/next-steps/next-step.ts";
import type { Outcome } from "../outcome.ts";
import { withServer } from "./with-server.ts";

export interface Moved extends MovedRun {
  run_root: string;
  /** Absolute. */
  folder: string;
  /** It was there already, and is the very same run. */
  already?: boolean;
  next: NextStep[];
}

/** Errors: those of the port, and `INTEGRITY_ERROR` beside the result where what was exported does not verify. */
export async function exportRun(ports: Ports, runRoot: string, folder: string): Promise<Outcome<Moved>> {
  const moved = await withServer(ports, (server) => server.exportRun(runRoot, folder));
  const next = [stepsOn(folder)("verify", "check it, where no store is named")];
  const error =
    moved.problems.length === 0
      ? null
      : new RunError("INTEGRITY_ERROR", {
          reason: "it was exported as it is stored, and does not verify",
          run_root: runRoot,
          files: moved.problems,
        });
  return { result: { ...moved, run_root: runRoot, folder, next }, run: null, error };
}

/** Into the runs root, under the name of the folder. Errors: those of the port. */
export async function importRun(ports: Ports, folder: string, runsRoot: string): Promise<Outcome<Moved>> {
  const name = basename(folder);
  if (!RUN_ID_PATTERN.test(name))
    throw new RunError("INVALID_ARGS", { reason: "the folder of a run has the name of the run", path: folder });
  const runRoot = `${runsRoot}/${name}`;
  const moved = await withServer(ports, (server) => server.importRun(folder, runRoot));
  const next = [stepsOn(runRoot)("status", "see its state")];
  return { result: { ...moved, run_root: runRoot, folder, next }, run: await ports.store.look(runRoot), error: null };
}
