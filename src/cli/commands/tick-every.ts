// `tick --all`: one tick of every run that can continue; the exit status is the highest that any of them had.
import { tickAll, type TickAllResult } from "../../operations/change/tick-all.ts";
import type { Outcome } from "../../operations/outcome.ts";
import type { Answer, CommandContext } from "../command.ts";
import { sentenceFor } from "../../surface/error-table.ts";
import { exitOf } from "../exits.ts";
import { stopText } from "../text/run-text.ts";
import type { Style } from "../terminal/style.ts";
import { columns, oneLine } from "../terminal/layout.ts";

export async function tickEvery(context: CommandContext, jobs: number): Promise<Answer> {
  const { result, run } = await tickAll(
    context.ports,
    context.runsRoot(),
    { jobs },
    await context.observe(),
    await context.takeSignals(),
  );
  return { outcome: { result, run, error: worstError(result) }, text: (style) => tickedText(result, style) };
}

/** The error with the highest exit status, and how many runs had one. */
function worstError({ runs }: TickAllResult): Outcome<unknown>["error"] {
  const failed = runs.flatMap(({ run_id, run_root, error }) => (error === null ? [] : [{ run_id, run_root, error }]));
  const worst = failed.reduce<(typeof failed)[number] | null>(
    (found, one) => (found === null || exitOf(one.error) > exitOf(found.error) ? one : found),
    null,
  );
  if (worst === null) return null;
  const { run_id, run_root, error } = worst;
  return error.with({ run_id, run_root, runs_with_errors: failed.length });
}

function tickedText({ runs }: TickAllResult, style: Style): string {
  if (runs.length === 0) return "no run can continue by itself\n";
  return columns(
    runs.map(({ run_id, outcome, stage, error }) => [
      style.bold(run_id),
      tickedWords(outcome, stage),
      error === null ? "" : style.warn(`${error.code}: ${oneLine(sentenceFor(error), 120)}`),
    ]),
  );
}

function tickedWords(outcome: string, stage: string | null): string {
  if (outcome === "busy") return "another process works on it";
  if (outcome === "not_answering") return "passed by: the process that works on it does not answer";
  return stage === null ? outcome : stopText(outcome, stage);
}
