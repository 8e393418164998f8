// One run: its status, what to do about it, its report, and its evidence.
import { useLayoutEffect, useRef } from "preact/hooks";
import { moment } from "../../surface/words.ts";
import { CoverageMap } from "./coverage-map.tsx";
import { useFollowed } from "./followed.ts";
import { Journal } from "./journal.tsx";
import { Quotes } from "./quotes.tsx";
import { ReportPanel } from "./report-panel.tsx";
import { RunMenu } from "./run-menu.tsx";
import { isSnapshot, live, mayChange, run, trouble } from "./session.ts";
import { SourceDialog } from "./source-dialog.tsx";
import { Sources } from "./sources.tsx";
import { StatusBanner } from "./status-banner.tsx";
import { TaskFields } from "./task-form.tsx";
import type { Snapshot } from "./wire.ts";
import { timelineHtml } from "../../pages/timeline-picture.ts";
import { TIMELINE_WORDS } from "../../surface/timeline-words.ts";
import type { LiveRun } from "./live-run.ts";

export function RunView() {
  const shown = useFollowed(run);
  const isRefused = useFollowed(trouble) !== null;
  if (shown === null) return isRefused ? null : <p class="small">Loading</p>;
  return isSnapshot(shown) ? <Opened run={shown} /> : <Reading />;
}

/** The start of a run reads its documents first; that may take long. */
function Reading() {
  return (
    <div class="run">
      <h1>Reading the documents</h1>
      <p class="small" role="status">
        The run appears here as soon as they are read.
      </p>
      <progress aria-label="Reading the documents" />
    </div>
  );
}

function Opened({ run }: { run: Snapshot }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { question, headline, created_at, mode, driver, report_versions, run_id } = run;
  // Before it is painted: later it would take the focus out of a menu that was opened meanwhile, and close it.
  useLayoutEffect(() => {
    heading.current?.focus();
    document.title = `${question} - deep-research`;
    return () => (document.title = "deep-research");
  }, [run_id]);
  const events = useFollowed(live);
  const isChangeable = useFollowed(mayChange);
  return (
    <article class="run" data-state={run.execution_state}>
      <header>
        <p class="facts">
          <a class="back" href="#">
            All runs
          </a>
          <span class={`state ${headline.tone}`} data-testid="state">
            {headline.words}
          </span>
          {run.pending_requests.map((kind) => (
            <span key={kind} class="state warn">
              {kind} requested
            </span>
          ))}
          <span>
            {driver}, {mode}
          </span>
          <span>{moment(created_at)}</span>
          <code>{run_id}</code>
        </p>
        {isChangeable && <RunMenu run={run} />}
        <h1 ref={heading} tabIndex={-1} dir="auto">
          {question}
        </h1>
        <details class="locked">
          <summary>Question and options, as the run was made</summary>
          <TaskFields task={run.task} isLocked />
        </details>
      </header>
      <StatusBanner run={run} />
      <StageTrack run={run} />
      {events !== null && run.lease.held_by !== null && <WorkerList run={events} />}
      <div class="columns">
        <div class="reading">
          {report_versions.length > 0 && <ReportPanel run={run} />}
          {events !== null && <Quotes run={events} isOpen={report_versions.length === 0} />}
        </div>
        <div class="side">
          <Spending run={run} />
          <Gates run={run} />
          {events !== null && <CoverageMap run={events} />}
          {events !== null && <Sources run={run} live={events} />}
        </div>
      </div>
      {events !== null && <TimelineView run={events} />}
      {events !== null && <Journal run={events} />}
      <SourceDialog />
    </article>
  );
}

/** As exported files show it. */
function TimelineView({ run }: { run: LiveRun }) {
  useFollowed(run.changes);
  const html = timelineHtml(run.times.timeline, TIMELINE_WORDS);
  if (html === "") return null;
  return (
    <section aria-label="Timeline">
      <h2>Timeline</h2>
      <div dangerouslySetInnerHTML={{ __html: html }} />
    </section>
  );
}

/** One line for each worker as it works, with the end of what its model says. */
function WorkerList({ run }: { run: LiveRun }) {
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

// --- what the server words, and the page only lays out ------------------------------------------------------------

function StageTrack({ run }: { run: Snapshot }) {
  return (
    <ol class="track" aria-label="Stages">
      {run.shown.stages.map(({ name, state, far }) => (
        <li key={name} class={state} aria-current={state === "current" ? "step" : undefined}>
          {name} {far !== "" && <span class="small">{far}</span>}
        </li>
      ))}
    </ol>
  );
}

function Gates({ run }: { run: Snapshot }) {
  return (
    <section aria-label="Gates">
      <h2>Gates</h2>
      <ul class="gates">
        {run.shown.gates.map(({ gate, state, name, words }) => (
          <li key={gate} class={state}>
            <strong>{gate}</strong> <span>{name}</span> <span class="small">{words}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Spending({ run }: { run: Snapshot }) {
  return (
    <section aria-label="Usage">
      <h2>Usage</h2>
      <dl>
        {run.shown.usage.map(({ name, words }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
