// The timeline as a picture: ticks as bars, stops as marks, money as a line; long waits are shortened.
import { dollars } from "../../surface/usage-words.ts";
import { count, moment } from "../../surface/words.ts";
import { useFollowed } from "./followed.ts";
import type { LiveRun } from "./live-run.ts";
import { scaleOf } from "./timeline.ts";

const WIDTH = 1000;
export function TimelineView({ run }: { run: LiveRun }) {
  useFollowed(run.changes);
  const { timeline } = run;
  const { ticks, moments, money } = timeline;
  const first = ticks[0];
  if (first === undefined) return null;
  const { at, cuts } = scaleOf(timeline);
  const x = (time: number): number => Math.round(at(time) * (WIDTH - 8)) + 4;
  const spent = money.at(-1)?.usd ?? 0;
  const points = money.map((one) => `${x(one.at)},${54 - (one.usd / spent) * 18}`).join(" ");
  const kinds = Object.groupBy(moments, ({ kind }) => kind);
  const words = [
    count(ticks.length, "tick"),
    ...Object.entries(kinds).map(([kind, own]) => count(own.length, kind)),
    ...(spent > 0 ? [dollars(spent)] : []),
  ];
  return (
    <section aria-label="Timeline">
      <h2>Timeline</h2>
      <svg
        class="timeline"
        viewBox={`0 0 ${WIDTH} ${spent > 0 ? 60 : 40}`}
        role="img"
        aria-label={`Timeline: ${words.join(", ")}`}
      >
        <line class="axis" x1="0" x2={WIDTH} y1="26" y2="26" />
        {ticks.map(({ start, end, isCutOff }) => (
          <rect
            key={start}
            class={isCutOff ? "tick cut" : "tick"}
            x={x(start)}
            y="16"
            height="20"
            rx="2"
            width={Math.max(2, x(end) - x(start) - 1)}
          >
            <title>{timeText(start)}</title>
          </rect>
        ))}
        {cuts.map((place) => (
          <path key={place} class="wait" d={`M${place * WIDTH - 3} 32l4-12m3 12l4-12`} />
        ))}
        {moments.map(({ at: time, kind }) => (
          <path key={`${time} ${kind}`} class={kind} d={`M${x(time) - 5} 2h10l-5 10z`}>
            <title>{`${kind}, ${timeText(time)}`}</title>
          </path>
        ))}
        {spent > 0 && <polyline class="money" points={`4,54 ${points}`} />}
      </svg>
      <p class="small legend">
        <span>from {timeText(first.start)}</span>
        <span class="tick">{words[0]}</span>
        {Object.entries(kinds).map(([kind, own]) => (
          <span key={kind} class={kind}>
            {count(own.length, kind)}
          </span>
        ))}
        {spent > 0 && <span class="money">{dollars(spent)}</span>}
      </p>
    </section>
  );
}

function timeText(ms: number): string {
  return moment(new Date(ms).toISOString());
}
