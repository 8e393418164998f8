// One line for each worker as it works, with the end of what its model says.
import { moment } from "../../surface/words.ts";
import { useFollowed } from "./followed.ts";
import type { LiveRun } from "./live-run.ts";

export function WorkerList({ run }: { run: LiveRun }) {
  useFollowed(run.changes);
  const { workers, waitsUntil: waits } = run;
  if (workers.length === 0 && waits === null) return null;
  return (
    <section aria-label="At work">
      <ul class="workers">
        {workers.map(({ key, title, doing, far, said }) => (
          <li key={key}>
            <strong dir="auto">{title}</strong> <span dir="auto">{doing}</span>
            {far !== "" && <span class="small"> {far}</span>}
            {said !== "" && (
              <p class="said" dir="auto">
                {said}
              </p>
            )}
          </li>
        ))}
      </ul>
      {waits !== null && <p class="small">All models wait until {moment(waits)}.</p>}
    </section>
  );
}
