// The web provider obeys robots.txt, and gives hosts pauses.
import { describe, expect, test } from "bun:test";
import zlib from "node:zlib";
import * as fc from "fast-check";
import robotsParser from "robots-parser";
import { DEFAULT_POLITENESS, HostTurns, throttled } from "../../../src/providers/web/host-turns.ts";
import { groupsFor } from "../../../src/providers/web/robots.ts";
import { SimulatedClock } from "../../simulation/clock.ts";
import { failureOf, NO_ABORT, page, Site } from "./loopback.ts";
import { openWeb } from "./open-web.ts";

const NO_RULES = (): Response => new Response(null, { status: 404 });

/** A site with these rules and a page at every other path. */
function siteWith(robots: () => Response): Site {
  return new Site((_request, { pathname }) =>
    pathname === "/robots.txt" ? robots() : page(pathname, `At ${pathname}`),
  );
}

const rules = (text: string) => (): Response => new Response(text, { headers: { "content-type": "text/plain" } });

async function outcomeOf(site: Site, path: string): Promise<string> {
  using web = openWeb([site]);
  const outcome = await web.provider.open(site.at("a.test", path), NO_ABORT).catch((error: unknown) => error);
  if (outcome instanceof Error) return outcome.message;
  return (outcome as { kind: string }).kind === "document" ? "read" : JSON.stringify(outcome);
}

