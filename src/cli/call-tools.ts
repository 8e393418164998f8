// The tools with which a surface asks commands: short ones run in this process, long ones in processes of their own.
import type { CallTools } from "../surface/command-calls.ts";
import { findCommand } from "./command-table.ts";
import type { CommandContext } from "./command.ts";
import { envelopeWithin } from "./envelope-within.ts";
import { type CommonValues, flagName, type OptionTable } from "./options/options.ts";

export async function callTools({ host, ports, runsRoot }: CommandContext, values: CommonValues): Promise<CallTools> {
  const { CommandProcesses } = await import("../surface/command-processes.ts");
  return {
    processes: new CommandProcesses((...asked) => host.startOwnProcess(...asked)),
    ask: (argv) => envelopeWithin({ ...host, argv }, () => ports),
    optionsOf,
    common: commonWords(values),
    ports,
    runsRoot,
  };
}

async function optionsOf(name: string): Promise<OptionTable> {
  const { command: found } = (await findCommand(name)?.load()) ?? {};
  return found?.options ?? {};
}

/** The options about runs and configuration that the surface was started with: each command that it asks gets them, too. */
function commonWords({ runsRoot, config, trustWorkspace }: CommonValues): string[] {
  const given = Object.entries({ runsRoot, config }).filter(([, value]) => value !== undefined);
  return [
    ...given.map(([key, value]) => `${flagName(key)}=${value}`),
    ...(trustWorkspace ? [flagName("trustWorkspace")] : []),
  ];
}
