// Where telemetry goes. It never fails the work that it tells of.
import type { TelemetryEvent } from "../run/telemetry.ts";

export interface TelemetrySink {
  emit(event: TelemetryEvent): void;
  /** Sends what waits, for as long as it may take; then gives up silently but for one note. */
  close(): Promise<void>;
}
