// The stages of a run as a track: those that are done, the one it is in, those to come.
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
