// The six gates of a run, and whether each has passed.
import { GATE_NAMES } from "./words.ts";
import type { Snapshot } from "./wire.ts";

const WORDS: Record<string, string> = { pass: "passed", fail: "failed", not_run: "open" };

export function Gates({ run: { gates } }: { run: Snapshot }) {
  return (
    <section aria-label="Gates">
      <h2>Gates</h2>
      <ul class="gates">
        {Object.entries(gates).map(([gate, status]) => (
          <li key={gate} class={status}>
            <strong>{gate}</strong> <span>{GATE_NAMES[gate]}</span> <span class="small">{WORDS[status]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
