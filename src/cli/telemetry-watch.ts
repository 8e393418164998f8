// Sends what runs do to the telemetry sink that the environment names. No run depends on it.
import { shownText } from "../kernel/shown-text.ts";
import { basename } from "node:path";
import type { Observer } from "../ports/observer.ts";
import type { TelemetrySink } from "../ports/telemetry.ts";
import type { Query } from "../run/settings/settings.ts";
import { RunTelemetry } from "../run/log/telemetry.ts";
import { openTelemetry } from "../wiring.ts";
import { TELEMETRY_VARIABLE } from "./configuration/environment.ts";
import type { Host } from "./host.ts";
import type { OutputQueue } from "./terminal/output-queue.ts";

/** Errors: `INVALID_ARGS` when the variable names no sink. */
export async function openTelemetryWatch(
  { environment }: Pick<Host, "environment">,
  stderr: OutputQueue,
  allowedHosts: readonly string[],
): Promise<TelemetryWatch | null> {
  const writeError = (text: string): void => stderr.push(shownText(text));
  const sink = await openTelemetry({ wanted: environment[TELEMETRY_VARIABLE], environment, writeError, allowedHosts });
  return sink === null ? null : new TelemetryWatch(sink, writeError);
}

export class TelemetryWatch {
  readonly #sink: TelemetrySink;
  readonly #writeError: (text: string) => void;
  /** Null for a run whose sensitivity keeps it from this sink. */
  readonly #runs = new Map<string, RunTelemetry | null>();

  constructor(sink: TelemetrySink, writeError: (text: string) => void) {
    this.#sink = sink;
    this.#writeError = writeError;
  }

  /** The same observer; its records go to the sink, too. */
  observing(observer: Observer): Observer {
    return {
      ...observer,
      onRun: (runRoot, run) => {
        observer.onRun?.(runRoot, run);
        this.#follow(runRoot, run.query);
      },
      onRecord: (runRoot, record) => {
        observer.onRecord?.(runRoot, record);
        if (record.kind === "run.created") this.#follow(runRoot, record.data.query);
        for (const event of this.#runs.get(runRoot)?.eventsOf(record) ?? []) this.#sink.emit(event);
      },
    };
  }

  #follow(runRoot: string, { sensitivity }: Query): void {
    if (this.#runs.has(runRoot)) return;
    const refusal = this.#sink.refusalOf(sensitivity);
    this.#runs.set(runRoot, refusal === null ? new RunTelemetry(basename(runRoot)) : null);
    if (refusal !== null) this.#writeError(`no telemetry of ${basename(runRoot)}: ${refusal}\n`);
  }

  async close(): Promise<void> {
    await this.#sink.close();
  }
}
