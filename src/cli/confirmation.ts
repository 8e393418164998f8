// Asks for confirmation before something is deleted for good. Where no one can confirm, --yes has to be given.
import { RunError, type ErrorFacts } from "../kernel/errors.ts";
import { shellQuote } from "../kernel/shell.ts";
import type { Answer } from "./command.ts";
import type { Host } from "./host.ts";
import { withoutControls } from "./terminal/print.ts";

export interface Question {
  verb: "abort" | "remove" | "prune" | "repair";
  /** The consequences, then the question; [y/N] is added. */
  text: string;
  facts?: ErrorFacts;
}

/** True for yes. Errors: without a terminal `INVALID_ARGS`, which holds the same command line with --yes. */
export async function confirm(
  host: Host,
  isForPrograms: boolean,
  { verb, text, facts = {} }: Question,
): Promise<boolean> {
  const canAsk = !isForPrograms && host.isTerminal("stdin") && host.isTerminal("stderr");
  if (!canAsk)
    throw new RunError("INVALID_ARGS.unconfirmed", {
      reason: `${verb} ${IS_FOR_GOOD[verb]}; add --yes`,
      option: "--yes",
      mended: [...host.argv, "--yes"].map(shellQuote).join(" "),
      ...facts,
    });
  host.write("stderr", withoutControls(`${text} [y/N] `));
  const answer = await host.readLine();
  return answer !== null && /^y(es)?$/i.test(answer.trim());
}

/** The answer of a command that a person did not confirm. */
export function unconfirmed(words: string): Answer {
  return { outcome: { result: null, run: null, error: null }, text: () => words };
}

const IS_FOR_GOOD: Record<Question["verb"], string> = {
  abort: "ends the run permanently",
  remove: "deletes permanently",
  prune: "deletes permanently",
  repair: "of this run drops records of its journal",
};
