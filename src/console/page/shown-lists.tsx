// Lists that the server words and the page only lays out: the stages of a run, its gates, and its usage so far.
import type { Snapshot } from "./wire.ts";

export function StageTrack({ run }: { run: Snapshot }) {
  return (
    <ol class="track" aria-label="Stages">
      {run.shown.stages.map(({ name, state, far }) => (
        <li key={name} class={state} aria-current={state === "current" ? "step" : undefined}>
          {name} {far !== "" && <span class="small">{far}</span>}
        </li>
      ))}
    </ol>
  );
}

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
