// The banner of a run that does not simply continue: the reason, and what can be done.
import { useState } from "preact/hooks";
import { moment } from "../../surface/words.ts";
import { Action } from "./action.tsx";
import { act, start } from "./session.ts";
import { WaysOn } from "./ways-on.tsx";
import type { Snapshot } from "./wire.ts";

/** Conditions without a banner, unless files are damaged. */
const CALM = new Set(["working", "held", "completed"]);

export function StatusBanner({ run }: { run: Snapshot }) {
  if (run.condition === "interrupted" && run.activity !== "reporting")
    return <Interrupted key={`${run.run_id} ${run.since}`} run={run} />;
  const { headline, sentence, since, shown, ways_on, problems } = run;
  if (CALM.has(run.condition) && problems.length === 0) return null;
  return (
    <section class={`banner ${headline.tone}`} aria-label="Status of the run">
      <h2>{headline.words}</h2>
      <p>
        <InWords text={sentence} /> <span class="small">Since {moment(since)}.</span>
      </p>
      {problems.length > 0 && <p class="doubt">Cannot be trusted: {problems.map(({ path }) => path).join(", ")}</p>}
      {shown.reasons.map((reason) => (
        <p key={reason} dir="auto">
          {reason}
        </p>
      ))}
      <WaysOn ways={ways_on} />
    </section>
  );
}

/** Text of the server, in which commands are between backticks. */
function InWords({ text }: { text: string }) {
  return <>{text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}

// --- interrupted --------------------------------------------------------------------------------------------------

function Interrupted({ run }: { run: Snapshot }) {
  const key = `dismissed ${run.run_id} ${run.since}`;
  const [isDismissed, setDismissed] = useState(remembered(key));
  if (isDismissed) return null;
  const { start_again: again } = run;
  const dismiss = (): void => {
    remember(key);
    setDismissed(true);
  };
  return (
    <section class="banner amber" aria-label="Interrupted">
      <h2>This run was interrupted</h2>
      <p>
        <InWords text={run.sentence} /> <span class="small">Last sign of life: {moment(run.since)}.</span>
      </p>
      <p class="buttons">
        <Action class="primary" onClick={() => void act("resume")}>
          Resume
        </Action>
        {again !== null && (
          <Action onClick={() => void start(again)} title="A new run; this one is kept">
            Retry from scratch
          </Action>
        )}
        <button type="button" class="quiet" onClick={dismiss}>
          Dismiss
        </button>
      </p>
    </section>
  );
}

function remembered(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

function remember(key: string): void {
  try {
    localStorage.setItem(key, "1");
  } catch {
    // A browser that stores nothing shows the banner again.
  }
}
