// The timeline of a run: when it was worked on, what stopped it, and how much money it had spent by then.

/** A tick. */
export interface Span {
  start: number;
  /** The end of the tick, or the last record before the work was cut off. */
  end: number;
  isCutOff: boolean;
}
export interface Moment {
  at: number;
  kind: "halt" | "interruption" | "pause" | "report" | "failure" | "abort";
}

/** Times are in milliseconds since 1970, and each list is in their order. */
export interface Timeline {
  ticks: Span[];
  moments: Moment[];
  /** The whole cost from each time on. */
  money: { at: number; usd: number }[];
}

/** A record of the journal, or the event that announces it. */
export interface TimedEvent {
  event: string;
  ts: string;
  data: unknown;
}

const STOPS: Record<string, Moment["kind"]> = {
  interrupted: "interruption",
  paused: "pause",
  failed: "failure",
  aborted: "abort",
};

/** Builds a timeline from events in their order. */
export class TimelineFold {
  readonly timeline: Timeline = { ticks: [], moments: [], money: [] };
  #isOpen = false;

  note({ event, ts, data }: TimedEvent): void {
    const { ticks, moments, money } = this.timeline;
    const at = Date.parse(ts);
    if (Number.isNaN(at)) return;
    const last = ticks.at(-1);
    const { to, report, cost_usd: cost } = data as Record<string, unknown>;
    const add = (kind: Moment["kind"]): void => {
      const before = moments.at(-1);
      // A cut-off tick and the change of state behind it are one interruption. The end of a run and its report are one moment.
      const isNoted = before?.kind === kind && (kind === "interruption" || (kind === "report" && before.at === at));
      if (!isNoted) moments.push({ at, kind });
    };
    const isBegun = event === "tick.started";
    if (isBegun || event === "lease.taken") {
      if (this.#isOpen && last !== undefined) {
        last.isCutOff = true;
        moments.push({ at: last.end, kind: "interruption" });
      }
      this.#isOpen = isBegun;
      if (isBegun) ticks.push({ start: at, end: at, isCutOff: false });
    } else if (this.#isOpen && last !== undefined) last.end = at;
    if (event === "tick.ended") this.#isOpen = false;
    if (event === "halt.raised") add("halt");
    const stop = event === "state.changed" ? STOPS[String(to)] : undefined;
    if (stop !== undefined) add(stop);
    if (event === "report.published" || report !== undefined) add("report");
    if (event === "usage.settled" && typeof cost === "number" && cost > 0)
      money.push({ at, usd: (money.at(-1)?.usd ?? 0) + cost });
  }
}

// --- geometry -----------------------------------------------------------------------------------------------------

/** A wait takes at most this share of the time worked, since a run may wait for days. */
const MAX_PAUSE_SHARE = 0.12;
/** A tick takes at least this share of the time worked. */
const LEAST_TICK = 0.004;

/** `at`: the place of a time, 0 to 1. `cuts`: the places where a wait is shortened. */
export function scaleOf({ ticks, moments }: Timeline): { at: (time: number) => number; cuts: number[] } {
  const times = [...ticks.flatMap(({ start, end }) => [start, end]), ...moments.map(({ at }) => at)];
  const worked = ticks.reduce((sum, { start, end }) => sum + end - start, 0) || 1;
  const most = worked * MAX_PAUSE_SHARE;
  const stops: { time: number; place: number }[] = [];
  const cuts: number[] = [];
  let tick = 0;
  for (const time of new Set(times.sort((one, other) => one - other))) {
    const before = stops.at(-1) ?? { time, place: 0 };
    const apart = time - before.time;
    // Go to the first tick that does not end before this time.
    while ((ticks[tick]?.end ?? Infinity) < time) tick++;
    const isWorked = (ticks[tick]?.start ?? Infinity) <= before.time;
    const length = isWorked ? Math.max(apart, worked * LEAST_TICK) : Math.min(apart, most);
    if (!isWorked && apart > most) cuts.push(before.place + length / 2);
    stops.push({ time, place: stops.length === 0 ? 0 : before.place + length });
  }
  const whole = stops.at(-1)?.place || 1;
  const at = (time: number): number => {
    let [low, high] = [0, stops.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((stops[middle]?.time ?? 0) < time) low = middle + 1;
      else high = middle;
    }
    const [from, to] = [stops[Math.max(0, low - 1)], stops[low]];
    if (from === undefined || to === undefined) return 0;
    const share = to.time === from.time ? 1 : Math.max(0, Math.min(1, (time - from.time) / (to.time - from.time)));
    return (from.place + (to.place - from.place) * share) / whole;
  };
  return { at, cuts: cuts.map((place) => place / whole) };
}
