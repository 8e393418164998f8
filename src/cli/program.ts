// Chooses the command from argv, runs it, prints its answer and returns the exit status.
import { RunError } from "../kernel/errors.ts";
import { asksForJson, requestedHelp, type RawArguments, valuesOf } from "./options/arguments.ts";
import { splitCommandLine } from "./command-table.ts";
import { type Answer, type AnyCommand, flagsOf } from "./command.ts";
import { COMMANDS, commandsWith, findCommand } from "./command-table.ts";
import { answerAndShow } from "./answer.ts";
import type { Known, MakePorts } from "./context.ts";
import { REQUEST_ON_STDIN } from "../surface/verb-request.ts";
import type { HelpAnswer } from "./help/help.ts";
import type { Host } from "./host.ts";
import { completed, type FieldTable, without } from "../kernel/field.ts";
import { readArguments } from "./options/commander-arguments.ts";
import { COMMON, type CommonValues, EVENTS, runNamed, SELECTOR } from "./options/options.ts";
import { print } from "./terminal/print.ts";

/** Called while the command is being loaded. */
export interface LoadPorts {
  (): Promise<MakePorts>;
}

/** Never throws: whatever happens becomes an exit status and, on stderr or in JSON, an account of it. */
export async function runCli(host: Host, loadPorts: LoadPorts): Promise<number> {
  const known: Known = {
    command: "",
    ports: null,
    runRoot: null,
    noColor: host.argv.includes("--no-color"),
    idsFoundIn: null,
  };
  try {
    return await dispatch(host, loadPorts, known);
  } catch (error) {
    const { reportFailure } = await import("./failure.ts");
    return await reportFailure(host, error, known);
  }
}

async function dispatch(host: Host, loadPorts: LoadPorts, known: Known): Promise<number> {
  if (host.argv[0] === REQUEST_ON_STDIN)
    return await (await import("./perform.ts")).answerRequest(host, loadPorts, COMMANDS, known);
  const { name, rest } = splitCommandLine(host.argv);
  const entry = findCommand(name);
  if (entry === undefined) {
    const { answerWithoutCommand } = await import("./help/help.ts");
    return await printHelp(host, await answerWithoutCommand(name, rest, host.columns("stdout")));
  }
  known.command = name;
  const length = requestedHelp(rest);
  if (length !== null) {
    const [{ command }, { commandHelp }] = await Promise.all([entry.load(), import("./help/help.ts")]);
    return await printHelp(host, commandHelp(name, command, length, host.columns("stdout")));
  }
  // All at once: a short command spends most of its time on reading its files.
  const [{ command }, { makeContext }, makePorts] = await Promise.all([
    entry.load(),
    import("./context.ts"),
    loadPorts(),
  ]);
  const { common, input, options } = await readCommandLine(name, command, rest);
  const context = await makeContext(host, makePorts, common, command, known, COMMANDS);
  const ask = async (): Promise<Answer> => await command.run(context, await command.readInput(context, input, options));
  return await answerAndShow(host, context, ask, known);
}

/** What argv says. Errors: `INVALID_ARGS` that names the option. */
async function readCommandLine(
  name: string,
  command: AnyCommand,
  argv: readonly string[],
): Promise<{
  common: CommonValues & { jsonl?: boolean };
  input: Readonly<Record<string, unknown>>;
  options: Readonly<Record<string, unknown>>;
}> {
  const { operand, fields } = command;
  const flags = { ...COMMON, ...flagsOf(command) };
  const raw = await readArgv(name, flags, operand, argv);
  const values = valuesOf(flags, raw);
  refuseTwoFormats(values);
  const said = picked(values, fields);
  const { operands } = raw;
  if (operand?.name === "run") said["run"] = runNamed(operands[0], picked(values, without(SELECTOR, fields)));
  else if (operand !== undefined)
    said[operand.name] = operand.most > 1 && operand.behind === undefined ? operands : operands[0];
  if (operand?.behind !== undefined) said[operand.behind] = operands[1];
  return {
    common: picked(values, { ...COMMON, ...EVENTS }) as unknown as CommonValues & { jsonl?: boolean },
    input: completed(fields, said),
    options: picked(values, command.options),
  };
}

function picked(values: Readonly<Record<string, unknown>>, fields: FieldTable): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(fields, name)));
}

/** Errors: `INVALID_ARGS`; for an unknown option with the commands that have it. */
async function readArgv(...args: Parameters<typeof readArguments>): Promise<RawArguments> {
  try {
    return readArguments(...args);
  } catch (error) {
    if (!(error instanceof RunError) || error.facts.option === undefined) throw error;
    const taken_by = await commandsWith(error.facts.option);
    throw taken_by.length === 0 ? error : error.with({ taken_by });
  }
}

async function printHelp(host: Host, { command, text, result }: HelpAnswer): Promise<0> {
  if (!asksForJson(host.argv)) print(host, text);
  else {
    const { envelopeOf } = await import("../surface/envelope.ts");
    const envelope = envelopeOf({ command, cliInvocation: host.cliInvocation, run: null, result, error: null });
    print(host, `${JSON.stringify(envelope)}\n`);
  }
  return 0;
}

/** The last line of --jsonl is the object of --json, so there is no meaning for both. */
function refuseTwoFormats({ json, jsonl }: { json: boolean; jsonl?: boolean }): void {
  if (json && jsonl === true)
    throw new RunError("INVALID_ARGS", {
      reason: "--json and --jsonl exclude each other: the last line of --jsonl is the object of --json",
      option: "--jsonl",
    });
}
