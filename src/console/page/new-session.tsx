// The form that begins a run.
import { useState } from "preact/hooks";
import { useFollowed } from "./followed.ts";
import { mayChange, start } from "./session.ts";
import { startOptions, TaskFields, type Task } from "./task-form.tsx";

export function NewSession() {
  const [isStarting, setStarting] = useState(false);
  const begin = async (event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> => {
    event.preventDefault();
    const task = Object.fromEntries(new FormData(event.currentTarget)) as Partial<Task>;
    setStarting(true);
    await start(startOptions(task));
    setStarting(false);
  };
  if (!useFollowed(mayChange)) return <p>This console only shows: open a run to read it.</p>;
  return (
    <form class="new" onSubmit={(event) => void begin(event)}>
      <h1>New session</h1>
      <TaskFields />
      <button type="submit" class="primary" disabled={isStarting}>
        {isStarting ? "Starting" : "Start research"}
      </button>
    </form>
  );
}
