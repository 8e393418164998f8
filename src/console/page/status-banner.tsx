// The banner of a run that does not simply continue: the reason, and what can be done.
import { useState } from "preact/hooks";
import { moment } from "../../surface/words.ts";
import { Action } from "./action.tsx";
import { act, start, askAgain, fork, said } from "./session.ts";
import type { Snapshot, Way } from "./wire.ts";

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

// --- next steps ---------------------------------------------------------------------------------------------------

/** The steps as commands to copy, and as buttons where the page can do them. */
function WaysOn({ ways }: { ways: readonly Way[] }) {
  if (ways.length === 0) return null;
  return (
    <ul class="steps">
      {ways.map((way) => (
        <li key={way.command}>
          <span class="why">{way.why}</span>
          <span class="buttons">
            <DoButton way={way} />
            {way.elsewhere !== null && <a href={`#${way.elsewhere}`}>Open that run</a>}
            <CopyButton text={way.command} />
          </span>
          <code>{way.shown}</code>
        </li>
      ))}
    </ul>
  );
}

function DoButton({ way: { why, request } }: { way: Way }) {
  if (request === null) return null;
  const { action, label, body } = request;
  return (
    <Action
      aria-label={`${label}: ${why}`}
      onClick={() => void (action === "ask" ? askAgain() : action === "fork" ? fork(body) : act(action, body))}
    >
      {label}
    </Action>
  );
}

function CopyButton({ text }: { text: string }) {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    said.value = "The command was copied.";
  };
  return (
    <button type="button" class="quiet" aria-label={`Copy: ${text}`} onClick={() => void copy()}>
      Copy
    </button>
  );
}
