// Draws one row of a map as SVG, with a dot for each column. The page of the console uses it, too.

/** The distance of two columns. The style sheet repeats it. */
const COLUMN = 18;
const HEIGHT = 18;
const MAX_RADIUS = 8;

/** `filled` and `rings`: counts by column, which make dots and rings larger. `words`: the same for who cannot see it. */
export function dotsSvg(filled: readonly number[], rings: readonly number[], words: string): string {
  const dot = (count: number, at: number, kind: string): string =>
    count === 0 ? "" : `<circle${kind} cx="${centre(at)}" cy="9" r="${radiusOf(count)}"/>`;
  const dots = filled.map((count, at) => dot(rings[at] ?? 0, at, ' class="ring"') + dot(count, at, ""));
  const points = `<path d="M9 9h${(filled.length - 1) * COLUMN + 1}"/>`;
  return `${opened(filled.length)} role="img" aria-label="${words}">${points}${dots.join("")}</svg>`;
}

/** The names of the columns. They are hidden from screen readers, which read them with each row. */
export function columnsSvg(names: readonly string[]): string {
  const texts = names.map((name, at) => `<text x="${centre(at)}" y="13">${name}</text>`);
  return `${opened(names.length)} aria-hidden="true">${texts.join("")}</svg>`;
}

function opened(columns: number): string {
  return `<svg width="${columns * COLUMN}" height="${HEIGHT}"`;
}

function centre(at: number): number {
  return at * COLUMN + COLUMN / 2;
}

function radiusOf(count: number): number {
  return Number(Math.min(MAX_RADIUS, 2 + Math.sqrt(count) * 2).toFixed(1));
}
