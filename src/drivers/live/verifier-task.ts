// Asks the verifying model, and goes by what it says or that it failed; a conversation that came to no end is not asked again.
import { RunError } from "../../kernel/errors.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { TaskTools } from "../../ports/driver.ts";
import { performTask, type Handed, type ModelTask } from "./task-loop.ts";

/** At a verifier that fails for a moment. */
const MAX_TRIES = 3;
const MAX_REASON = 400;

/** Why there is no answer of the verifier. */
export interface Unanswered {
  failed: string;
}

/**
 * What is stored of a conversation stays: another try, or another attempt at the step, goes on from there. One that ended
 * without a result would end so again: what asks later asks in a new one.
 */
export async function askVerifier<T>(
  task: Omit<ModelTask<T>, "role" | "tools">,
  tools: TaskTools,
): Promise<Handed<T> | Unanswered> {
  for (let [tries, conversation] = [1, 1]; ;) {
    const name = conversation === 1 ? task.name : `${task.name}:${conversation}`;
    try {
      return await performTask<T>({ ...task, name, role: "verifier", tools: [] }, tools);
    } catch (error) {
      if (!(error instanceof RunError) || error.code !== "MODEL_FAILED") throw error;
      const { goes_on, kind, asked, reason } = error.facts;
      if (goes_on !== true && asked === 0) conversation++;
      else if (goes_on === true && kind !== "rate_limited" && tries < MAX_TRIES) tries++;
      else return { failed: shortened(`the verifier failed: ${String(reason)}`, MAX_REASON) };
    }
  }
}
