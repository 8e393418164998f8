// The list of runs: the newest first, with the status of each.
import { useState } from "preact/hooks";
import { count } from "../../surface/words.ts";
import { dollars } from "../../surface/usage-words.ts";
import { Action } from "./action.tsx";
import { useFollowed } from "./followed.ts";
import { isSnapshot, openId, openRun, run as openedRun, runs } from "./session.ts";
import type { Listed } from "./wire.ts";

/** With fewer there is nothing to search. */
const LEAST_TO_FILTER = 8;

export function RunsList() {
  const [wanted, want] = useState("");
  const listing = useFollowed(runs);
  const all = listing?.runs ?? null;
  const open = useFollowed(openId);
  const words = wanted.toLowerCase().trim();
  const shown = (all ?? []).filter(
    ({ question, run_id, headline }) =>
      words === "" || `${question} ${run_id} ${headline.words}`.toLowerCase().includes(words),
  );
  return (
    <nav class="runs" aria-label="Runs">
      <div class="runs-head">
        <a class="brand" href="#">
          deep-research
        </a>
        <Action class={open === null ? "quiet" : "primary"} onClick={() => openRun(null)}>
          New session
        </Action>
      </div>
      {all !== null && all.length >= LEAST_TO_FILTER && (
        <input
          type="search"
          aria-label="Find a run"
          placeholder={`Find among ${all.length} runs`}
          value={wanted}
          onInput={({ currentTarget }) => want(currentTarget.value)}
        />
      )}
      {all?.length === 0 && <p class="small">No runs yet.</p>}
      {words !== "" && (
        <p class="small" role="status">
          {count(shown.length, "run")} of {all?.length}
        </p>
      )}
      {listing !== null && listing.unreadable.length > 0 && (
        <p class="small">
          {count(listing.unreadable.length, "run")} cannot be read: <code>deep-research triage --all</code>
        </p>
      )}
      <ul>
        {shown.map((one) =>
          one.address === open ? <OpenRow key={one.address} run={one} /> : <Row key={one.address} run={one} />,
        )}
      </ul>
      {listing !== null && listing.matched > listing.runs.length && (
        <p class="small">
          The newest {listing.runs.length} of {listing.matched}.
        </p>
      )}
    </nav>
  );
}

/** The run that is open is read more often than the list, and both say the same. */
function OpenRow({ run }: { run: Listed }) {
  const shown = useFollowed(openedRun);
  if (shown === null || !isSnapshot(shown)) return <Row run={run} isOpen />;
  const { headline, execution_state, shown: words } = shown;
  const stage_name = words.stages.find(({ state }) => state === "current")?.name ?? "";
  return <Row run={{ ...run, headline, execution_state, stage_name }} isOpen />;
}

function Row({ run, isOpen = false }: { run: Listed; isOpen?: boolean }) {
  const { address, question, headline, stage_name, created_at, usage, report_versions } = run;
  const isDone = run.execution_state === "completed";
  const facts = [
    isDone ? "" : stage_name,
    report_versions > 1 ? `${report_versions} versions` : "",
    usage.cost_usd > 0 ? dollars(usage.cost_usd) : "",
  ];
  return (
    <li>
      <a href={`#${address}`} aria-current={isOpen ? "page" : undefined}>
        <span class="question" dir="auto">
          {question}
        </span>
        <span class="facts">
          <span class={`state ${headline.tone}`}>{headline.words}</span>
          {facts
            .filter((fact) => fact !== "")
            .map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          <span>
            <time dateTime={created_at}>{ago(created_at)}</time> ago
          </span>
        </span>
      </a>
    </li>
  );
}

/** `12 s`, `3 min`, `5 h`, `2 d` */
function ago(ts: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(ts)) / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}
