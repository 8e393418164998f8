// Reports a failure: one JSON object for programs; facts and a next step, never a stack, for people.
import { type ErrorReport, errorReportOfRun } from "../surface/error-report.ts";
import { asCommands } from "../surface/advice.ts";
import { shownLine } from "../kernel/shown-text.ts";
import { nextText } from "./text/next-text.ts";
import { asksForJson } from "./options/arguments.ts";
import { type Envelope, envelopeOf } from "../surface/envelope.ts";
import { isFault } from "../kernel/errors.ts";
import { exitOf } from "./exits.ts";
import { factLines, isNothing, isSaidIn, problemLines, problemsIn, shownFact } from "../surface/fact-words.ts";
import type { Host } from "./host.ts";
import type { Known } from "./context.ts";
import { tryToPrint, withoutControls } from "./terminal/print.ts";
import { type Style, styleOn } from "./terminal/style.ts";
import { typedError } from "../kernel/typed-error.ts";
import { withBudgetInWords } from "../surface/usage-words.ts";
import { wrappedBehind } from "./terminal/layout.ts";

/** Prints what was thrown and returns its exit status. */
export async function reportFailure(host: Host, thrown: unknown, known: Known): Promise<number> {
  const failure = typedError(thrown);
  const { report, envelope } = await failureReport(host, thrown, known);
  // Where stdout is what failed, the failure is reported on stderr.
  const isOfStdout = isFault(failure, "WRITE_FAILED") && failure.facts.stream === "stdout";
  const isForPrograms = asksForJson(host.argv) && !isOfStdout;
  const isPrinted = isForPrograms && tryToPrint(host, "stdout", `${JSON.stringify(envelope)}\n`);
  if (!isPrinted) explain(host, report, await styleOn(host, "stderr", known));
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  if (host.environment["DEEP_RESEARCH_DEBUG"] === "1") tryToPrint(host, "stderr", `${stack}\n`);
  return exitOf(failure);
}

/** What was thrown, in words and as the object of --json. */
export async function failureReport(
  host: Pick<Host, "cliInvocation">,
  thrown: unknown,
  { command, ports, runRoot: known, write = asCommands(host) }: Pick<Known, "command" | "ports" | "runRoot" | "write">,
): Promise<{ report: ErrorReport; envelope: Envelope }> {
  const failure = typedError(thrown);
  const { run_root: runRoot = known, run_id: runId } = failure.facts;
  const about = command === "" ? failure : failure.with({ command });
  // A run that cannot be read is no second failure: the first one is reported.
  const run = runRoot === null ? null : ((await ports?.store.look(runRoot).catch(() => null)) ?? null);
  const report = await errorReportOfRun(about, write, runRoot ?? undefined, run, ports);
  const { cliInvocation } = host;
  return {
    report,
    envelope: envelopeOf({ command, cliInvocation, write, run, runRoot, runId, result: null, error: report.error }),
  };
}

// --- for people ---------------------------------------------------------------------------------------------------

const MAX_FACTS = 12;
const MAX_FILES = 20;

/** Said in other words already, or no use to people. */
const UNSHOWN_FACTS = new Set([
  "reason",
  "command",
  "did_you_mean",
  "help",
  "retryable",
  "goes_on",
  "unreachable",
  "files",
  "checked",
  "run_root",
  "stream",
  "repaired",
  "journal_lost",
  "run_roots",
  "mended",
  "trust",
  "may_be_allowed",
  "vanished",
  "missing",
]);

/** Facts that are not listed again when the message holds them. */
const NAMED_FACTS = new Set([
  "path",
  "output",
  "option",
  "found",
  "address",
  "expected",
  "variable",
  "file",
  "key",
  "line",
  "column",
]);

export function explain(host: Host, { error, advice }: ErrorReport, style: Style): void {
  const { code, message, details } = error;
  const lines = [`${style.bad("error:")} ${shownLine(message)} ${style.dim(`[${code}]`)}`];
  const isSaid = (key: string, value: unknown): boolean =>
    UNSHOWN_FACTS.has(key) || (NAMED_FACTS.has(key) && message.includes(String(value)));
  const facts = Object.entries(withBudgetInWords(details)).filter(
    ([key, value]) => !isSaid(key, value) && !isNothing(value) && !isSaidIn(message, value),
  );
  for (const [key, value] of facts.slice(0, MAX_FACTS)) {
    const name = key.replaceAll("_", " ");
    const own = factLines(key, value);
    if (own === null) lines.push(`  ${name}: ${shownFact(key, value)}`);
    else lines.push(`  ${name}:`, ...own.map((line) => `    ${line}`));
  }
  const files = problemsIn(details);
  for (const file of files.slice(0, MAX_FILES)) lines.push(...problemLines(file).map((line) => `  ${line}`));
  if (files.length > MAX_FILES) lines.push(`  and ${files.length - MAX_FILES} more (--json lists all)`);
  const report = lines.map((line) => wrappedBehind(line, style.width));
  tryToPrint(host, "stderr", withoutControls(`${report.join("\n")}\n${nextText(advice, style)}`));
}
