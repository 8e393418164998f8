// Runs a command for another surface in this process, and returns the object that it would print with --json.
import { assert } from "../kernel/assert.ts";
import { asCommands } from "../surface/advice.ts";
import { type Envelope, envelopeOf } from "../surface/envelope.ts";
import { toldOfRun } from "../surface/told-error.ts";
import { findCommand } from "./command-table.ts";
import { type Known, makeContext, type MakePorts } from "./context.ts";
import { toldFailure } from "./failure.ts";
import type { Host } from "./host.ts";
import { splitCommandLine } from "./options/arguments.ts";
import { readCommandLine } from "./program.ts";

/** Runs the command in the argv of this host; never throws. */
export async function envelopeWithin(host: Host, makePorts: MakePorts): Promise<Envelope> {
  const { name, rest } = splitCommandLine(host.argv);
  const known: Known = { command: name, ports: null, runRoot: null, noColor: true, idsFoundIn: null };
  try {
    const entry = findCommand(name);
    assert(entry !== undefined, `there is no command ${name}`);
    const { command } = await entry.load();
    const { values, operands } = await readCommandLine(name, command, rest);
    const context = await makeContext(host, makePorts, values, command, known);
    const { outcome } = await command.run(context, { ...values }, operands);
    const { error, run } = outcome;
    const failure = error === null ? null : await toldOfRun(error, asCommands(host), run?.runRoot, run, context.ports);
    const { cliInvocation } = host;
    const { runRoot } = known;
    return envelopeOf({ ...outcome, command: name, cliInvocation, runRoot, error: failure?.error ?? null });
  } catch (error) {
    return (await toldFailure(host, error, known)).envelope;
  }
}
