// The usage of a run so far, and of how much.
import type { Snapshot } from "./wire.ts";

export function Spending({ run }: { run: Snapshot }) {
  return (
    <section aria-label="Usage">
      <h2>Usage</h2>
      <dl>
        {run.shown.usage.map(({ name, words }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
