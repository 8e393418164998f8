// The six gates of a run, and whether each has passed.
import type { Snapshot } from "./wire.ts";

export function Gates({ run }: { run: Snapshot }) {
  return (
    <section aria-label="Gates">
      <h2>Gates</h2>
      <ul class="gates">
        {run.shown.gates.map(({ gate, state, name, words }) => (
          <li key={gate} class={state}>
            <strong>{gate}</strong> <span>{name}</span> <span class="small">{words}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
