// Draws the timeline of a run as SVG: ticks as bars, stops as marks, money as a line. Long waits are shortened.
import { counted } from "../kernel/counted.ts";
import { type Moment, scaleOf, type Timeline } from "./timeline.ts";

const WIDTH = 1000;
/** Marks of one kind that are closer than this are drawn as one. */
const APART = 7;

/**
 * SVG paths, 10 wide, which begin at the middle of the upper edge. Each kind has its own shape, for print and for readers who
 * distinguish few colours.
 */
const SHAPES: Record<Moment["kind"] | "tick" | "money", string> = {
  tick: "m-5 1h10v8h-10z",
  halt: "m-4 0h8v8h-8z",
  interruption: "m-5 0h10l-10 10h10z",
  pause: "m-4 0h3v9h-3zm5 0h3v9h-3z",
  report: "m-5 0h10l-5 10z",
  failure: "m0 0l5 5-5 5-5-5z",
  abort: "m-5 1l1-1 4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4z",
  money: "m-5 9l10-7",
};

/** How a surface writes times, given in milliseconds, and amounts of money. */
export interface TimelineWords {
  readonly time: (ms: number) => string;
  readonly dollars: (amount: number) => string;
}

/** Empty when the run has no tick. What falls on one place is drawn once, so the picture stays small. */
export function timelineHtml(timeline: Timeline, { time, dollars }: TimelineWords): string {
  const { ticks, moments, money } = timeline;
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (first === undefined || last === undefined) return "";
  const { at, cuts } = scaleOf(timeline);
  const x = (ms: number): number => Math.round(at(ms) * (WIDTH - 12)) + 6;
  const spent = money.at(-1)?.usd ?? 0;
  const facts: [kind: keyof typeof SHAPES, text: string][] = [
    ["tick", counted(ticks.length, "tick")],
    ...[...Map.groupBy(moments, ({ kind }) => kind)].map(([kind, own]): [typeof kind, string] => [
      kind,
      counted(own.length, kind),
    ]),
    ...(spent > 0 ? [["money", dollars(spent)] as ["money", string]] : []),
  ];
  const range = `${time(first.start)} to ${time(last.end)}`;
  const words = facts.map(([, text]) => text).join(", ");
  const points = new Map(money.map(({ at: ms, usd }) => [x(ms), Number((57 - (usd / spent) * 16).toFixed(1))]));
  const line = [...points].map((point) => ` ${point.join()}`).join("");
  return `<svg class="timeline" viewBox="0 0 ${WIDTH} ${spent > 0 ? 60 : 40}" role="img" aria-label="Timeline, ${range}: ${words}"><path class="axis" d="M0 26h${WIDTH}"/>${
    bars(ticks.filter(({ isCutOff }) => !isCutOff)) +
    bars(
      ticks.filter(({ isCutOff }) => isCutOff),
      " cut",
    )
  }${[...new Set(cuts.map((place) => Math.round(place * WIDTH)))].map((place) => `<path class="wait" d="M${place - 3} 32l4-12m3 12l4-12"/>`).join("")}${marks()}${
    line && `<polyline class="money" points="6,57${line}"/>`
  }</svg><p class="small legend"><span>${range}</span>${facts.map(([kind, text]) => `<span class="${kind}"><svg width="12" height="12" aria-hidden="true"><path d="M6 1${SHAPES[kind]}"/></svg>${text}</span>`).join("")}</p>`;

  function bars(spans: Timeline["ticks"], kind = ""): string {
    const drawn: { from: number; to: number }[] = [];
    for (const { start, end } of spans) {
      const [from, to] = [x(start), Math.max(x(start) + 2, x(end) - 1)];
      const before = drawn.at(-1);
      if (before !== undefined && from <= before.to) before.to = Math.max(before.to, to);
      else drawn.push({ from, to });
    }
    return drawn
      .map(({ from, to }) => `<rect class="tick${kind}" x="${from}" y="16" width="${to - from}" height="20" rx="2"/>`)
      .join("");
  }

  function marks(): string {
    const lastOf: Record<string, { place: number; count: number; kind: Moment["kind"]; ms: number }> = {};
    const drawn = moments.flatMap(({ at: ms, kind }) => {
      const [place, before] = [x(ms), lastOf[kind]];
      if (before !== undefined && place - before.place < APART) {
        before.count++;
        return [];
      }
      return (lastOf[kind] = { place, count: 1, kind, ms });
    });
    return drawn
      .map(
        ({ place, count, kind, ms }) =>
          `<path class="${kind}" d="M${place} 2${SHAPES[kind]}"><title>${counted(count, kind)}, ${time(ms)}</title></path>`,
      )
      .join("");
  }
}
