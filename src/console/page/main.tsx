// The page of the console: the runs, and the one that is open or a form for a new one.
import { render } from "preact";
import { useFollowed } from "./followed.ts";
import { NewSession } from "./new-session.tsx";
import { RunView } from "./run-view.tsx";
import { RunsList } from "./runs-list.tsx";
import { begin, openId, said, trouble } from "./session.ts";

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
