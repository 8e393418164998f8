// The timeline of the run that is open, as exported files show it.
import { timelineHtml } from "../../pages/timeline-picture.ts";
import { TIMELINE_WORDS } from "../../surface/timeline-words.ts";
import { useFollowed } from "./followed.ts";
import type { LiveRun } from "./live-run.ts";

export function TimelineView({ run }: { run: LiveRun }) {
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
