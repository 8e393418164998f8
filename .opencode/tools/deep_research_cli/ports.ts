// The ports of the tools: the real ones, with the command line of this folder as the start of every printed command.
import { join } from "node:path";
import { loadConfiguration } from "../../../src/cli/configuration/load.ts";
import { portsConfig, readEnvironment } from "../../../src/cli/configuration/environment.ts";
import { shellQuote } from "../../../src/kernel/shell.ts";
import type { Ports } from "../../../src/ports/ports.ts";
import { realHost } from "../../../src/system/host.ts";
import { makePorts } from "../../../src/wiring.ts";

const CLI_FILE = join(import.meta.dir, "../../pai-tools/deep-research-cli.ts");
const cliInvocation = `bun ${shellQuote(CLI_FILE)}`;

/** For tools that read no corpus and ask no model: they need neither an index nor the configuration. */
export function toolPorts(): Ports {
  return makePorts({ indexFolder: null, cliInvocation });
}

/** For tools that work on a run: with the index, the providers and the prices that the user configured. */
export async function workingPorts(): Promise<Ports> {
  const host = { ...realHost, cliInvocation };
  const configuration = await loadConfiguration(host, {});
  return makePorts(portsConfig(host, readEnvironment(host, configuration), configuration));
}
