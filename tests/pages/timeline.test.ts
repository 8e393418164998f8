// Tests of the timeline of a run: ticks, interruptions, stops and money from its events, and their picture.
import { describe, expect, test } from "bun:test";
import { timelineHtml } from "../../src/pages/timeline-picture.ts";
import { scaleOf, TimelineFold, type Timeline } from "../../src/pages/timeline.ts";
import { TIMELINE_WORDS } from "../../src/surface/timeline-words.ts";

function timelineOf(...events: [second: number, event: string, data?: object][]): Timeline {
  const fold = new TimelineFold();
  for (const [second, event, data = {}] of events)
    fold.note({ event, ts: new Date(second * 1_000).toISOString(), data });
  return fold.timeline;
}

test("an event whose time is no date is left out", () => {
  const fold = new TimelineFold();
  const nowhere = "2026-13-45T99:00:00.000Z";
  fold.note({ event: "tick.started", ts: nowhere, data: {} });
  expect(timelineHtml(fold.timeline, TIMELINE_WORDS)).toBe("");
  fold.note({ event: "tick.started", ts: "2026-01-01T00:00:00.000Z", data: {} });
  fold.note({ event: "halt.raised", ts: nowhere, data: {} });
  fold.note({ event: "tick.ended", ts: "2026-01-01T00:00:01.000Z", data: {} });
  expect(timelineHtml(fold.timeline, TIMELINE_WORDS)).toContain("1 tick");
});

describe("the timeline", () => {
  test("ends a tick that was cut off at its last record, and has one interruption for it", () => {
    const { ticks, moments } = timelineOf(
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

  test("has halts, pauses and ends as moments, and adds up the cost of calls with a price", () => {
    const { moments, money } = timelineOf(
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

  test("shortens a wait of days; control: a short pause keeps its length", () => {
    const day = 86_400;
    const waited = timelineOf([0, "tick.started"], [10, "tick.ended"], [day, "tick.started"], [day + 10, "tick.ended"]);
    const { at, cuts } = scaleOf(waited);
    expect(cuts).toHaveLength(1);
    expect(at((day - 10) * 1_000)).toBeLessThan(0.6);
    expect([at(0), at((day + 10) * 1_000)]).toEqual([0, 1]);
    const short = timelineOf([0, "tick.started"], [10, "tick.ended"], [11, "tick.started"], [21, "tick.ended"]);
    expect(scaleOf(short).cuts).toEqual([]);
    expect(scaleOf(short).at(10_000)).toBeCloseTo(10 / 21, 5);
  });

  test("is empty for a run without a tick", () => {
    const { at, cuts } = scaleOf(timelineOf([1, "run.created"]));
    expect([at(1_000), cuts]).toEqual([0, []]);
  });
});

describe("the picture", () => {
  const paths = (html: string, of: string): number => html.split(`class="${of}"`).length - 1;

  test("says its contents in words", () => {
    const html = timelineHtml(
      timelineOf(
        [1, "tick.started"],
        [2, "usage.settled", { cost_usd: 0.25 }],
        [5, "halt.raised"],
        [6, "tick.ended"],
        [9, "tick.started"],
        [10, "step.started"],
        [50, "lease.taken"],
      ),
      TIMELINE_WORDS,
    );
    expect(html).toContain(
      'aria-label="Timeline, 1970-01-01 00:00:01 UTC to 1970-01-01 00:00:10 UTC: 2 ticks, 1 halt, 1 interruption, $0.25"',
    );
    expect(
      ["tick", "tick cut", "halt", "interruption"].map((kind) => paths(html.split("<p class")[0] ?? "", kind)),
    ).toEqual([1, 1, 1, 1]);
    expect(html).toContain('<polyline class="money" points="6,57');
    expect(timelineHtml(timelineOf([1, "run.created"]), TIMELINE_WORDS)).toBe("");
  });

  test("stays small for a long journal; control: all of a few records are drawn", () => {
    const records = Array.from({ length: 10_000 }, (_, at) =>
      at % 4 === 0
        ? ([at, "tick.started"] as const)
        : at % 4 === 1
          ? ([at, "usage.settled", { cost_usd: 0.01 }] as const)
          : at % 4 === 2
            ? ([at, "halt.raised"] as const)
            : ([at, "tick.ended"] as const),
    );
    const html = timelineHtml(timelineOf(...records.map((one): [number, string, object?] => [...one])), TIMELINE_WORDS);
    expect(html).toContain("2500 ticks, 2500 halts, $25");
    expect(html.length).toBeLessThan(60_000);
    const few = timelineHtml(
      timelineOf(...records.slice(0, 40).map((one): [number, string, object?] => [...one])),
      TIMELINE_WORDS,
    );
    expect([paths(few, "tick") - 1, paths(few, "halt") - 1]).toEqual([10, 10]);
  });
});
