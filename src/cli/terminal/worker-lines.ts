// The steps under way, one line each, as wide as the terminal.
import type { ShownWorker } from "../../surface/workers.ts";
import { oneLine } from "./layout.ts";

/** Titles take at most this share of a line. */
const TITLE_SHARE = 0.4;
/** With less room than this for what a worker does, how far it is is left out. */
const LEAST_DOING = 24;

/** With more workers than `most`, the last line counts the others. */
export function workerLines(working: readonly ShownWorker[], width: number, most: number): string[] {
  const shown = working.slice(0, working.length > most ? Math.max(0, most - 1) : most);
  const titles = shown.map(({ title }) => oneLine(title, Math.floor(width * TITLE_SHARE)));
  const longest = Math.max(0, ...titles.map((title) => Bun.stringWidth(title)));
  const lines = shown.map((worker, at) => {
    const title = titles[at] ?? "";
    const room = width - longest - 4;
    return `  ${title}${" ".repeat(longest - Bun.stringWidth(title))}  ${doingText(worker, room)}`;
  });
  return most > 0 && working.length > most ? [...lines, `  and ${working.length - lines.length} more`] : lines;
}

/** `searching "option parsing" | turn 4, 3 quotes`. */
function doingText({ doing, far }: ShownWorker, room: number): string {
  const left = room - Bun.stringWidth(far) - 3;
  return far === "" || left < LEAST_DOING ? oneLine(doing, room) : `${oneLine(doing, left)} | ${far}`;
}
