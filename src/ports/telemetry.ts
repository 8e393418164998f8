// The place that telemetry is sent to. It never fails the work that it tells of.
import type { Sensitivity } from "../run/settings.ts";
import type { TelemetryEvent } from "../run/telemetry.ts";

export interface TelemetrySink {
  /** Why nothing of runs of this sensitivity may go there; null where it may. */
  refusalOf(sensitivity: Sensitivity): string | null;
  emit(event: TelemetryEvent): void;
  /** Sends what waits, for as long as it may take; then gives up silently but for one note. */
  close(): Promise<void>;
}
