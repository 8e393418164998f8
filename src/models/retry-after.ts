// Reads from the headers of an answer how long the provider asks to wait.

const LONGEST_MS = 366 * 86_400_000;
/** Date.parse alone makes a year of any number. */
const HTTP_DATE = /^\s*[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/;

/**
 * Milliseconds: from `retry-after-ms`, or from `retry-after` in seconds or as a date. Undefined when nothing is said, also
 * by a time that is over: who refuses now and asks for no wait leaves it to us how long.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const inMs = numberIn(headers["retry-after-ms"]);
  if (inMs !== undefined) return bounded(inMs);
  const text = headers["retry-after"];
  if (text === undefined) return undefined;
  const seconds = numberIn(text);
  if (seconds !== undefined) return bounded(seconds * 1000);
  return HTTP_DATE.test(text) ? bounded(Date.parse(text) - nowMs) : undefined;
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,12}(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function bounded(ms: number): number | undefined {
  return ms > 0 ? Math.min(Math.ceil(ms), LONGEST_MS) : undefined;
}
