// A driver from what performs each of its tasks.
import type { Driver, TaskKind, Tasks, TaskTools } from "../ports/driver.ts";

export type Performers = {
  [K in TaskKind]: (input: Tasks[K]["input"], tools: TaskTools) => Tasks[K]["result"] | Promise<Tasks[K]["result"]>;
};

export function driverOf(id: Driver["id"], version: string, performers: Performers): Driver {
  return {
    id,
    version,
    async perform<K extends TaskKind>(
      kind: K,
      input: Tasks[K]["input"],
      tools: TaskTools,
    ): Promise<Tasks[K]["result"]> {
      tools.signal.throwIfAborted();
      return await performers[kind](input, tools);
    },
  };
}
