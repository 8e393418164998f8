// The map of coverage: which part of the question has how many quotes from which source.
import { count } from "../../surface/words.ts";
import { useFollowed } from "./followed.ts";
import type { LiveRun } from "./live-run.ts";

const MAX_SOURCES = 24;
const MAX_RADIUS = 7;

export function CoverageMap({ run }: { run: LiveRun }) {
  useFollowed(run.changes);
  const { parts, quotes } = run;
  const sources = run.sources.slice(0, MAX_SOURCES);
  if (parts.length === 0 || sources.length === 0) return null;
  const countOf = (part: string, source: string): number =>
    quotes.filter(({ source_digest, part_ids }) => source_digest === source && part_ids.includes(part)).length;
  return (
    <section aria-label="Coverage">
      <h2>Coverage</h2>
      <div class="wide" tabIndex={0} role="group" aria-label="Quotes by part of the question and source">
        <table class="map">
          <thead>
            <tr>
              <th scope="col">Part of the question</th>
              {sources.map(({ source_digest, title }) => (
                <th key={source_digest} scope="col">
                  <span dir="auto">{title}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {parts.map(({ id, text }) => (
              <tr key={id}>
                <th scope="row" dir="auto">
                  {text}
                </th>
                {sources.map(({ source_digest }) => (
                  <Cell key={source_digest} quotes={countOf(id, source_digest)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Cell({ quotes }: { quotes: number }) {
  const radius = Math.min(MAX_RADIUS, 2.5 + Math.sqrt(quotes) * 1.5);
  return (
    <td>
      <svg viewBox="0 0 16 16" width="16" height="16" role="img" aria-label={count(quotes, "quote")}>
        {quotes === 0 ? <circle class="none" cx="8" cy="8" r="1.2" /> : <circle cx="8" cy="8" r={radius} />}
      </svg>
    </td>
  );
}
