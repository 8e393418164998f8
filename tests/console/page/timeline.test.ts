// The timeline of a run from its events: ticks, what cut them off, what stopped the run, what was spent.
import { describe, expect, test } from "bun:test";
import { scaleOf, TimelineFold, type Timeline } from "../../../src/console/page/timeline.ts";
import type { WireEvent } from "../../../src/console/page/wire.ts";

function told(...events: [second: number, event: WireEvent["event"], data?: object][]): Timeline {
  const fold = new TimelineFold();
  for (const [second, event, data = {}] of events)
    fold.note({ event, ts: new Date(second * 1_000).toISOString(), seq: second, data });
  return fold.timeline;
}

describe("the timeline", () => {
  test("a tick that was cut off ends with its last sign of life, and is an interruption told once", () => {
    const { ticks, moments } = told(
      [1, "tick.started"],
      [3, "step.started"],
      [50, "lease.taken"],
      [51, "state.changed", { to: "interrupted" }],
      [52, "tick.started"],
      [54, "tick.ended"],
      [55, "state.changed", { to: "completed" }],
      [55, "report.published"],
    );
    expect(ticks).toEqual([
      { start: 1_000, end: 3_000, isCutOff: true },
      { start: 52_000, end: 54_000, isCutOff: false },
    ]);
    expect(moments).toEqual([
      { at: 3_000, kind: "interruption" },
      { at: 55_000, kind: "report" },
    ]);
  });

  test("halts, pauses and ends are moments; money adds up, and calls without a price add nothing", () => {
    const { moments, money } = told(
      [1, "tick.started"],
      [2, "usage.settled", { cost_usd: 0.25 }],
      [3, "usage.settled", { cost_usd: null }],
      [4, "usage.settled", { cost_usd: 0.5 }],
      [5, "halt.raised"],
      [6, "tick.ended"],
      [7, "state.changed", { to: "paused" }],
      [9, "state.changed", { to: "aborted" }],
    );
    expect(moments.map(({ kind }) => kind)).toEqual(["halt", "pause", "abort"]);
    expect(money).toEqual([
      { at: 2_000, usd: 0.25 },
      { at: 4_000, usd: 0.75 },
    ]);
  });

  test("days between two ticks take no more room than part of the work; control: a short pause is drawn as it was", () => {
    const day = 86_400;
    const waited = told([0, "tick.started"], [10, "tick.ended"], [day, "tick.started"], [day + 10, "tick.ended"]);
    const { at, cuts } = scaleOf(waited);
    expect(cuts).toHaveLength(1);
    expect(at((day - 10) * 1_000)).toBeLessThan(0.6);
    expect([at(0), at((day + 10) * 1_000)]).toEqual([0, 1]);
    const short = told([0, "tick.started"], [10, "tick.ended"], [11, "tick.started"], [21, "tick.ended"]);
    expect(scaleOf(short).cuts).toEqual([]);
    expect(scaleOf(short).at(10_000)).toBeCloseTo(10 / 21, 5);
  });

  test("a run of which nothing was worked on yet has no picture and no fault", () => {
    const { at, cuts } = scaleOf(told([1, "run.created"]));
    expect([at(1_000), cuts]).toEqual([0, []]);
  });
});
