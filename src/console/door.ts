// The door of the console lets in only who knows the token, which no page of another site and no other user of this machine
// does. A browser comes with a ticket, which is good once, and leaves with the token as a cookie. It sends cookies to every
// port of a host, also to servers of other users, so the cookie is bound to a secret path.
import { timingSafeEqual } from "node:crypto";
import { digestOfBytes } from "../kernel/digest.ts";
import { refusal, reply } from "./replies.ts";

export const MAX_BODY_BYTES = 256 * 1024;
const COOKIE = "deep_research_token";
const MAX_URL_LENGTH = 8_000;
const OPEN_URL =
  "open the address that `deep-research serve` printed last: each lets one browser in, once; or run `deep-research serve --open`; programs send `Authorization: Bearer TOKEN`";

export interface DoorOptions {
  token: string;
  base: string;
  port: number;
  readonly newTicket: () => string;
  /** A browser was let in: the ticket for the next one. */
  readonly onEnter?: (ticket: string) => void;
}

export class Door {
  readonly #token: string;
  readonly #hosts: ReadonlySet<string>;
  /** `/SECRET/`: everything that the page requests is below it. */
  readonly #base: string;
  readonly #newTicket: () => string;
  readonly #onEnter: (ticket: string) => void;
  #ticket: string;

  constructor({ token, base, port, newTicket, onEnter = () => {} }: DoorOptions) {
    this.#newTicket = newTicket;
    this.#onEnter = onEnter;
    this.#ticket = newTicket();
    this.#token = token;
    this.#base = `/${base}/`;
    this.#hosts = new Set(["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`));
  }

  /** Lets one browser in. */
  get ticket(): string {
    return this.#ticket;
  }

  /**
   * The URL of a request that is let in, without the secret path; otherwise the refusal. The Host is judged first, since the
   * URL is made from it.
   */
  judge(request: Request): URL | Response {
    const host = request.headers.get("host") ?? "";
    if (!this.#hosts.has(host))
      return refusal(403, "FORBIDDEN", "the Host header names another server than this one", OPEN_URL);
    const url = request.url.length > MAX_URL_LENGTH ? null : URL.parse(request.url);
    if (url === null) return refusal(400, "INVALID_ARGS", "not a URL, or one that is too long", OPEN_URL);
    if (url.pathname === "/" && url.searchParams.has("ticket")) return this.#enter(request, url);
    if (!this.#knowsToken(request))
      return refusal(401, "UNAUTHORIZED", "this browser or program is not let in", OPEN_URL, {
        "www-authenticate": "Bearer",
      });
    const origin = request.headers.get("origin");
    if (origin !== null && origin !== `http://${host}`)
      return refusal(
        403,
        "FORBIDDEN",
        "a page of another site sent it",
        "send it from the console's own page, or without one",
      );
    if (url.pathname.startsWith(this.#base)) url.pathname = url.pathname.slice(this.#base.length - 1);
    return request.method === "POST" ? (refusedBody(request) ?? url) : url;
  }

  /** Exchanges the ticket for a cookie. The address that stays in the history gives no access any more. */
  #enter({ method }: Request, url: URL): Response {
    if (method !== "GET" || !isSame(url.searchParams.get("ticket") ?? "", this.#ticket))
      return refusal(401, "UNAUTHORIZED", "this address was used before, or is of an earlier start", OPEN_URL);
    this.#ticket = this.#newTicket();
    this.#onEnter(this.#ticket);
    // Lax, since with Strict a browser that follows the URL from another page sends no cookie. A read changes nothing.
    const cookie = `${COOKIE}=${this.#token}; HttpOnly; SameSite=Lax; Path=${this.#base}`;
    return reply(null, 303, { location: this.#base, "set-cookie": cookie });
  }

  #knowsToken({ headers }: Request): boolean {
    const [, bearer] = /^Bearer ([\x21-\x7e]+)$/i.exec(headers.get("authorization") ?? "") ?? [];
    if (bearer !== undefined) return isSame(bearer, this.#token);
    const cookies = (headers.get("cookie") ?? "").split(/; */).map((one) => one.split("="));
    return cookies.some(([name, value = ""]) => name === COOKIE && isSame(value, this.#token));
  }
}

/** Takes the same time for every wrong word. */
function isSame(given: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(digestOfBytes(given)), Buffer.from(digestOfBytes(secret)));
}

function refusedBody({ headers }: Request): Response | null {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json")
    return refusal(415, "UNSUPPORTED_MEDIA_TYPE", "a POST is application/json", "send content-type: application/json");
  return Number(headers.get("content-length") ?? 0) > MAX_BODY_BYTES ? tooLarge() : null;
}

export function tooLarge(): Response {
  return refusal(413, "INPUT_TOO_LARGE", `a request has at most ${MAX_BODY_BYTES} bytes`, "send less at once");
}
