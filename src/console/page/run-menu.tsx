// The menu of a run: pause, abort and other rare actions. Abort asks for confirmation.
import { useRef } from "preact/hooks";
import { Menu } from "./menu.tsx";
import { act, askAgain, fork, start } from "./session.ts";
import type { Snapshot } from "./wire.ts";

export function RunMenu({ run }: { run: Snapshot }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { execution_state: state, is_terminal, halt, pending_requests, start_again: again } = run;
  const item = (label: string, does: () => void, isOff = false) => (
    <li>
      <button type="button" disabled={isOff} onClick={does}>
        {label}
      </button>
    </li>
  );
  const isReporting = run.activity === "reporting";
  const mayReport = run.counters.sources > 0 && (state !== "running" || halt !== null) && !isReporting;
  return (
    <>
      <Menu name="More actions" label={<span aria-hidden="true">•••</span>}>
        {state === "paused" || state === "interrupted"
          ? item("Resume research", () => void act("resume"), isReporting)
          : item("Pause research", () => void act("pause"), state !== "running" || pending_requests.includes("pause"))}
        {item("Write a report now", () => void act("generate"), !mayReport)}
        {item("Write a brief report", () => void act("generate", { template: "brief" }), !mayReport)}
        {item("Write a table of claims", () => void act("generate", { template: "table" }), !mayReport)}
        {again !== null && item("Ask again in other words", () => askAgain())}
        {item("Fork into a new run", () => void fork())}
        {again !== null && item("Start again from scratch", () => void start(again))}
        {item("Abort research", () => dialog.current?.showModal(), is_terminal)}
      </Menu>
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
