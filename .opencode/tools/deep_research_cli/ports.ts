// The ports of the tools: the real ones, with the command line of this folder as the start of every printed command.
import { join } from "node:path";
import { shellQuote } from "../../../src/kernel/shell.ts";
import type { Ports } from "../../../src/ports/ports.ts";
import { makePorts } from "../../../src/wiring.ts";

const CLI_FILE = join(import.meta.dir, "../../pai-tools/deep-research-cli.ts");

/** None of the tools reads a corpus, so no index folder is needed. */
export function toolPorts(): Ports {
  return makePorts({ indexFolder: null, cliInvocation: `bun ${shellQuote(CLI_FILE)}` });
}
