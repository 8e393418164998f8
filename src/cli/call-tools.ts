// The tools with which a surface asks commands: short ones run in this process, long ones in processes of their own.
import type { CallTools } from "../surface/command-calls.ts";
import { findCommand } from "./command-table.ts";
import type { AgentTrust } from "./agent-trust.ts";
import type { CommandContext } from "./command.ts";
import { envelopeWithin } from "./envelope-within.ts";
import { flagName, type FieldTable } from "../kernel/field.ts";
import { type CommonValues } from "./options/options.ts";

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

/** The tools of a server for agents, who may not say all that a user may, unless they are trusted. */
export async function agentTools(
  context: CommandContext,
  values: CommonValues & { trust_agent: boolean },
  trust: AgentTrust,
): Promise<CallTools> {
  const tools = await callTools(context, values);
  if (values.trust_agent) return tools;
  const { AgentJudge } = await import("./agent-trust.ts");
  const judge = new AgentJudge(context, values, trust);
  return { ...tools, judge: async (...asked) => await judge.judge(...asked) };
}

async function optionsOf(name: string): Promise<FieldTable> {
  const { command: found } = (await findCommand(name)?.load()) ?? {};
  return found?.options ?? {};
}

/** The options about runs and configuration that the surface was started with: each command that it asks gets them, too. */
function commonWords({ runs_root, config, trust_workspace }: CommonValues): string[] {
  const given = Object.entries({ runs_root, config }).filter(([, value]) => value !== undefined);
  return [
    ...given.map(([key, value]) => `${flagName(key)}=${value}`),
    ...(trust_workspace ? [flagName("trust_workspace")] : []),
  ];
}
