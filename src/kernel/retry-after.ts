// Reads how long an answer over HTTP asks to wait.

/** Date.parse alone makes a year of any number. */
const HTTP_DATE = /^\s*[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/;
const SECONDS = /^\s*\d{1,12}(\.\d+)?\s*$/;

/** Milliseconds from now, by seconds or a date; null where nothing can be read, and less than zero for a time that is over. */
export function retryAfterMs(header: string | null | undefined, nowMs: number): number | null {
  if (header == null) return null;
  const waitMs = SECONDS.test(header)
    ? Number(header) * 1000
    : HTTP_DATE.test(header)
      ? Date.parse(header) - nowMs
      : NaN;
  return Number.isNaN(waitMs) ? null : waitMs;
}
