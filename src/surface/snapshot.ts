// The snapshot of a run that a surface shows: the result of `status` and the next commands.
import type { Standing } from "../operations/look/conditions.ts";
import type { StatusResult } from "../operations/look/status.ts";
import { forPrograms, type WriteStep } from "./advice.ts";

export type Snapshot = StatusResult & Pick<Standing, "condition"> & { since: string; next_commands: string[] };

export function snapshotOf(status: StatusResult, standing: Standing, write: WriteStep): Snapshot {
  const { condition, why, next_commands } = forPrograms(write, standing);
  return { ...status, condition, since: why.since, next_commands };
}
