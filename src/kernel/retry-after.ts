// Reads how long an HTTP answer asks to wait.

/** Date.parse would take any number for a year. */
const HTTP_DATE = /^\s*[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/;
const SECONDS = /^\s*\d{1,12}(\.\d+)?\s*$/;

/** Milliseconds from now, from seconds or a date; null when it cannot be read, below zero for a time in the past. */
export function retryAfterMs(header: string | null | undefined, nowMs: number): number | null {
  if (header == null) return null;
  const waitMs = SECONDS.test(header)
    ? Number(header) * 1000
    : HTTP_DATE.test(header)
      ? Date.parse(header) - nowMs
      : NaN;
  return Number.isNaN(waitMs) ? null : waitMs;
}
