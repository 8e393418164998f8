// Writes the map of coverage as HTML: a row of dots for each part of the question.
import { counted } from "../kernel/counted.ts";
import type { CoverageMap, MapCell } from "./coverage-map.ts";
import { foreign, richText } from "./html-text.ts";
import { columnsSvg, dotsSvg } from "./map-dots.ts";

const LEGEND =
  "By part of the question, the sources by their numbers: a dot is for claims that answer the part, a ring for claims that mention it; the larger, the more.";

export function mapHtml({ columns, rows }: CoverageMap): string {
  const lines = rows.map(({ text, cells }) => {
    const dots = dotsSvg(
      cells.map(({ answers }) => answers),
      cells.map(({ mentions }) => mentions),
      wordsOf(columns, cells),
    );
    return `<tr><th scope="row"${foreign(text)}>${richText(text)}</th><td>${dots}</td></tr>`;
  });
  return `<figure class="map">
<div class="wide" tabindex="0"><table>
<thead><tr><th scope="col">Part of the question</th><th scope="col">Sources${columnsSvg(columns)}</th></tr></thead>
<tbody>
${lines.join("\n")}
</tbody>
</table></div>
<figcaption>${LEGEND}</figcaption>
</figure>`;
}

/** `source 1: 3 claims; source 4: 1 mention` */
function wordsOf(columns: readonly string[], cells: readonly MapCell[]): string {
  const words = cells.flatMap(({ answers, mentions }, at) => {
    const name = columns[at] ?? "";
    const counts = [
      ...(answers === 0 ? [] : [counted(answers, "claim")]),
      ...(mentions === 0 ? [] : [counted(mentions, "mention")]),
    ];
    const source = name.startsWith("+") ? `${name.slice(1)} other sources` : `source ${name}`;
    return counts.length === 0 ? [] : [`${source}: ${counts.join(", ")}`];
  });
  return words.length === 0 ? "no source" : words.join("; ");
}
