// The object of --json for the answer of a command.
import type { Outcome } from "../operations/outcome.ts";
import { type Envelope, envelopeOf } from "../surface/envelope.ts";
import type { ToldError } from "../surface/told-error.ts";
import type { Known } from "./context.ts";
import type { Host } from "./host.ts";

export function envelopeOfAnswer(
  { cliInvocation }: Pick<Host, "cliInvocation">,
  { result, run: look }: Outcome<unknown>,
  failure: ToldError | null,
  { command, runRoot }: Pick<Known, "command" | "runRoot">,
): Envelope {
  const run = look !== null ? { look } : runRoot === null ? null : { runRoot };
  return envelopeOf({ command, cliInvocation, run, result, error: failure?.error ?? null });
}
