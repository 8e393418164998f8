// The usage of a run so far, and of how much.
import { count, duration } from "../../surface/words.ts";
import type { Snapshot } from "./wire.ts";

export function Spending({ run: { usage, words, ticks, counters } }: { run: Snapshot }) {
  const rows = [
    ["Models", words.usage ?? "none asked"],
    ["Budget", words.budget],
    ["Worked", `${duration(usage.worked_ms ?? 0)} in ${count(ticks, "tick")}`],
    [
      "Steps",
      `${counters.steps_completed} done${counters.steps_adopted > 0 ? `, ${counters.steps_adopted} adopted` : ""}`,
    ],
  ] as const;
  return (
    <section aria-label="Usage">
      <h2>Usage</h2>
      <dl>
        {rows.map(
          ([name, words]) =>
            words !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{words}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}
