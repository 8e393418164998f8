// An owned run as its conversations see it: what they may read and write, and whether the owner wants to stop.
import type { Interruption } from "../ports/interruption.ts";
import type { Observer } from "../ports/observer.ts";
import type { Ports } from "../ports/ports.ts";
import type { RunWriter } from "../ports/run-log.ts";
import type { AnyRecord } from "../run/log/record.ts";

export interface OwnedRun {
  readonly ports: Pick<Ports, "clock" | "loadModels" | "prices" | "random">;
  readonly writer: RunWriter;
  /** Every record up to the last commit, in order. */
  readonly view: { records(): Promise<readonly AnyRecord[]> };
  readonly observer: Observer;
  /** Fires when running work has to end now. */
  readonly signal: AbortSignal;
  /** The first reason to stop, once there is one. It may be a pause, which lets running work end. */
  readonly interruption: Interruption | null;
  /** Milliseconds worked in the tick that is open. */
  tickMs(): number;
}
