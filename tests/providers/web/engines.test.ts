// Each search engine is asked in its own way, and its refusals are typed failures.
import { describe, expect, test } from "bun:test";
import type { EngineSettings } from "../../../src/providers/web/engines/engines.ts";
import { failureOf, NO_ABORT, page, Site } from "./loopback.ts";
import { openWeb } from "./open-web.ts";

const KEYS = { BRAVE_API_KEY: "brave-secret", TAVILY_API_KEY: "tavily-secret", EXA_API_KEY: "exa-secret" };

interface ReceivedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

/** A server at the URLs of all engines that answers as the test says. */
function service(
  answer: (received: ReceivedRequest) => Response | Promise<Response>,
): Site & { requests: ReceivedRequest[] } {
  const requests: ReceivedRequest[] = [];
  const site = new Site(async (request, url) => {
    const received = {
      method: request.method,
      path: url.pathname + url.search,
      headers: Object.fromEntries(request.headers),
      body: request.method === "POST" ? await request.json() : null,
    };
    requests.push(received);
    return await answer(received);
  });
  return Object.assign(site, { requests });
}

function settingsFor(site: Site, ...order: NonNullable<EngineSettings["order"]>): EngineSettings {
  const at = (path: string): string => site.at("127.0.0.1", path);
  return { order, searxngUrl: at("/searx"), urls: { brave: at("/brave"), tavily: at("/tavily"), exa: at("/exa") } };
}

const RESULTS = (url: string): Response =>
  Response.json({ results: [{ url, title: "Leases", extra: { any: 1 } }], more: 1 });

describe("each engine", () => {
  test("is asked in its own way with its key only in a header, and its hits are read", async () => {
    using pages = new Site(() => page("Leases", "A lease ends."));
    const url = pages.at("a.test", "/leases");
    using site = service(({ path }) =>
      path.startsWith("/brave") ? Response.json({ web: { results: [{ url }] } }) : RESULTS(url),
    );
    for (const id of ["searxng", "brave", "tavily", "exa"] as const) {
      using web = openWeb([pages, site], { engines: settingsFor(site, id) }, { environment: KEYS });
      expect(await web.provider.search("a lease & more", 4, NO_ABORT)).toHaveLength(1);
    }
    const [searx, brave, tavily, exa] = site.requests;
    expect(searx).toMatchObject({ method: "GET", path: "/searx/search?q=a+lease+%26+more&format=json" });
    expect(brave).toMatchObject({
      path: "/brave?q=a+lease+%26+more&count=15",
      headers: { "x-subscription-token": "brave-secret" },
    });
    expect(tavily).toMatchObject({
      method: "POST",
      headers: { authorization: "Bearer tavily-secret" },
      body: { query: "a lease & more", max_results: 15 },
    });
    expect(exa).toMatchObject({ method: "POST", headers: { "x-api-key": "exa-secret" }, body: { numResults: 15 } });
    expect(site.requests.some(({ path }) => path.includes("secret"))).toBe(false);
  });

  test("keeps the query of its URL", async () => {
    using site = service(() => Response.json({ results: [] }));
    using web = openWeb([site], { engines: { searxngUrl: site.at("127.0.0.1", "/s/?token=t") } });
    expect(await web.provider.search("lease", 4, NO_ABORT)).toEqual([]);
    expect(site.requests[0]?.path).toBe("/s/search?token=t&q=lease&format=json");
  });

  test("that cannot be reached is named without the question and the query of its URL", async () => {
    const silent = { results: [], unresponsive_engines: [["one", "gone"]] };
    using site = service(() => Response.json(silent));
    for (const origin of ["http://127.0.0.1:1", site.at("127.0.0.1", "")]) {
      using web = openWeb([site], { engines: { searxngUrl: `${origin}/?token=hush` } });
      await failureOf(web.provider.search("lease", 4, NO_ABORT));
      expect(web.blocked).toMatchObject([{ url: `${origin}/search` }]);
    }
  });

  test("is only asked when it is set up", () => {
    using site = service(() => RESULTS("http://a.test/"));
    expect(() => openWeb([site], { engines: { order: ["brave"] } }, { environment: {} })).toThrow("needs a search key");
    expect(() => openWeb([site], { engines: {} }, { environment: { BRAVE_API_KEY: " " } })).toThrow(
      "needs a search key",
    );
    for (const searxngUrl of ["localhost:8888", "searx.example", "ftp://searx.example/hush", "http://"])
      expect(() => openWeb([site], { engines: { searxngUrl } }), searxngUrl).toThrow(/^INVALID_ARGS: the address of S/);
    const broken = { EXA_API_KEY: "top\nsecret" };
    expect(() => openWeb([site], { engines: {} }, { environment: broken })).toThrow(/^INVALID_ARGS: the key holds/);
  });
});

