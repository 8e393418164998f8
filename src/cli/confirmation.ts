// Asks before something is gone for good; where nobody can be asked, only --yes goes on.
import { RunError, type ErrorFacts } from "../kernel/errors.ts";
import type { Host } from "./host.ts";

export interface Question {
  /** What is asked for, as `abort` or `remove`. */
  verb: string;
  /** What it means, in lines of its own; a question with [y/N] follows. */
  text: string;
  facts?: ErrorFacts;
}

/** Errors: `INVALID_ARGS` where nobody can be asked, and when the answer is not yes. */
export async function confirm(host: Host, isForPrograms: boolean, { verb, text, facts = {} }: Question): Promise<void> {
  const canAsk = !isForPrograms && host.isTerminal("stdin") && host.isTerminal("stderr");
  if (!canAsk)
    throw new RunError("INVALID_ARGS", {
      reason: `${verb} is for good: confirm with --yes`,
      option: "--yes",
      ...facts,
    });
  host.write("stderr", `${text} [y/N] `);
  const answer = await host.readLine();
  if (answer === null || !/^y(es)?$/i.test(answer.trim()))
    throw new RunError("INVALID_ARGS", { reason: `not confirmed: ${verb} changed nothing`, ...facts });
}
