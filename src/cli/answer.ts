// Runs a command and prints its answer: words for people, one object for programs. It does not depend on which command it is.
import { RunError } from "../kernel/errors.ts";
import type { ErrorReport } from "../surface/error-report.ts";
import type { Answer } from "./command.ts";
import type { Known, OwnedContext } from "./context.ts";
import { exitOf } from "./exits.ts";
import type { Host } from "./host.ts";
import { print, printText, withoutControls } from "./terminal/print.ts";

/** The exit status. */
export async function answerAndShow(
  host: Host,
  context: OwnedContext,
  ask: () => Promise<Answer>,
  known: Known,
): Promise<number> {
  try {
    const answer = await answerOf(context, ask);
    const reading = context.readingEnd();
    if (reading === "given up") return statusOf(answer);
    if (reading === "reader left") return await showNothing(host, context, answer);
    return await show(host, context, answer, known);
  } finally {
    await context.endTelemetry();
    await context.reportHalts();
  }
}

/** Ends the display before anything else is printed, also when the command failed. */
async function answerOf(context: OwnedContext, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } finally {
    // Neither waits for the other: a reader may stall, and the program of on_halt may take long.
    void context.reportHalts();
    await context.endDisplay();
  }
}

async function show(host: Host, context: OwnedContext, answer: Answer, known: Known): Promise<number> {
  const { common } = context;
  const { outcome, text, bytes, note } = answer;
  if (answer.isPrinted === true) return statusOf(answer);
  const failure = await failureIn(context, answer);
  if (common.json || common.jsonl === true) {
    const { envelopeOf } = await import("../surface/envelope.ts");
    const { command, runRoot } = known;
    const { cliInvocation } = host;
    const error = failure?.error ?? null;
    const envelope = envelopeOf({ ...outcome, command, cliInvocation, write: context.write, runRoot, error });
    try {
      print(host, `${JSON.stringify(envelope)}\n`);
    } catch (thrown) {
      const { hasReaderLeft } = await import("./terminal/event-display.ts");
      const isOver = common.jsonl === true && thrown instanceof RunError && hasReaderLeft(thrown.cause);
      if (!isOver) throw thrown;
      return await showNothing(host, context, answer);
    }
  } else {
    const words = bytes === undefined ? await text(await context.styleOn("stdout")) : "";
    if (bytes !== undefined) print(host, bytes);
    if (words !== "") printText(host, words.endsWith("\n") ? words : `${words}\n`);
    const noteText = common.quiet ? null : (note?.(await context.styleOn("stderr")) ?? null);
    if (noteText !== null) host.write("stderr", withoutControls(`${noteText}\n`));
    if (failure !== null) (await import("./failure.ts")).explain(host, failure, await context.styleOn("stderr"));
  }
  return statusOf(answer);
}

function statusOf({ outcome: { error } }: Answer): number {
  return error === null ? 0 : exitOf(error);
}

async function failureIn(
  { ports, write }: OwnedContext,
  { outcome: { error, run } }: Answer,
): Promise<ErrorReport | null> {
  if (error === null) return null;
  const { errorReportOfRun } = await import("../surface/error-report.ts");
  return await errorReportOfRun(error, write, run?.runRoot, run, ports);
}

/** The reader of the events has left. The exit status still is the result of the work. */
async function showNothing(host: Host, context: OwnedContext, answer: Answer): Promise<number> {
  if (!context.common.quiet) host.write("stderr", "the reader of the events left; the work continued without one\n");
  const failure = await failureIn(context, answer);
  if (failure !== null) (await import("./failure.ts")).explain(host, failure, await context.styleOn("stderr"));
  return statusOf(answer);
}
