// The replies of the console: JSON, files and refusals, each with the headers that keep a browser in bounds.
import type { ErrorCode } from "../kernel/errors.ts";
import type { Envelope } from "../surface/envelope.ts";
import { escaped } from "../pages/html-text.ts";
import { statusOfCode } from "./statuses.ts";

/** The page loads nothing from elsewhere, runs nothing inline, and cannot be framed. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const EVERYWHERE = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

type Headers = Readonly<Record<string, string>>;

export function reply(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  status: number,
  headers: Headers,
): Response {
  return new Response(body, { status, headers: { ...EVERYWHERE, ...headers } });
}

/** Sets the headers of every reply on a response that the console did not make. */
export function guarded(response: Response): Response {
  for (const [name, value] of Object.entries(EVERYWHERE)) response.headers.set(name, value);
  return response;
}

export function json(value: unknown, status = 200, headers: Headers = {}): Response {
  return reply(JSON.stringify(value), status, { "content-type": "application/json; charset=utf-8", ...headers });
}

/** Codes that only HTTP has, next to those of the command line. */
export type HttpCode = "UNAUTHORIZED" | "FORBIDDEN" | "METHOD_NOT_ALLOWED" | "UNSUPPORTED_MEDIA_TYPE" | "BUSY";

/** Refuses a request before any verb is called. */
export function refusal(
  status: number,
  code: HttpCode | ErrorCode,
  message: string,
  hint: string,
  headers: Headers = {},
): Response {
  return json({ error: { code, message, hint, details: {} }, halt: null, run_id: null }, status, headers);
}

const RETRY_S = "5";

/** Replies with the error of a command. */
export function refused({ error, halt, contract }: Envelope): Response {
  if (error === null) throw new Error("an answer without an error refuses nothing");
  const { code, message, hint, details, retryable } = error;
  const status = statusOfCode(code);
  const later = status === 429 || status === 503 ? { "retry-after": RETRY_S } : undefined;
  return json({ error: { code, message, hint, details, retryable }, halt, run_id: contract.run_id }, status, later);
}

/** A refusal as a page that says what to do, where a browser requested one; programs get it as it is. */
export async function shownRefusal({ method, headers }: Request, response: Response): Promise<Response> {
  const isRefusal =
    response.status >= 400 && (response.headers.get("content-type") ?? "").startsWith("application/json");
  if (!isRefusal || method !== "GET" || !(headers.get("accept") ?? "").includes("text/html")) return response;
  const { error } = (await response.json()) as { error: { message: string; hint: string } };
  const more = Object.fromEntries(
    ["www-authenticate", "retry-after"].flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  return reply(refusalPage(error), response.status, { ...more, "content-type": "text/html; charset=utf-8" });
}

function refusalPage({ message, hint }: { message: string; hint: string }): string {
  const inWords = (text: string): string =>
    escaped(text.charAt(0).toUpperCase() + text.slice(1)).replace(/`([^`]*)`/g, "<code>$1</code>");
  const ways = hint.split("; ").map((way) => `<p>${inWords(way)}.</p>`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>deep-research</title>
<h1>${inWords(message)}</h1>
${ways.join("\n")}
</html>
`;
}
