// Words for small things: times, sizes, counts, changes of state, and who answered in place of whom.
import { shownLine } from "../kernel/shown-text.ts";
import type { Fallback } from "../run/log/provenance.ts";
import type { Answered, TriggerType } from "../run/report/report-version.ts";

export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.floor(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "1 step", "3 steps". */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** A stored time as people read it: "2026-01-31 12:03:04 UTC". */
export function moment(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 19)} UTC`;
}

/** "812 B", "3.4 MB": in powers of 1000. */
export function fileSize(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let size = bytes;
  let unit = 0;
  for (; size >= 999.5 && unit < units.length - 1; unit++) size /= 1000;
  return `${unit === 0 || size >= 99.95 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

/** A corpus of one file has the name of that file: `reading paper.pdf/paper.pdf` becomes `reading paper.pdf`. */
export function namedOnce(words: string): string {
  // A name may hold slashes, so each of them may be the one between the two names.
  for (let slash = words.indexOf("/"); slash !== -1; slash = words.indexOf("/", slash + 1)) {
    const from = slash - (words.length - slash - 1);
    const isName = from >= 0 && from < slash && /\S/.test(words.charAt(from)) && !/\S/.test(words.charAt(from - 1));
    if (isName && words.endsWith(words.slice(from, slash))) return words.slice(0, slash);
  }
  return words;
}

/** A run that ended because its work was done has no reason beyond that. */
const DONE = "natural_stop";

export function changeText({ from, to, reason }: { from: string; to: string; reason: string }): string {
  return `${from} -> ${to}${reason === DONE ? "" : `: ${reason}`}`;
}

export const TRIGGERS: Record<TriggerType, string> = {
  auto_natural_stop: "at the end",
  manual: "requested",
  budget: "at the budget",
};

export const ANSWERED_WORDS: Record<Answered, string> = {
  yes: "answers the question",
  partly: "answers a part of the question",
  nearest: "answers nothing and shows what came nearest",
};

/** `filesystem answered in place of web (web: rate_limited)`; null where none answered in place of another. */
export function fallbackText(fallbacks: readonly Fallback[]): string | null {
  if (fallbacks.length === 0) return null;
  return fallbacks
    .map(({ answered_provider_id, fallback_from_provider_id, errors }) => {
      const why = errors.length === 0 ? "" : ` (${shownLine(errors.join(", "))})`;
      return `${answered_provider_id} answered in place of ${fallback_from_provider_id}${why}`;
    })
    .join("; ");
}
