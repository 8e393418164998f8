// Makes a driver of one function for each task.
import { assert } from "../kernel/assert.ts";
import type { Driver, TaskKind, Tasks, TaskTools } from "../ports/driver.ts";

export type Performer<K extends TaskKind> = (
  input: Tasks[K]["input"],
  tools: TaskTools,
) => Tasks[K]["result"] | Promise<Tasks[K]["result"]>;
type OfSections = "outline" | "section" | "answer";
type Optional = "draft_plan" | "judge_findings";

/** A driver that writes sections has all three tasks for them, and any other has none. */
export type Performers = { [K in Exclude<TaskKind, OfSections | Optional>]: Performer<K> } & {
  [K in Optional]?: Performer<K>;
} & ({ [K in OfSections]: Performer<K> } | { [K in OfSections]?: undefined });

export function driverOf(id: Driver["id"], version: string, performers: Performers): Driver {
  return {
    id,
    version,
    writesSections: performers.section !== undefined,
    judgesWaves: performers.judge_findings !== undefined,
    draftsPlans: performers.draft_plan !== undefined,
    async perform<K extends TaskKind>(
      kind: K,
      input: Tasks[K]["input"],
      tools: TaskTools,
    ): Promise<Tasks[K]["result"]> {
      tools.signal.throwIfAborted();
      const perform = (performers as { [T in TaskKind]?: Performer<T> })[kind];
      assert(perform !== undefined, "a driver gets only tasks that it has");
      return await perform(input, tools);
    },
  };
}
