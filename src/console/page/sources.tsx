// The stored sources of a run, which provider gave each, and which replaced which.
import { count } from "../../surface/words.ts";
import { useFollowed } from "./followed.ts";
import type { LiveRun } from "./live-run.ts";
import { openSource } from "./source-dialog.tsx";
import type { Snapshot } from "./wire.ts";

export function Sources({ run, live }: { run: Snapshot; live: LiveRun }) {
  useFollowed(live.changes);
  const { sources } = live;
  const { provider, fallbacks } = run.shown;
  return (
    <section class="sources-panel" aria-label="Sources">
      <h2>
        Sources <span class="small">{sources.length}</span>
      </h2>
      {provider !== null && (
        <p class="small" data-testid="provenance">
          Provider: <strong>{provider.name}</strong>, {provider.why}; {count(live.quotes.length, "quote")} from{" "}
          {count(sources.length, "source")}.
        </p>
      )}
      {fallbacks !== null && <p class="lacks">{fallbacks}</p>}
      <ol class="stored">
        {sources.map(({ source_digest, title, origin, provider_id, fallback_from_provider_id }) => (
          <li key={source_digest}>
            <button type="button" class="link" dir="auto" onClick={() => openSource(source_digest)}>
              {title}
            </button>
            <span class="small">
              <bdi>{origin}</bdi> · {provider_id}
              {fallback_from_provider_id !== undefined && ` in place of ${fallback_from_provider_id}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