describe("robots.txt", () => {
  test("a page that it forbids to us or to all is not fetched", async () => {
    using site = siteWith(
      rules("User-agent: *\nDisallow: /private\nAllow: /private/open\n\nUser-agent: other\nDisallow: /\n"),
    );
    expect(await outcomeOf(site, "/private/a")).toContain("robots: robots.txt forbids it to deep-research");
    expect(await outcomeOf(site, "/private/open")).toBe("read");
    expect(await outcomeOf(site, "/else")).toBe("read");
    expect(site.pages.map((path) => path.replace(/.*?\//, "/"))).toEqual(["/private/open", "/else"]);
    using named = siteWith(rules("User-agent: deep-research\nDisallow: /\n\nUser-agent: *\nAllow: /\n"));
    expect(await outcomeOf(named, "/")).toContain("robots");
    expect(named.pages).toEqual([]);
  });

  test("a missing file and garbage allow all, and a broken server forbids all", async () => {
    for (const [status, expected] of [
      [404, "read"],
      [401, "read"],
      [410, "read"],
      [500, "robots"],
      [503, "robots"],
    ] as const) {
      using site = siteWith(() => new Response("Disallow: /", { status }));
      expect(`${status} ${await outcomeOf(site, "/a")}`).toContain(`${status} `);
      expect(await outcomeOf(site, "/a")).toContain(expected);
    }
    using garbage = siteWith(() => new Response(crypto.getRandomValues(new Uint8Array(10_000))));
    expect(await outcomeOf(garbage, "/a")).toBe("read");
    using circles = siteWith(() => Response.redirect("/robots.txt"));
    expect(await outcomeOf(circles, "/a")).toBe("read");
  });

  test("is read once per site, also for a redirect to another site", async () => {
    using strict = siteWith(rules("User-agent: *\nDisallow: /target\n"));
    using open = new Site((_request, { pathname }) =>
      pathname === "/robots.txt"
        ? NO_RULES()
        : pathname === "/to"
          ? Response.redirect(strict.at("strict.test", "/target"))
          : page(pathname, "text"),
    );
    using web = openWeb([strict, open]);
    for (const path of ["/a", "/b", "/a"]) await web.provider.open(open.at("open.test", path), NO_ABORT);
    expect(open.paths.filter((path) => path.endsWith("robots.txt"))).toHaveLength(1);
    expect(open.pages).toHaveLength(2);
    expect(await web.provider.open(open.at("open.test", "/to"), NO_ABORT)).toMatchObject({ kind: "gone" });
    expect(strict.pages).toEqual([]);
  });

  test("thousands of names with thousands of rules cost no memory, and the rules for us hold", async () => {
    const names = Array.from({ length: 15_000 }, (_, index) => `user-agent: bot${index}\n`).join("");
    const flood = `${names}user-agent: *\n${"allow: /a\n".repeat(20_000)}disallow: /b\n`;
    expect(flood.length).toBeLessThan(500 * 1024);
    using site = siteWith(rules(flood));
    const before = process.memoryUsage().rss;
    expect(await outcomeOf(site, "/b")).toContain("robots");
    // The parser alone would keep 300 million rules.
    expect(process.memoryUsage().rss - before).toBeLessThan(500_000_000);
  });

  test("property: without the groups for others the same rules hold for us", () => {
    const line = fc.oneof(
      fc.constantFrom("*", "deep-research", "Deep-Research/2.0", "other", "").map((name) => `User-Agent: ${name}`),
      fc.constantFrom("/", "/a", "/a*b", "/b$", "").map((path) => `Disallow: ${path} # why`),
      fc.constantFrom("/a/b", "/", "/b").map((path) => `allow:${path}`),
      fc.constantFrom("Crawl-delay: 3", "crawl-delay: 9", "Sitemap: http://a.test/x", "", "nonsense", ": /", "# a: b"),
    );
    const place = "http://a.test/robots.txt";
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 14 }),
        fc.constantFrom("/", "/a", "/a/b", "/b", "/axb"),
        (lines, path) => {
          const [whole, ours] = [lines.join("\n"), groupsFor(lines.join("\n"), "deep-research")].map((text) => {
            const parsed = robotsParser(place, text);
            return [
              parsed.isDisallowed(`http://a.test${path}`, "deep-research"),
              parsed.getCrawlDelay("deep-research"),
            ];
          });
          expect(ours).toEqual(whole);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("a redirect of it to this machine is not followed, and the page is not read", async () => {
    using inside = new Site(() => new Response("User-agent: *\nAllow: /"));
    using site = siteWith(() => Response.redirect(inside.at("inside.test", "/robots.txt")));
    using web = openWeb(
      [site, inside],
      {},
      { resolve: async (host) => [host === "a.test" ? "127.0.0.1" : "127.0.0.2"] },
    );
    expect(await web.provider.open(site.at("a.test"), NO_ABORT)).toMatchObject({
      reason: expect.stringContaining("blocked_address"),
    });
    expect([site.pages, inside.paths]).toEqual([[], []]);
  });

  test("the beginning of a file that unpacks to too much holds", async () => {
    const headers = { "content-encoding": "gzip", "content-type": "text/plain" };
    const bomb = zlib.gzipSync(`User-agent: *\nDisallow: /a\n${" ".repeat(64 * 1024 * 1024)}`);
    using site = siteWith(() => new Response(bomb, { headers }));
    expect(await outcomeOf(site, "/a")).toContain("robots");
    expect(await outcomeOf(site, "/b")).toBe("read");
  });

  test("a file that never comes is given up, the page is not read, and the next request asks again", async () => {
    const requests = Promise.withResolvers<void>();
    using site = new Site(async (_request, { pathname }) => {
      if (pathname !== "/robots.txt" || site.paths.length > 1) return page(pathname, "text");
      requests.resolve();
      return await new Promise<Response>(() => {});
    });
    using web = openWeb([site]);
    const failure = failureOf(web.provider.open(site.at("a.test"), NO_ABORT));
    await requests.promise;
    await web.clock.advance(15_000);
    expect(await failure).toMatchObject({ reason: "too_slow", url: site.at("a.test") });
    expect(site.pages).toEqual([]);
    expect(await web.provider.open(site.at("a.test"), NO_ABORT)).toMatchObject({ kind: "document" });
  });

  test("a site that cannot be asked for it is not read", async () => {
    using site = siteWith(rules(""));
    using web = openWeb(
      [site],
      {},
      { resolve: () => Promise.reject(Object.assign(new Error("x"), { code: "ENOTFOUND" })) },
    );
    expect(await failureOf(web.provider.open(site.at("a.test"), NO_ABORT))).toMatchObject({ reason: "dns" });
  });
});

describe("turns", () => {
  const options = { ...DEFAULT_POLITENESS, minDelayMs: 1_000, maxCrawlDelayMs: 30_000, patienceMs: 20_000 };

  test("a host gets one request at a time with a pause between two, and other hosts do not wait", async () => {
    const clock = new SimulatedClock({ autoAdvance: true });
    const turns = new HostTurns(clock, options);
    const startedMs = clock.uptimeMs();
    const starts: string[] = [];
    const visit = async (host: string): Promise<void> => {
      using _turn = await turns.take(host, NO_ABORT);
      starts.push(`${host} ${clock.uptimeMs() - startedMs}`);
      await clock.sleep(500);
    };
    await Promise.all([visit("a"), visit("a"), visit("b"), visit("a")]);
    expect(starts).toEqual(["a 0", "b 0", "a 1500", "a 3000"]);
  });

  test("Crawl-delay is obeyed up to a limit", async () => {
    for (const [requests, expected] of [
      [5, 5_000],
      [86_400, 30_000],
      [0, 1_000],
    ] as const) {
      using site = siteWith(rules(`User-agent: *\nCrawl-delay: ${requests}\n`));
      using web = openWeb([site]);
      await web.provider.open(site.at("a.test", "/1"), NO_ABORT);
      const before = web.clock.uptimeMs();
      await web.provider.open(site.at("a.test", "/2"), NO_ABORT);
      expect(web.clock.uptimeMs() - before).toBe(expected);
    }
  });

  test("there is a pause between two pages, and none behind robots.txt", async () => {
    using site = siteWith(NO_RULES);
    using web = openWeb([site]);
    const startedMs = web.clock.uptimeMs();
    await web.provider.open(site.at("a.test", "/1"), NO_ABORT);
    expect(web.clock.uptimeMs() - startedMs).toBe(0);
    await web.provider.open(site.at("a.test", "/2"), NO_ABORT);
    expect(web.clock.uptimeMs() - startedMs).toBe(1_000);
  });

  test("a caller that gives up loses its turn to the next one", async () => {
    const turns = new HostTurns(new SimulatedClock({ autoAdvance: true }), options);
    const first = await turns.take("a", NO_ABORT);
    const abort = new AbortController();
    const second = turns.take("a", abort.signal);
    const third = turns.take("a", NO_ABORT);
    abort.abort(new Error("enough"));
    await second.then(
      () => expect.unreachable(),
      (error: unknown) => expect(String(error)).toContain("enough"),
    );
    first[Symbol.dispose]();
    (await third)[Symbol.dispose]();
  });
});

describe("a host that asks to wait", () => {
  test("Retry-After is a number of seconds or a date, and other text counts as missing", () => {
    const nowMs = Date.UTC(2025, 0, 1);
    const until = (header: string): number | undefined => {
      const headers = new Headers({ "Retry-After": header });
      return throttled({ status: 503, headers, url: "http://a.test/" }, nowMs)?.untilMs;
    };
    expect(until("30")).toBe(nowMs + 30_000);
    expect(until("Wed, 01 Jan 2025 00:01:00 GMT")).toBe(nowMs + 60_000);
    expect(until("Mon, 01 Jan 2024 00:00:00 GMT")).toBe(nowMs);
    expect(until("999999999")).toBe(nowMs + 7 * 86_400_000);
    for (const odd of ["", "soon", "-5", "1e9"]) expect(until(odd)).toBeUndefined();
    expect(throttled({ status: 503, headers: new Headers(), url: "http://a.test/" }, nowMs)).toBeNull();
    expect(throttled({ status: 429, headers: new Headers(), url: "http://a.test/" }, nowMs)?.untilMs).toBe(
      nowMs + 60_000,
    );
  });

  test("a short wait is waited for once", async () => {
    let requests = 0;
    using site = new Site((_request, { pathname }) =>
      pathname === "/robots.txt"
        ? NO_RULES()
        : ++requests === 1
          ? new Response(null, { status: 429, headers: { "retry-after": "7" } })
          : page("There", "text"),
    );
    using web = openWeb([site]);
    const before = web.clock.nowMs();
    expect(await web.provider.open(site.at("a.test"), NO_ABORT)).toMatchObject({ kind: "document" });
    expect(web.clock.nowMs() - before).toBeGreaterThanOrEqual(7_000);
    expect(requests).toBe(2);
  });

  test("a long wait is a typed failure with its time, and no request is made before that", async () => {
    using site = new Site((_request, { pathname }) =>
      pathname === "/robots.txt" ? NO_RULES() : new Response(null, { status: 429, headers: { "retry-after": "3600" } }),
    );
    using web = openWeb([site]);
    const retry_at = new Date(web.clock.nowMs() + 3_600_000).toISOString();
    for (const path of ["/a", "/b"])
      expect(await failureOf(web.provider.open(site.at("a.test", path), NO_ABORT))).toMatchObject({
        reason: "rate_limited",
        http_status: 429,
        retry_at,
      });
    expect(site.pages).toHaveLength(1);
    await web.clock.sleep(3_600_000);
    await failureOf(web.provider.open(site.at("a.test", "/c"), NO_ABORT));
    expect(site.pages).toHaveLength(2);
  });
});
