// Builds what a command works with from the process, the environment and the common options.
import { resolve } from "node:path";
import { locateRun } from "../operations/locate-run.ts";
import type { Observer } from "../operations/outcome.ts";
import type { CommandContext } from "./command.ts";
import { readEnvironment } from "./environment.ts";
import type { Host } from "./host.ts";
import type { CommonValues } from "./options.ts";
import type { Known, MakePorts } from "./program.ts";

export interface OwnedContext extends CommandContext {
  /** Takes the live line off the terminal. */
  endProgress(): void;
  /** Errors: `WRITE_FAILED` when an event could not be written while the work went on. */
  refuseLostEvents(): void;
}

interface Display {
  observer: Observer;
  end(): void;
  refuseLostEvents?(): void;
}

export async function makeContext(
  host: Host,
  makePorts: MakePorts,
  common: CommonValues & { jsonl?: boolean },
  known: Known,
): Promise<OwnedContext> {
  const environment = readEnvironment(host);
  const ports = await makePorts({ indexFolder: environment.indexFolder, cliInvocation: host.cliInvocation });
  known.ports = ports;
  const absolute = (path: string): string => resolve(host.workingFolder, path);
  const runsRoot = (): string => (common.runsRoot === undefined ? environment.runsRoot() : absolute(common.runsRoot));
  let display: Display | null = null;
  return {
    host,
    ports,
    environment,
    absolute,
    runsRoot,
    async locate(selected, operands, prefer = "newest") {
      const [ref] = operands;
      const { manifest, runRoot, runId } = selected;
      const isByPath = runRoot !== undefined || manifest !== undefined || ref?.includes("/") === true;
      const found = await locateRun(
        ports,
        {
          // A path needs no runs root, and so works without HOME.
          runsRoot: isByPath ? "" : runsRoot(),
          ...(ref === undefined ? {} : { ref: ref.includes("/") ? absolute(ref) : ref }),
          ...(manifest === undefined ? {} : { manifestPath: absolute(manifest) }),
          ...(runRoot === undefined ? {} : { runRoot: absolute(runRoot) }),
          ...(runId === undefined ? {} : { runId }),
        },
        prefer,
      );
      known.runRoot = found;
      return found;
    },
    async observe() {
      display = await displayFor(host, ports, common);
      return display?.observer ?? {};
    },
    async takeSignals() {
      return (await import("./signals.ts")).takeSignals(host);
    },
    endProgress: () => display?.end(),
    refuseLostEvents: () => display?.refuseLostEvents?.(),
  };
}

async function displayFor(
  host: Host,
  ports: CommandContext["ports"],
  common: CommonValues & { jsonl?: boolean },
): Promise<Display | null> {
  if (common.jsonl === true) return (await import("./event-display.ts")).eventDisplay(host);
  if (common.json || common.quiet) return null;
  const { styleOn } = await import("./style.ts");
  return (await import("./progress.ts")).progressDisplay(host, ports.clock, await styleOn(host, "stderr", common));
}
