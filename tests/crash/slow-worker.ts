// A real process that works on a run slowly: each step takes a while and leaves a line with an outside count.
// Usage: bun slow-worker.ts <start|run|tick> <options as JSON>
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { RunError } from "../../src/kernel/errors.ts";
import { eventDisplay } from "../../src/cli/terminal/event-display.ts";
import { exitOf } from "../../src/cli/exits.ts";
import { OutputQueue } from "../../src/cli/terminal/output-queue.ts";
import { progressDisplay } from "../../src/cli/terminal/progress.ts";
import { PLAIN } from "../../src/cli/terminal/style.ts";
import { localDriver } from "../../src/drivers/local.ts";
import { runRun } from "../../src/operations/change/run-run.ts";
import { startRun } from "../../src/operations/change/start-run.ts";
import { tickRun } from "../../src/operations/change/tick-run.ts";
import type { Driver } from "../../src/ports/driver.ts";
import type { Observer } from "../../src/ports/observer.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { RunLog } from "../../src/ports/run-log.ts";
import { realHost } from "../../src/system/host.ts";
import { makePorts } from "../../src/wiring.ts";
import { stepKeyOf } from "../simulation/run-outside.ts";
import { startOptions } from "../simulation/run-world.ts";

export interface WorkerOptions {
  runsRoot: string;
  runId: string;
  corpus: string;
  stepMs: number;
  leaseSeconds: number;
  /** Gets one line for each step that is performed: its key and the pid. */
  countFile: string;
  /** Takes the lease even from a live owner: the guard that a control takes out. */
  takesAnyLease?: boolean;
  /** Events as `--jsonl` prints them, or progress on stderr, instead of one short line for each record. */
  shows?: "events" | "progress";
  /** The process says that it is ready and waits until this file is there. */
  barrier?: string;
}

async function work(verb: string, options: WorkerOptions): Promise<number> {
  const { runsRoot, runId, corpus, leaseSeconds, barrier } = options;
  const { store, ...others } = makePorts({ indexFolder: null, cliInvocation: "deep-research" });
  const force = options.takesAnyLease === true;
  const acquire: RunLog["acquire"] = (runRoot, given) => store.acquire(runRoot, { ...given, force });
  const createOwned: RunLog["createOwned"] = (runRoot, drafts, given, contents) =>
    store.createOwned(runRoot, drafts, { ...given, force }, contents);
  const ports: Ports = {
    ...others,
    store: { ...store, acquire, createOwned },
    loadDriver: async () => slowDriver(options),
  };
  const runRoot = `${runsRoot}/${runId}`;
  if (barrier !== undefined) {
    await import("../../src/operations/work.ts");
    writeFileSync(`${barrier}.${process.pid}`, "");
    while (!existsSync(barrier)) await Bun.sleep(1);
  }
  const stderr = new OutputQueue({ host: realHost, stream: "stderr", clock: ports.clock });
  const display =
    options.shows === "events"
      ? eventDisplay(realHost, ports.clock, stderr)
      : options.shows === "progress"
        ? progressDisplay({
            host: realHost,
            isLive: false,
            stderr,
            clock: ports.clock,
            style: PLAIN,
            titlesOf: async () => new Map(),
          })
        : null;
  const observer = display?.observer ?? printed;
  try {
    const start = startOptions({ runsRoot, runId, corpora: [corpus], lease: { lease_seconds: leaseSeconds } });
    const outcome =
      verb === "start"
        ? await startRun(ports, start, observer)
        : verb === "run"
          ? await runRun(ports, runRoot, {}, observer)
          : await tickRun(ports, runRoot, {}, async () => ({ observer }));
    await display?.end();
    return outcome.error === null ? 0 : exitOf(outcome.error);
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    console.error(error.message);
    return exitOf(error);
  }
}

/** One line for each durable record, as `--jsonl` prints them. */
const printed: Observer = {
  onRecord: (_runRoot, { seq, digest, kind, data }) => {
    console.log(JSON.stringify({ event: kind, seq, digest, key: (data as { key?: string }).key }));
  },
};

function slowDriver({ stepMs, countFile }: WorkerOptions): Driver {
  return {
    id: "local",
    version: localDriver.version,
    async perform(kind, input, tools) {
      appendFileSync(countFile, `${stepKeyOf(kind, input)} ${process.pid}\n`);
      await Bun.sleep(stepMs);
      return await localDriver.perform(kind, input, tools);
    },
  };
}

if (import.meta.main) {
  const [verb = "", json = ""] = process.argv.slice(2);
  process.exit(await work(verb, JSON.parse(json) as WorkerOptions));
}
