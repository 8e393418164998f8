// The stages of a run as a track: those that are done, the one it is in, those to come.
import { STAGE_NAMES } from "./words.ts";
import type { Snapshot, Stage } from "./wire.ts";

export function StageTrack({ run }: { run: Snapshot }) {
  const stages = Object.keys(STAGE_NAMES) as Stage[];
  const at = stages.indexOf(run.stage.current);
  const isDone = run.execution_state === "completed";
  const { completed, total } = run.steps;
  return (
    <ol class="track" aria-label="Stages">
      {stages.map((stage, index) => {
        const isCurrent = index === at && !isDone;
        return (
          <li
            key={stage}
            class={index < at || isDone ? "done" : isCurrent ? "current" : ""}
            aria-current={isCurrent ? "step" : undefined}
          >
            {STAGE_NAMES[stage]}
            {isCurrent && total > 0 && (
              <span class="small">
                {" "}
                {completed} of {total}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
