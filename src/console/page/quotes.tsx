// The quotes of a run as they are found, the newest first; each opens its place in its source.
import { useFollowed } from "./followed.ts";
import type { LiveRun } from "./live-run.ts";
import { openQuote } from "./source-dialog.tsx";

const MAX_SHOWN = 60;
const MAX_LENGTH = 280;

export function Quotes({ run, isOpen }: { run: LiveRun; isOpen: boolean }) {
  useFollowed(run.changes);
  const { quotes, sources } = run;
  if (quotes.length === 0) return null;
  const titles = new Map(sources.map(({ source_digest, title }) => [source_digest, title]));
  const shown = quotes.slice(-MAX_SHOWN).toReversed();
  return (
    <details class="quotes" open={isOpen}>
      <summary>
        <h2>Quotes found</h2> <span class="small">{quotes.length}</span>
      </summary>
      <ul>
        {shown.map((quote) => (
          <li key={`${quote.source_digest} ${quote.start} ${quote.end}`}>
            <button type="button" class="quote" dir="auto" onClick={() => openQuote(quote)}>
              {quote.text.length > MAX_LENGTH ? `${quote.text.slice(0, MAX_LENGTH)}…` : quote.text}
            </button>
            <span class="small" dir="auto">
              {titles.get(quote.source_digest)}
              {quote.statement !== undefined && `: ${quote.statement}`}
            </span>
          </li>
        ))}
      </ul>
      {quotes.length > MAX_SHOWN && <p class="small">and {quotes.length - MAX_SHOWN} earlier ones</p>}
    </details>
  );
}
