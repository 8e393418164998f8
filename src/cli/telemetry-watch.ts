// Tells the telemetry sink that the environment names of everything that runs do; it never changes what they do.
import { basename } from "node:path";
import type { Observer } from "../operations/outcome.ts";
import type { TelemetrySink } from "../ports/telemetry.ts";
import { RunTelemetry } from "../run/telemetry.ts";
import { openTelemetry } from "../wiring.ts";
import { clean } from "./fact-text.ts";
import type { Host } from "./host.ts";

/** Errors: `INVALID_ARGS` when the variable names no sink. */
export async function openTelemetryWatch(host: Host, variable: string): Promise<TelemetryWatch | null> {
  const { environment } = host;
  const writeError = (text: string): void => {
    try {
      host.write("stderr", clean(text));
    } catch {
      // Nobody listens; the work goes on.
    }
  };
  const sink = await openTelemetry({ wanted: environment[variable], environment, writeError });
  return sink === null ? null : new TelemetryWatch(sink);
}

export class TelemetryWatch {
  readonly #sink: TelemetrySink;
  readonly #runs = new Map<string, RunTelemetry>();

  constructor(sink: TelemetrySink) {
    this.#sink = sink;
  }

  /** The same observer, whose records are also told of. */
  observing(observer: Observer): Observer {
    return {
      ...observer,
      onRecord: (runRoot, placed) => {
        observer.onRecord?.(runRoot, placed);
        const run = this.#runs.get(runRoot) ?? new RunTelemetry(basename(runRoot));
        this.#runs.set(runRoot, run);
        for (const event of run.eventsOf(placed)) this.#sink.emit(event);
      },
    };
  }

  async close(): Promise<void> {
    await this.#sink.close();
  }
}
