// The door of the console lets in only who knows the token, which no page of another site and no other user of this machine
// does. A browser sends cookies to every port of a host, also to servers of other users. So the cookie is bound to a secret
// path.
import { timingSafeEqual } from "node:crypto";
import { digestOfBytes } from "../kernel/digest.ts";
import { refusal, reply } from "./replies.ts";

export const MAX_BODY_BYTES = 256 * 1024;
const COOKIE = "deep_research_token";
const MAX_URL_LENGTH = 8_000;
const OPEN_URL = "open the URL that `deep-research serve` printed, or send its token as Authorization: Bearer TOKEN";

export interface DoorOptions {
  token: string;
  base: string;
  port: number;
  onEnter?: () => void;
}

export class Door {
  readonly #token: string;
  readonly #hosts: ReadonlySet<string>;
  /** `/SECRET/`: everything that the page asks for is below it. */
  readonly #base: string;
  readonly #onEnter: () => void;

  /** `onEnter`: a browser was let in. */
  constructor({ token, base, port, onEnter = () => {} }: DoorOptions) {
    this.#onEnter = onEnter;
    this.#token = token;
    this.#base = `/${base}/`;
    this.#hosts = new Set(["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`));
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
    if (url.pathname === "/" && url.searchParams.has("token")) return this.#enter(request, url);
    if (!this.#knowsToken(request))
      return refusal(401, "UNAUTHORIZED", "this needs the token of the console", OPEN_URL, {
        "www-authenticate": "Bearer",
      });
    const origin = request.headers.get("origin");
    if (origin !== null && origin !== `http://${host}`)
      return refusal(
        403,
        "FORBIDDEN",
        "a page of another site asks",
        "ask from the console's own page, or without one",
      );
    if (url.pathname.startsWith(this.#base)) url.pathname = url.pathname.slice(this.#base.length - 1);
    return request.method === "POST" ? (refusedBody(request) ?? url) : url;
  }

  /** Moves the token from the address, where the history would keep it, to a cookie. */
  #enter({ method }: Request, url: URL): Response {
    const given = url.searchParams.get("token") ?? "";
    const isIt = method === "GET" && this.#isToken(given);
    if (!isIt) return refusal(401, "UNAUTHORIZED", "this is not the token of the console", OPEN_URL);
    this.#onEnter();
    // Lax, since with Strict a browser that follows the URL from another page sends no cookie. A read changes nothing.
    const cookie = `${COOKIE}=${this.#token}; HttpOnly; SameSite=Lax; Path=${this.#base}`;
    return reply(null, 303, { location: this.#base, "set-cookie": cookie });
  }

  #knowsToken({ headers }: Request): boolean {
    const [, bearer] = /^Bearer ([\x21-\x7e]+)$/i.exec(headers.get("authorization") ?? "") ?? [];
    if (bearer !== undefined) return this.#isToken(bearer);
    const cookies = (headers.get("cookie") ?? "").split(/; */).map((one) => one.split("="));
    return cookies.some(([name, value = ""]) => name === COOKIE && this.#isToken(value));
  }

  /** Takes the same time for every wrong token. */
  #isToken(given: string): boolean {
    return timingSafeEqual(Buffer.from(digestOfBytes(given)), Buffer.from(digestOfBytes(this.#token)));
  }
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
