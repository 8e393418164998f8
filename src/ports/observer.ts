// Those who follow work as it happens, and those who stop it.
import type { PlacedRecord } from "../run/record.ts";
import type { ModelChunk } from "./model.ts";

/** Follows work as it happens. Records are durable when announced. */
export interface Observer {
  onRecord?: (runRoot: string, placed: PlacedRecord) => void;
  /** What a step is doing now, for people. */
  onSay?: (stepKey: string, what: string) => void;
  /** A piece of a model's reply as it comes; not durable. */
  onChunk?: (stepKey: string, chunk: ModelChunk) => void;
  /** Reading a corpus into the index. */
  onIndex?: (progress: { corpus: string; read: number; total: number; path: string }) => void;
}

/** How a person stops work: `interrupt` ends the tick and pauses the run, `terminate` leaves it interrupted. */
export interface StopSignals {
  /** SIGINT. */
  interrupt: AbortSignal;
  /** SIGTERM. */
  terminate: AbortSignal;
}
