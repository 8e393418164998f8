// The form that begins a run, empty or filled from another one.
import { useEffect, useState } from "preact/hooks";
import { useFollowed } from "./followed.ts";
import { draft, mayChange, start } from "./session.ts";
import { startOptions, TaskFields } from "./task-form.tsx";
import type { Task } from "./wire.ts";

export function NewSession() {
  const [isStarting, setStarting] = useState(false);
  const from = useFollowed(draft);
  const [isKept, keep] = useState(true);
  // The form is empty again after it was left.
  useEffect(() => () => void (draft.value = null), []);
  const begin = async (event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> => {
    event.preventDefault();
    const task = Object.fromEntries(new FormData(event.currentTarget)) as Partial<Task>;
    setStarting(true);
    const others = Object.entries((isKept && from?.start_again) || {}).filter(([name]) => !(name in task));
    await start({ ...Object.fromEntries(others), ...startOptions(task) });
    setStarting(false);
  };
  if (!useFollowed(mayChange)) return <p>This console only shows: open a run to read it.</p>;
  return (
    <form class="new" onSubmit={(event) => void begin(event)}>
      <h1>New session</h1>
      <TaskFields {...(from === null ? {} : { task: from.task })} />
      {from !== null && from.besides !== "" && (
        <p>
          <label class="small">
            <input type="checkbox" checked={isKept} onChange={() => keep(!isKept)} /> As in that run: {from.besides}
          </label>
        </p>
      )}
      <button type="submit" class="primary" disabled={isStarting}>
        {isStarting ? "Starting" : "Start research"}
      </button>
    </form>
  );
}
