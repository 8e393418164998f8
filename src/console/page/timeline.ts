// The timeline of a run: when it was worked on, what stopped it, and what it had spent by then.
import type { WireEvent } from "./wire.ts";

export interface Span {
  start: number;
  /** The last sign of life where the work was cut off. */
  end: number;
  isCutOff: boolean;
}
export interface Moment {
  at: number;
  kind: "halt" | "interruption" | "pause" | "report" | "failure" | "abort";
}

/** Times in milliseconds. */
export interface Timeline {
  ticks: Span[];
  moments: Moment[];
  /** What was spent in all, from then on. */
  money: { at: number; usd: number }[];
}

const STOPS: Record<string, Moment["kind"]> = {
  interrupted: "interruption",
  paused: "pause",
  failed: "failure",
  aborted: "abort",
};

export class TimelineFold {
  readonly #ticks: Span[] = [];
  readonly #moments: Moment[] = [];
  readonly #money: Timeline["money"] = [];
  #isOpen = false;

  note({ event, ts, data }: WireEvent): void {
    const at = Date.parse(ts);
    const last = this.#ticks.at(-1);
    const fields = data as Record<string, unknown>;
    if (this.#isOpen && last !== undefined && event !== "tick.started" && event !== "lease.taken") last.end = at;
    switch (event) {
      case "lease.taken":
      case "tick.started":
        if (this.#isOpen && last !== undefined) {
          last.isCutOff = true;
          this.#moments.push({ at: last.end, kind: "interruption" });
        }
        this.#isOpen = event === "tick.started";
        if (this.#isOpen) this.#ticks.push({ start: at, end: at, isCutOff: false });
        break;
      case "tick.ended":
        this.#isOpen = false;
        break;
      case "halt.raised":
        this.#moments.push({ at, kind: "halt" });
        break;
      case "report.published":
        this.#moments.push({ at, kind: "report" });
        break;
      case "state.changed": {
        const kind = STOPS[String(fields["to"])];
        const isTold = this.#moments.at(-1)?.kind === "interruption" && kind === "interruption";
        if (kind !== undefined && !isTold) this.#moments.push({ at, kind });
        break;
      }
      case "usage.settled": {
        const cost = fields["cost_usd"];
        if (typeof cost === "number" && cost > 0) this.#money.push({ at, usd: (this.#money.at(-1)?.usd ?? 0) + cost });
        break;
      }
      default:
        break;
    }
  }

  get timeline(): Timeline {
    return { ticks: [...this.#ticks], moments: [...this.#moments], money: [...this.#money] };
  }
}

// --- geometry -----------------------------------------------------------------------------------------------------

/** Time in which nobody works takes at most this share of the time worked: a run may wait for days. */
const MAX_PAUSE_SHARE = 0.12;
const LEAST_TICK = 0.004;

/** Where each time stands, 0 to 1, and which spans are shortened. */
export function scaleOf({ ticks, moments }: Timeline): { at: (time: number) => number; cuts: number[] } {
  const times = [...ticks.flatMap(({ start, end }) => [start, end]), ...moments.map(({ at }) => at)].sort(
    (a, b) => a - b,
  );
  const worked = Math.max(
    1,
    ticks.reduce((sum, { start, end }) => sum + end - start, 0),
  );
  const most = worked * MAX_PAUSE_SHARE;
  const stops: { time: number; place: number }[] = [];
  const cuts: number[] = [];
  for (const time of new Set(times)) {
    const before = stops.at(-1);
    if (before === undefined) {
      stops.push({ time, place: 0 });
      continue;
    }
    const isWorked = ticks.some(({ start, end }) => start <= before.time && time <= end);
    const length = isWorked ? Math.max(time - before.time, worked * LEAST_TICK) : Math.min(time - before.time, most);
    if (!isWorked && time - before.time > most) cuts.push(before.place + length / 2);
    stops.push({ time, place: before.place + length });
  }
  const whole = stops.at(-1)?.place || 1;
  const at = (time: number): number => {
    const next = stops.findIndex((stop) => stop.time >= time);
    const [from, to] = [stops[Math.max(0, next - 1)], stops[next < 0 ? stops.length - 1 : next]];
    if (from === undefined || to === undefined) return 0;
    const share = to.time === from.time ? 1 : Math.max(0, Math.min(1, (time - from.time) / (to.time - from.time)));
    return (from.place + (to.place - from.place) * share) / whole;
  };
  return { at, cuts: cuts.map((place) => place / whole) };
}
