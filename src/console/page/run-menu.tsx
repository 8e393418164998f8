// The menu of a run: pause, abort and other rare actions. Abort asks first.
import { useRef } from "preact/hooks";
import { act, fork, start } from "./session.ts";
import type { Snapshot } from "./wire.ts";

export function RunMenu({ run }: { run: Snapshot }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const { execution_state: state, is_terminal, halt, pending_requests, start_again: again } = run;
  const close = (): void => {
    if (menu.current !== null) menu.current.open = false;
  };
  const item = (label: string, does: () => void, isOff = false) => (
    <li>
      <button
        type="button"
        disabled={isOff}
        onClick={() => {
          close();
          does();
        }}
      >
        {label}
      </button>
    </li>
  );
  const mayReport = run.counters.sources > 0 && (state !== "running" || halt !== null);
  return (
    <>
      <details
        ref={menu}
        class="menu"
        onKeyDown={({ key }) => key === "Escape" && close()}
        onFocusOut={({ currentTarget, relatedTarget }) => {
          if (relatedTarget !== null && !currentTarget.contains(relatedTarget as Node)) close();
        }}
      >
        <summary aria-label="More actions">
          <span aria-hidden="true">•••</span>
        </summary>
        <ul>
          {state === "paused"
            ? item("Resume research", () => void act("resume"))
            : item(
                "Pause research",
                () => void act("pause"),
                state !== "running" || pending_requests.includes("pause"),
              )}
          {item("Write a report now", () => void act("generate"), !mayReport)}
          {item("Write a brief report", () => void act("generate", { template: "brief" }), !mayReport)}
          {item("Write a table of claims", () => void act("generate", { template: "table" }), !mayReport)}
          {item("Fork into a new run", () => void fork())}
          {again !== null && item("Start again from scratch", () => void start(again))}
          {item("Abort research", () => dialog.current?.showModal(), is_terminal)}
        </ul>
      </details>
      <dialog ref={dialog} aria-labelledby="abort-title">
        <h2 id="abort-title">Abort this research?</h2>
        <p>
          Abort ends research in this session for good: it cannot be resumed. What was found is kept, and reports can
          still be written from it.
        </p>
        <form method="dialog" class="buttons">
          <button class="danger" onClick={() => void act("abort", { confirm: true })}>
            Abort for good
          </button>
          <button class="quiet">Keep researching</button>
        </form>
      </dialog>
    </>
  );
}
