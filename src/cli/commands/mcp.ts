// deep-research mcp
import { envelopeWithin } from "../envelope-within.ts";
import { findCommand } from "../command-table.ts";
import { defineCommand } from "../command.ts";
import { BAD_USAGE } from "../exits.ts";
import type { Host } from "../host.ts";
import { flagName, refuseOptions, type CommonValues, type OptionTable } from "../options/options.ts";

export const command = defineCommand({
  description:
    "Speaks the Model Context Protocol over stdin and stdout with the agent that started it. Each tool is a command: the command's options are its arguments (max_rounds for --max-rounds), and the object of --json is its result. Work that a tool began goes on when the agent or the server ends.",
  seeAlso: ["start", "status", "report show", "doctor"],
  options: {},
  examples: [
    ["mcp", "what the configuration of an agent starts"],
    ["mcp --runs-root /data/runs", "for the runs of another folder"],
  ],
  notes: [
    "Tools\n  run_start run_tick run_status run_inspect run_triage run_resume run_pause run_abort agent_result report_show search",
  ],
  exits: [
    [0, "the agent has left, or a first Ctrl-C or SIGTERM ended the server; runs go on"],
    BAD_USAGE,
    [130, "a second Ctrl-C"],
    [143, "a second SIGTERM"],
  ],
  async run(context, values) {
    refuseOptions(values, ["json"], "goes with the other commands: over stdout mcp speaks its protocol");
    const { host, ports, runsRoot } = context;
    if (host.isTerminal("stdin"))
      host.write("stderr", "it waits for the messages of an agent; how to set one up stands in docs/mcp.md\n");
    const { interrupt, terminate } = await context.takeSignals();
    const { serveMcp } = await import("../../mcp/server.ts");
    const tools = {
      streams: host.protocolStreams(),
      startOwnProcess: ((...asked) => host.startOwnProcess(...asked)) satisfies Host["startOwnProcess"],
      ask: (argv: readonly string[]) => envelopeWithin({ ...host, argv }, () => ports),
      optionsOf,
      common: commonWords(values),
      ports,
      runsRoot,
      log: (line: string) => host.write("stderr", `${line}\n`),
    };
    await serveMcp(tools, AbortSignal.any([interrupt, terminate]));
    return { outcome: { result: null, run: null, error: null }, text: () => "" };
  },
});

async function optionsOf(name: string): Promise<OptionTable> {
  const { command: found } = (await findCommand(name)?.load()) ?? {};
  return found?.options ?? {};
}

/** What the server was told of runs and configuration, for the commands that it starts in its folder. */
function commonWords({ runsRoot, config, trustWorkspace }: CommonValues): string[] {
  const given = Object.entries({ runsRoot, config }).filter(([, value]) => value !== undefined);
  return [
    ...given.map(([key, value]) => `${flagName(key)}=${value}`),
    ...(trustWorkspace ? [flagName("trustWorkspace")] : []),
  ];
}
