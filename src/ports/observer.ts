// The ports of people who follow work as it happens, and who stop it.
import type { AnyRecord } from "../run/log/record.ts";
import type { Manifest } from "../run/log/manifest.ts";
import type { CorpusProgress } from "./provider.ts";
import type { ModelChunk, ModelFailureKind } from "./model.ts";

/** All calls of models wait, because one of them was refused or broke off. */
export interface ModelWait {
  /** `PROVIDER:NAME` of the call that failed, and how it did. */
  model: string;
  kind: ModelFailureKind;
  reason: string;
  /** Of HTTP. */
  status?: number;
  /** What the provider asks for. Absent: the wait is our own, longer each time. */
  asked_ms?: number;
  /** From now on. */
  wait_ms: number;
  /** RFC 3339. */
  until: string;
}

/** A run on which work begins. One that is being made has only query and settings. */
export type RunAtWork = Pick<Manifest, "query" | "settings"> &
  Partial<Pick<Manifest, "usage" | "stage" | "steps" | "mode" | "limits">>;

export interface Observer {
  /** Work on a run begins. It is called before its first record, unless that record makes the run. */
  onRun?: (runRoot: string, run: RunAtWork) => void;
  /** The record is durable. */
  onRecord?: (runRoot: string, record: AnyRecord) => void;
  /** What a step is doing now, in words for people. */
  onSay?: (stepKey: string, what: string) => void;
  /** A piece of a model's reply as it comes; not durable. */
  onChunk?: (stepKey: string, chunk: ModelChunk) => void;
  /** Calls wait, or wait longer than was reported before. Called once for each wait; not durable. */
  onWait?: (wait: ModelWait) => void;
  /** Resolves when this observer can take more. It is called between two steps, where waiting costs no lease. */
  whenRoom?: () => Promise<void>;
  /** A corpus is read into its index. */
  onIndex?: CorpusProgress;
}

/** How a person stops work: `interrupt` ends the tick and pauses the run, `terminate` leaves it interrupted. */
export interface StopSignals {
  /** SIGINT. */
  interrupt: AbortSignal;
  /** SIGTERM. */
  terminate: AbortSignal;
}
