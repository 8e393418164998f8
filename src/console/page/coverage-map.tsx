// The map of coverage: how many quotes each part of the question has from each source. Sources go by their letter in the list.
import { columnsSvg, dotsSvg } from "../../pages/map-dots.ts";
import { count } from "../../surface/words.ts";
import { useFollowed } from "./followed.ts";
import type { LiveRun } from "./live-run.ts";

const MAX_SOURCES = 24;

/** A letter, since a report numbers its sources differently. */
function letterOf(at: number): string {
  return String.fromCharCode(97 + at);
}

export function CoverageMap({ run }: { run: LiveRun }) {
  useFollowed(run.changes);
  const { parts, quotes } = run;
  const sources = run.sources.slice(0, MAX_SOURCES);
  if (parts.length === 0 || sources.length === 0) return null;
  const rowOf = (part: string): string => {
    const counts = sources.map(
      (source) =>
        quotes.filter(
          ({ source_digest, part_ids }) => source_digest === source.source_digest && part_ids.includes(part),
        ).length,
    );
    const words = counts.flatMap((quoted, at) =>
      quoted === 0 ? [] : `source ${letterOf(at)}: ${count(quoted, "quote")}`,
    );
    return dotsSvg(counts, [], words.join(", ") || "no quote");
  };
  return (
    <section aria-label="Coverage">
      <h2>Coverage</h2>
      <div class="wide" tabIndex={0} role="group" aria-label="Quotes by part of the question and source">
        <table class="map">
          <thead>
            <tr>
              <th scope="col">Part of the question</th>
              <th scope="col">
                Sources
                <Picture svg={columnsSvg(sources.map((_source, at) => letterOf(at)))} />
              </th>
            </tr>
          </thead>
          <tbody>
            {parts.map(({ id, text }) => (
              <tr key={id}>
                <th scope="row" dir="auto">
                  {text}
                </th>
                <td>
                  <Picture svg={rowOf(id)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Picture({ svg }: { svg: string }) {
  return <div dangerouslySetInnerHTML={{ __html: svg }} />;
}
