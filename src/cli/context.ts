// Builds what a command works with from the process, the environment and the common options.
import { given } from "../kernel/given.ts";
import { isAbsolute, resolve } from "node:path";
import type { Ports } from "../ports/ports.ts";
import type { PortsConfig } from "../wiring.ts";
import { findRun } from "../operations/look/locate-run.ts";
import type { StopSignals } from "../operations/options.ts";
import { asCommands, type WriteStep } from "../surface/advice.ts";
import type { AnyCommand, CommandContext, Commands } from "./command.ts";
import { Configuration } from "./configuration/configuration.ts";
import { loadConfiguration } from "./configuration/load.ts";
import { type Environment, portsConfig, readEnvironment, TELEMETRY_VARIABLE } from "./configuration/environment.ts";
import { namedStore } from "./configuration/store.ts";
import type { Host } from "./host.ts";
import { COMMON, type CommonValues } from "./options/options.ts";
import type { EventDisplay } from "./terminal/event-display.ts";
import type { OutputQueue } from "./terminal/output-queue.ts";
import type { ProgressDisplay } from "./terminal/progress.ts";
import type { TelemetryWatch } from "./telemetry-watch.ts";

/** What is configured of how answers are shown. */
const SHOWN = { quiet: COMMON.quiet, no_color: COMMON.no_color };

export interface MakePorts {
  (config: PortsConfig): Ports | Promise<Ports>;
}
/** What is known so far: a failure is reported with it. */
export interface Known {
  command: string;
  ports: Ports | null;
  runRoot: string | null;
  noColor: boolean;
  /** The runs root in which an id is found from any folder; null where only a path names a run. */
  idsFoundIn: string | null;
  /** How next steps are written; as commands by default. */
  write?: WriteStep;
}

export interface OwnedContext extends CommandContext {
  /** Runs `on_halt` once for each halt that was raised; never fails. */
  reportHalts(): Promise<void>;
  /** Sends the telemetry that still waits; never fails. */
  endTelemetry(): Promise<void>;
  /**
   * Takes the live lines off the terminal, and waits until everything that was shown is written, or, once a signal came,
   * until a reader stalls.
   */
  endDisplay(): Promise<void>;
  /**
   * How the reader of the events ended. `given up`: a signal came while it stalled, so no more text would be read. Errors: `WRITE_FAILED`
   * when an event could not be written to a reader who is still there.
   */
  readingEnd(): ReturnType<EventDisplay["readingEnd"]>;
}

type Display = ProgressDisplay & Partial<EventDisplay>;

