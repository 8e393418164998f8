// A clock that a test moves: both readings, sleeps and timers, for one process or for the whole host.
import type { Clock } from "../../src/ports/clock.ts";
import { Crashed } from "./faults.ts";
import { ProcessLife } from "./life.ts";

export interface SimulatedClockOptions {
  nowMs?: number;
  uptimeMs?: number;
  /**
   * A sleep ends by itself: whenever the event loop has nothing else to do at once, time moves on to the next timer.
   * Sleeps side by side overlap, and one that is aborted in time moves nothing.
   */
  autoAdvance?: boolean;
}

interface Timer {
  life: ProcessLife;
  dueMs: number;
  fire(): void;
  /** Its process died. */
  drop(): void;
}

export class SimulatedClock implements Clock {
  /** Whether sleeps end by themselves. */
  autoAdvance: boolean;
  #nowMs: number;
  #uptimeMs: number;
  /** Timers run by uptime; the wall clock may jump. */
  #timers = new Set<Timer>();
  #watched = new WeakSet<ProcessLife>();
  #hostLife = new ProcessLife("host");

  constructor(options: SimulatedClockOptions = {}) {
    this.#nowMs = options.nowMs ?? Date.UTC(2025, 0, 1);
    this.#uptimeMs = options.uptimeMs ?? 3_600_000;
    this.autoAdvance = options.autoAdvance ?? false;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  uptimeMs(): number {
    return this.#uptimeMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#sleep(this.#hostLife, ms, signal);
  }

  turn(): Promise<void> {
    return eventLoopTurn();
  }

  every(ms: number, callback: () => void): { stop(): void } {
    return this.#every(this.#hostLife, ms, callback);
  }

  /** The clock as one process has it: its timers wait while it is frozen, and end with it. */
  forProcess(life: ProcessLife): Clock {
    this.#watch(life);
    return {
      nowMs: () => this.nowMs(),
      uptimeMs: () => this.uptimeMs(),
      sleep: (ms, signal) => this.#sleep(life, ms, signal),
      turn: () => eventLoopTurn(),
      every: (ms, callback) => this.#every(life, ms, callback),
    };
  }

  // --- the hand of the test ---------------------------------------------------------------------------------------

  /** Lets time go by: every timer that comes due fires at its time, and what it starts runs before the next one. */
  async advance(ms: number): Promise<void> {
    const targetMs = this.#uptimeMs + ms;
    for (let timer = this.#nextTimer(targetMs); timer !== undefined; timer = this.#nextTimer(targetMs)) {
      this.#fire(timer);
      await eventLoopTurn();
    }
    this.#moveTo(targetMs);
  }

  /** The host sleeps (a laptop is closed): both clocks go on, no timer fires before the next `advance`. */
  suspend(ms: number): void {
    this.#moveTo(this.#uptimeMs + ms);
  }

  /** The wall clock is set, as by a person or by NTP; timers do not notice. */
  setNow(nowMs: number): void {
    this.#nowMs = nowMs;
  }

  setUptime(uptimeMs: number): void {
    this.#uptimeMs = uptimeMs;
  }

  get timers(): number {
    return this.#timers.size;
  }

  // --- timers -----------------------------------------------------------------------------------------------------

  #sleep(life: ProcessLife, ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (life.state === "dead") return Promise.reject(new Crashed(life.name, "it wanted to sleep"));
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = (settle: () => void) => {
      this.#timers.delete(timer);
      signal?.removeEventListener("abort", onAbort);
      settle();
    };
    const onAbort = () => end(() => reject(signal?.reason));
    const timer: Timer = {
      life,
      dueMs: this.#uptimeMs + ms,
      fire: () => end(resolve),
      drop: () => end(() => reject(new Crashed(life.name, "it died in its sleep"))),
    };
    signal?.addEventListener("abort", onAbort);
    this.#timers.add(timer);
    if (this.autoAdvance) void this.#advanceFor(timer);
    return promise;
  }

  #every(life: ProcessLife, ms: number, callback: () => void): { stop(): void } {
    const stop = () => void this.#timers.delete(timer);
    const timer: Timer = {
      life,
      dueMs: this.#uptimeMs + ms,
      fire: () => {
        timer.dueMs = this.#uptimeMs + Math.max(1, ms);
        callback();
      },
      drop: stop,
    };
    if (life.state !== "dead") this.#timers.add(timer);
    return { stop };
  }

  /** Moves time on, timer by timer, until this one has fired or is gone; a frozen process has to be thawed first. */
  async #advanceFor(timer: Timer): Promise<void> {
    await eventLoopTurn();
    while (this.#timers.has(timer)) {
      if (timer.life.state === "frozen") await timer.life.whenGoingOn();
      const next = this.#timers.has(timer) ? this.#nextTimer(timer.dueMs) : undefined;
      if (next !== undefined) this.#fire(next);
      await eventLoopTurn();
    }
  }

  #nextTimer(limitMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.life.state !== "running" || timer.dueMs > limitMs) continue;
      if (next === undefined || timer.dueMs < next.dueMs) next = timer;
    }
    return next;
  }

  #fire(timer: Timer): void {
    this.#moveTo(timer.dueMs);
    timer.fire();
  }

  #moveTo(uptimeMs: number): void {
    const stepMs = uptimeMs - this.#uptimeMs;
    if (stepMs <= 0) return;
    this.#uptimeMs += stepMs;
    this.#nowMs += stepMs;
  }

  #watch(life: ProcessLife): void {
    if (this.#watched.has(life)) return;
    this.#watched.add(life);
    life.onChange((state) => {
      if (state === "dead") {
        for (const timer of this.#timers) if (timer.life === life) timer.drop();
      }
      // The system call in which it was frozen returns first, then its overdue timers fire.
      if (state === "running") void eventLoopTurn().then(() => this.#fireOverdue(life));
    });
  }

  async #fireOverdue(life: ProcessLife): Promise<void> {
    const overdue = Array.from(this.#timers).filter((timer) => timer.life === life && timer.dueMs <= this.#uptimeMs);
    for (const timer of overdue) {
      // What an earlier one started may have stopped it, or fired it, or frozen the process again.
      if (life.state !== "running" || !this.#timers.has(timer) || timer.dueMs > this.#uptimeMs) continue;
      timer.fire();
      await eventLoopTurn();
    }
  }
}

/** Lets everything that is ready run, promises and immediate callbacks alike. */
export function eventLoopTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setImmediate(resolve);
  return promise;
}
