// The port that telemetry is sent to. Its failures never fail the work.
import type { Sensitivity } from "../run/settings/settings.ts";
import type { TelemetryEvent } from "../run/log/telemetry.ts";

export interface TelemetrySink {
  /** Says why telemetry of runs of this sensitivity may not go there; null when it may. */
  refusalOf(sensitivity: Sensitivity): string | null;
  emit(event: TelemetryEvent): void;
  /** Sends what waits, within a time limit. What cannot be sent is noted once. */
  close(): Promise<void>;
}
