// A process that works on a run and is slow at one step, as long as a test wants: meanwhile it holds the lease.
import { runRun } from "../../src/operations/change/run-run.ts";
import type { Outcome, RunResult } from "../../src/operations/outcome.ts";
import type { Driver } from "../../src/ports/driver.ts";
import type { TaskRun } from "./task-run.ts";

export interface SlowRun {
  /** The slow step goes on, and the process comes to its end. */
  end(): Promise<Outcome<RunResult>>;
}

/** Resolves once the step is held up and so many others wait for answers. */
export async function slowAt(task: TaskRun, step: string, others: number): Promise<SlowRun> {
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
  const loadDriver = async (...asked: Parameters<typeof task.ports.loadDriver>): Promise<Driver> => {
    const driver = await task.ports.loadDriver(...asked);
    const perform: Driver["perform"] = async (kind, input, tools) => {
      if (tools.step === step) {
        hold();
        await isFree;
      }
      return await driver.perform(kind, input, tools);
    };
    return { ...driver, perform };
  };
  const working = runRun({ ...task.ports, loadDriver }, task.runRoot, {}, {});
  await isHeld;
  while ((await task.waiting()).length < others) await Bun.sleep(2);
  return {
    async end() {
      free();
      return await working;
    },
  };
}
