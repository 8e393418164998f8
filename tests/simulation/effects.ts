// Numbers and traces every call of one process, and does with it what the plan of faults says.
import type { Awaitable } from "../../src/kernel/awaitable.ts";
import { Crashed, errnoError, faultOf, type EffectName, type Fault } from "./faults.ts";
import type { ProcessLife } from "./life.ts";

export interface TraceEntry {
  process: string;
  /** The number that faults are planned by. */
  number: number;
  effect: EffectName;
  path: string;
  /** Bytes given to a write or wanted by a read. */
  bytes: number;
  /** `done`, the errno it failed with, or the fault that ended it. */
  outcome: string;
}

/** A call that is about to happen. */
export interface Call<T> {
  effect: EffectName;
  path: string;
  bytes?: number;
  /** Does it; a write takes its first `limit` bytes when a limit is given. */
  apply(limit?: number): T;
  /** What a planned failure leaves behind. */
  onFailure?(): void;
}

export class Effects {
  /** Effects so far: the highest number that a fault could have struck. */
  count = 0;
  /** How many planned faults struck. */
  fired = 0;
  faults: Fault[] = [];
  readonly life: ProcessLife;
  #trace: TraceEntry[];

  constructor(life: ProcessLife, trace: TraceEntry[]) {
    this.life = life;
    this.#trace = trace;
  }

  run<T>(call: Call<T>): Awaitable<T> {
    if (this.life.state === "dead") throw new Crashed(this.life.name, `it called ${call.effect} ${call.path}`);
    if (this.life.state === "frozen") return this.life.whenGoingOn().then(() => this.run(call));
    const entry: TraceEntry = {
      process: this.life.name,
      number: ++this.count,
      effect: call.effect,
      path: call.path,
      bytes: call.bytes ?? 0,
      outcome: "done",
    };
    this.#trace.push(entry);
    const fault = faultOf(this.faults, entry.number, call.effect);
    if (fault !== undefined) this.fired++;
    if (fault?.kind !== "freeze") return this.#perform(call, entry, fault);
    entry.outcome = "frozen";
    this.life.freeze();
    return this.#performThawed(call, entry);
  }

  async #performThawed<T>(call: Call<T>, entry: TraceEntry): Promise<T> {
    while (this.life.state === "frozen") await this.life.whenGoingOn();
    if (this.life.state === "dead") throw new Crashed(this.life.name, `killed while frozen at effect ${entry.number}`);
    entry.outcome = "done";
    return this.#perform(call, entry, undefined);
  }

  #perform<T>(call: Call<T>, entry: TraceEntry, fault: Fault | undefined): T {
    switch (fault?.kind) {
      case "crash-before":
        return this.#crash(entry, fault);
      case "crash-mid":
        if (isWrite(call.effect)) this.#apply(call, entry, shortOf(call, fault.bytes), true);
        return this.#crash(entry, fault);
      case "crash-after":
        this.#apply(call, entry, undefined, true);
        return this.#crash(entry, fault);
      case "fail":
        entry.outcome = fault.errno;
        call.onFailure?.();
        throw errnoError(fault.errno, call.effect, call.path);
      case "short-write":
        entry.outcome = fault.kind;
        return call.apply(shortOf(call, fault.bytes));
      default:
        return this.#apply(call, entry);
    }
  }

  #apply<T>(call: Call<T>, entry: TraceEntry, limit?: number): T;
  #apply<T>(call: Call<T>, entry: TraceEntry, limit: number | undefined, isCrashing: true): void;
  #apply<T>(call: Call<T>, entry: TraceEntry, limit?: number, isCrashing?: true): T | void {
    try {
      return call.apply(limit);
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      // Only the failure of a system call can go unseen by a process that dies of it; a bug in a test may not.
      if (typeof code !== "string") throw error;
      entry.outcome = code;
      if (isCrashing !== true) throw error;
    }
  }

  #crash(entry: TraceEntry, fault: Fault): never {
    entry.outcome = fault.kind;
    this.life.kill();
    throw new Crashed(this.life.name, `${fault.kind} at effect ${entry.number}: ${entry.effect} ${entry.path}`);
  }
}

function isWrite(effect: EffectName): boolean {
  return effect === "write" || effect === "writeAt";
}

/** Fewer bytes than the call has, so that short is short. */
function shortOf(call: Call<unknown>, wanted: number | undefined): number {
  const bytes = call.bytes ?? 0;
  return Math.max(0, Math.min(wanted ?? Math.floor(bytes / 2), bytes - 1));
}