describe("a search without an answer is a failure, and not an empty list", () => {
  /** Refusals of each engine with the expected failure. */
  const refusals: [NonNullable<EngineSettings["order"]>[number], () => Response, Record<string, unknown>][] = [
    [
      "searxng",
      () => new Response("x", { status: 429 }),
      { reason: "rate_limited", retry_at: "2025-01-01T00:01:00.000Z" },
    ],
    [
      "searxng",
      () => new Response("x", { status: 403 }),
      { reason: "unauthorized", detail: expect.stringContaining("search.formats") },
    ],
    [
      "searxng",
      () => Response.json({ results: [], unresponsive_engines: [["one", "too many requests"]] }),
      {
        reason: "rate_limited",
        detail: expect.stringContaining("one too many requests"),
        retry_at: "2025-01-01T00:10:00.000Z",
      },
    ],
    [
      "searxng",
      () =>
        Response.json({
          results: [],
          unresponsive_engines: [
            ["one", "timeout"],
            ["two", "Suspended: CAPTCHA"],
          ],
        }),
      { reason: "rate_limited", retry_at: "2025-01-01T00:10:00.000Z" },
    ],
    [
      "searxng",
      () => Response.json({ results: [], unresponsive_engines: [["one", "timeout"]] }),
      { reason: "server_failed", detail: expect.stringContaining("one timeout") },
    ],
    [
      "brave",
      () => Response.json({ type: "ErrorResponse", error: { code: "RATE_LIMITED", detail: "hush" } }),
      { reason: "rate_limited", retry_at: "2025-01-01T00:10:00.000Z", detail: "the search engine throttles us" },
    ],
    [
      "tavily",
      () => Response.json({ detail: { error: "This request exceeds your plan's set usage limit." } }),
      { reason: "quota" },
    ],
    ["exa", () => Response.json({ error: "Invalid API key", statusCode: 401 }), { reason: "unauthorized" }],
    ["exa", () => Response.json({ results: [], error: "something broke" }), { reason: "server_failed" }],
    [
      "brave",
      () =>
        new Response("{}", {
          status: 429,
          headers: { "x-ratelimit-remaining": "0, 10", "x-ratelimit-reset": "30, 86400" },
        }),
      { reason: "rate_limited", retry_at: "2025-01-01T00:00:30.000Z" },
    ],
    [
      "brave",
      () =>
        new Response("{}", {
          status: 429,
          headers: { "x-ratelimit-remaining": "0, 0", "x-ratelimit-reset": "1, 86400" },
        }),
      { reason: "quota", retry_at: "2025-01-02T00:00:00.000Z" },
    ],
    [
      "brave",
      () => new Response("{}", { status: 429, headers: { "x-ratelimit-remaining": "?", "retry-after": "90" } }),
      { reason: "rate_limited", retry_at: "2025-01-01T00:01:30.000Z" },
    ],
    ["tavily", () => new Response("{}", { status: 432 }), { reason: "quota" }],
    ["tavily", () => new Response("{}", { status: 401 }), { reason: "unauthorized" }],
    ["exa", () => new Response("{}", { status: 402 }), { reason: "quota" }],
    ["exa", () => new Response("{}", { status: 500 }), { reason: "http_status", http_status: 500 }],
    ["exa", () => Response.redirect("http://a.test/"), { reason: "http_status", http_status: 302 }],
    ["exa", () => new Response("<html>", { headers: { "content-type": "text/html" } }), { reason: "bad_answer" }],
    [
      "exa",
      () => Response.json({ results: "none" }),
      { reason: "bad_answer", detail: expect.stringContaining("results") },
    ],
    ["exa", () => new Response(`{"a":${"[".repeat(100_000)}`), { reason: "bad_answer" }],
    ["exa", () => new Response("x".repeat(5_000_000)), { reason: "too_large" }],
  ];

  test.each(refusals)("%s: case %#", async (id, answer, expected) => {
    using site = service(answer);
    using web = openWeb([site], { engines: settingsFor(site, id) }, { environment: KEYS });
    const failure = await failureOf(web.provider.search("lease secret question", 3, NO_ABORT));
    expect(failure).toMatchObject(expected);
    const noted = JSON.stringify(web.blocked);
    expect(web.blocked).toHaveLength(1);
    for (const secret of [...Object.values(KEYS), "question"]) expect(noted).not.toContain(secret);
  });

  test("an engine that throttled or refused us is not asked again before its time", async () => {
    for (const [answer, again] of [
      [() => new Response(null, { status: 429, headers: { "retry-after": "600" } }), 2],
      [() => new Response(null, { status: 402 }), 1],
      [() => new Response(null, { status: 401 }), 1],
    ] as const) {
      using site = service(answer);
      using web = openWeb([site], { engines: settingsFor(site, "exa") }, { environment: KEYS });
      const first = await failureOf(web.provider.search("a", 3, NO_ABORT));
      for (const query of ["b", "c", "d"])
        expect(await failureOf(web.provider.search(query, 3, NO_ABORT))).toEqual(first);
      expect(site.requests).toHaveLength(1);
      await web.clock.sleep(600_000);
      await failureOf(web.provider.search("e", 3, NO_ABORT));
      expect(site.requests).toHaveLength(again);
    }
  });

  test("eight searches at once of a throttled engine cost one request", async () => {
    using site = service(() => new Response(null, { status: 429, headers: { "retry-after": "600" } }));
    using web = openWeb([site], { engines: settingsFor(site, "exa") }, { environment: KEYS });
    const failures = await Promise.all(
      Array.from({ length: 8 }, (_, index) => failureOf(web.provider.search(`q${index}`, 3, NO_ABORT))),
    );
    expect(new Set(failures.map(({ reason }) => reason))).toEqual(new Set(["rate_limited"]));
    expect(site.requests).toHaveLength(1);
  });

  test("the next engine is asked when one fails, and when all fail, the failure with the nearest time is thrown", async () => {
    using pages = new Site(() => page("Leases", "A lease ends."));
    let isExaUp = true;
    using brave = service(() => new Response(null, { status: 401 }));
    using tavily = service(() => throttle(600));
    using exa = service(() => (isExaUp ? RESULTS(pages.at("a.test")) : throttle(60)));
    const urls = { brave: brave.at("127.0.0.1"), tavily: tavily.at("127.0.0.1"), exa: exa.at("127.0.0.1") };
    const sites = [pages, brave, tavily, exa];
    using web = openWeb(sites, { engines: { order: ["brave", "tavily", "exa"], urls } }, { environment: KEYS });
    expect(await web.provider.search("lease", 3, NO_ABORT)).toHaveLength(1);
    expect(web.blocked.map(({ reason }) => reason)).toEqual(["unauthorized", "rate_limited"]);
    isExaUp = false;
    const failure = await failureOf(web.provider.search("another lease", 3, NO_ABORT));
    expect(failure).toMatchObject({ reason: "rate_limited", url: exa.at("127.0.0.1") });
  });
});

function throttle(seconds: number): Response {
  return new Response(null, { status: 429, headers: { "retry-after": String(seconds) } });
}
