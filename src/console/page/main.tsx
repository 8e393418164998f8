// The page of the console: the runs, and the one that is open or a form for a new one.
import { render } from "preact";
import { useFollowed } from "./followed.ts";
import { RunView } from "./run-view.tsx";
import { RunsList } from "./runs-list.tsx";
import { begin, openId, said, trouble, draft, mayChange, start } from "./session.ts";
import { useEffect, useState } from "preact/hooks";
import { startOptions, TaskFields } from "./task-form.tsx";
import type { Task } from "./wire.ts";

function Page() {
  const id = useFollowed(openId);
  const words = useFollowed(said);
  return (
    <div class={id === null ? "page" : "page has-run"}>
      <RunsList />
      <main id="main">
        <Trouble />
        {id === null ? <NewSession /> : <RunView key={id} />}
      </main>
      <p class="unseen" role="status">
        {words}
      </p>
    </div>
  );
}

/** The form that begins a run, empty or filled from another one. */
function NewSession() {
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

/** What the server refused. It stays until it is closed or another request is sent. */
function Trouble() {
  const refusal = useFollowed(trouble);
  if (refusal === null) return null;
  const { message, hint, path } = refusal;
  return (
    <div class="banner bad" role="alert">
      <p>
        <strong>{message}</strong> {path !== null && <code dir="auto">{path}</code>}
      </p>
      <p>{hint}</p>
      <button type="button" class="quiet" onClick={() => (trouble.value = null)}>
        Close
      </button>
    </div>
  );
}

const place = document.getElementById("page");
if (place !== null) render(<Page />, place);
begin();
