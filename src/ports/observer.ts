// Those who follow work as it happens, and those who stop it.
import type { AnyRecord } from "../run/record.ts";
import type { Manifest } from "../run/manifest.ts";
import type { CorpusProgress } from "./provider.ts";
import type { ModelChunk, ModelFailureKind } from "./model.ts";

/** All calls of models wait, since one of them was refused or broke off. */
export interface ModelWait {
  /** `PROVIDER:NAME` of the call that failed, and how it did. */
  model: string;
  kind: ModelFailureKind;
  reason: string;
  /** Of HTTP. */
  status?: number;
  /** What the provider asks for; without it the wait is our own, longer each time. */
  asked_ms?: number;
  /** From now on. */
  wait_ms: number;
  /** RFC 3339. */
  until: string;
}

/** A run on which work begins; one that is being made has no more than settings. */
export type RunAtWork = Pick<Manifest, "query" | "settings"> & Partial<Pick<Manifest, "usage" | "stage" | "steps">>;

/** Follows work as it happens. Records are durable when announced. */
export interface Observer {
  /** Work on a run begins; before the records of it, unless they make the run. */
  onRun?: (runRoot: string, run: RunAtWork) => void;
  onRecord?: (runRoot: string, record: AnyRecord) => void;
  /** What a step is doing now, for people, where no conversation tells it. */
  onSay?: (stepKey: string, what: string) => void;
  /** A piece of a model's reply as it comes; not durable. */
  onChunk?: (stepKey: string, chunk: ModelChunk) => void;
  /** Somebody waits, or longer than was told; once for each wait, and not durable. */
  onWait?: (wait: ModelWait) => void;
  /** Resolves when this observer can take more; asked between two steps, where waiting costs no lease. */
  whenRoom?: () => Promise<void>;
  /** Reading a corpus into the index. */
  onIndex?: CorpusProgress;
}

/** How a person stops work: `interrupt` ends the tick and pauses the run, `terminate` leaves it interrupted. */
export interface StopSignals {
  /** SIGINT. */
  interrupt: AbortSignal;
  /** SIGTERM. */
  terminate: AbortSignal;
}
