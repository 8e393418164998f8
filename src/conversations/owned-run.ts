// The run as its conversations see it: what its owner lets them read and write, and whether the owner wants to stop.
import type { Interruption } from "../ports/interruption.ts";
import type { Observer } from "../ports/observer.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunWriter } from "../ports/run-log.ts";
import type { AnyRecord } from "../run/record.ts";

/** Every record up to the last commit, in order. */
export interface JournalView {
  records(): Promise<readonly AnyRecord[]>;
}

export interface OwnedRun {
  readonly ports: Pick<Ports, "clock" | "loadModels" | "prices" | "random">;
  readonly writer: RunWriter;
  readonly view: JournalView;
  readonly observer: Observer;
  /** Fires when running work has to end now. */
  readonly signal: AbortSignal;
  /** The first reason to stop, once there is one; a pause, too, which lets running work end. */
  readonly interruption: Interruption | null;
  /** Milliseconds worked in the tick that is open. */
  tickMs(): number;
}