export async function makeContext(
  host: Host,
  makePorts: MakePorts,
  values: CommonValues & { jsonl?: boolean },
  command: AnyCommand,
  known: Known,
  commands: Commands,
): Promise<OwnedContext> {
  const surroundings = command.withoutConfiguration === true ? withoutVariables(host) : host;
  const configuration =
    command.withoutConfiguration === true ? new Configuration(surroundings) : await loadConfiguration(host, values);
  const common = { ...values, ...configuration.supplement(SHOWN, values) };
  known.noColor = common.no_color;
  const store = namedStore(host, values, configuration);
  const environment = readEnvironment(surroundings, configuration, store);
  known.idsFoundIn = rootOfIds(surroundings, environment, configuration);
  const ports = await makePorts({ ...portsConfig(host, environment, configuration), ...given({ store }) });
  known.ports = ports;
  const absolute = (path: string): string => resolve(host.workingFolder, path);
  const runsRoot = (): string => (common.runs_root === undefined ? environment.runsRoot() : absolute(common.runs_root));
  const onHalt = configuration.inFiles("on_halt")?.value as readonly string[] | undefined;
  const halts = onHalt === undefined ? null : new (await import("./halt-watch.ts")).HaltWatch(onHalt);
  let display: Display | null = null;
  let stderr: OutputQueue | null = null;
  let signals: StopSignals | null = null;
  let telemetry: TelemetryWatch | null = null;
  let reported: Promise<void> | null = null;
  const stopSignal = (): AbortSignal | undefined =>
    signals === null ? undefined : AbortSignal.any([signals.interrupt, signals.terminate]);
  const find: CommandContext["find"] = async (run, prefer = "newest") => {
    // A path needs no runs root, and so works without HOME.
    const selector =
      run?.includes("/") === true
        ? { runsRoot: "", ref: absolute(run) }
        : { runsRoot: runsRoot(), ...given({ ref: run }) };
    const found = await findRun(ports, selector, prefer);
    known.runRoot = found.runRoot;
    return found;
  };
  return {
    host,
    ports,
    environment,
    configuration,
    common,
    commands,
    write: known.write ?? asCommands(host),
    absolute,
    runsRoot,
    find,
    locate: async (...named) => (await find(...named)).runRoot,
    async observe() {
      const { OutputQueue } = await import("./terminal/output-queue.ts");
      const queue = (stderr ??= new OutputQueue({ host, stream: "stderr", clock: ports.clock }));
      display = await displayFor(host, queue, ports, common, known);
      const shown = display?.observer ?? {};
      telemetry ??= await telemetryOf(host, queue, portsConfig(host, environment, configuration).allowedHosts ?? []);
      const observer = telemetry?.observing(shown) ?? shown;
      return {
        ...(halts?.observing(observer) ?? observer),
        whenRoom: async () => void (await Promise.all([shown.whenRoom?.(), queue.whenRoom()])),
      };
    },
    async styleOn(stream) {
      const { styleOn } = await import("./terminal/style.ts");
      return await styleOn(host, stream, { noColor: common.no_color, idsFoundIn: known.idsFoundIn });
    },
    noteHalt: (runRoot, halt) => halts?.note(runRoot, halt),
    async takeSignals() {
      signals = (await import("./signals.ts")).takeSignals(host);
      return signals;
    },
    async reportHalts() {
      await (reported ??= halts?.report(host, stopSignal()) ?? Promise.resolve());
    },
    async endTelemetry() {
      await telemetry?.close();
      await stderr?.whenEmpty(stopSignal());
    },
    async endDisplay() {
      await display?.end(stopSignal());
      await stderr?.whenEmpty(stopSignal());
    },
    readingEnd() {
      if (stderr?.isGivenUp === true) return "given up";
      return display?.readingEnd?.() ?? "all read";
    },
  };
}

/** The runs root in which an id is found from any folder. One that a workspace names counts only inside that workspace. */
function rootOfIds(
  { environment: variables }: Pick<Host, "environment">,
  environment: Pick<Environment, "runsRoot">,
  configuration: Configuration,
): string | null {
  const origin = configuration.find("runs_root", COMMON.runs_root)?.origin;
  if (origin?.kind === "workspace" || origin?.kind === "given") return null;
  if (origin?.kind === "variable" && !isAbsolute(variables[origin.name] ?? "")) return null;
  try {
    return environment.runsRoot();
  } catch {
    return null;
  }
}

/** The same surroundings without this tool's own variables, any of which may be wrong. */
function withoutVariables({ environment, workingFolder }: Host): Pick<Host, "environment" | "workingFolder"> {
  const others = Object.entries(environment).filter(([name]) => !name.startsWith("DEEP_RESEARCH_"));
  return { environment: Object.fromEntries(others), workingFolder };
}

/** Null where none is wanted. */
async function telemetryOf(host: Host, stderr: OutputQueue, hosts: readonly string[]): Promise<TelemetryWatch | null> {
  if ((host.environment[TELEMETRY_VARIABLE] ?? "") === "") return null;
  const { openTelemetryWatch } = await import("./telemetry-watch.ts");
  return await openTelemetryWatch(host, stderr, hosts);
}

async function displayFor(
  host: Host,
  stderr: OutputQueue,
  ports: CommandContext["ports"],
  common: CommonValues & { jsonl?: boolean },
  { idsFoundIn }: Pick<Known, "idsFoundIn">,
): Promise<Display | null> {
  if (common.jsonl === true)
    return (await import("./terminal/event-display.ts")).eventDisplay(host, ports.clock, stderr);
  if (common.json || common.quiet) return null;
  const { styleOn } = await import("./terminal/style.ts");
  return (await import("./terminal/progress.ts")).progressDisplay({
    host,
    isLive: host.isTerminal("stderr") && host.environment[TELEMETRY_VARIABLE] !== "console",
    stderr,
    clock: ports.clock,
    style: await styleOn(host, "stderr", { noColor: common.no_color, idsFoundIn }),
    titlesOf: async (runRoot) =>
      await (await import("../operations/look/subject-titles.ts")).subjectTitles(ports, runRoot),
  });
}
