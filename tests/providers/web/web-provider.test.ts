// The web provider searches pages, and names those that cannot be read.
import { describe, expect, test } from "bun:test";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import { blockedUrls, blockedUrlsSchema, UNREACHED_REASONS, helpFor } from "../../../src/run/report/blocked-urls.ts";
import { engineAnswerSchema } from "../../../src/run/report/engine-answer.ts";
import type { ExtractText } from "../../../src/providers/documents.ts";
import { openWebProvider } from "../../../src/providers/web/web-provider.ts";
import { realClock } from "../../../src/system/clock.ts";
import { failureOf, NO_ABORT, page, plainExtract, reasonOf, Site } from "./loopback.ts";
import { openWeb, searxngOver } from "./open-web.ts";

/** A site with these pages by path. Other paths are not found. */
function siteOf(pages: Record<string, () => Response>): Site {
  return new Site((_request, { pathname }) => pages[pathname]?.() ?? new Response(null, { status: 404 }));
}

const LEASES = () => page("Leases", "A lease is a right that ends. Café owners know it.", "Nothing here about boats.");
const BOATS = () => page("Boats", "Boats float on water. A lease of a boat is rare.");

describe("search", () => {
  test("asks the engine, reads the pages and gives exact spans of their text", async () => {
    using site = siteOf({ "/leases": LEASES, "/boats": BOATS });
    using engine = searxngOver(() => [site.at("a.test", "/boats"), site.at("a.test", "/leases#end")]);
    using web = openWeb([site, engine], { engines: { searxngUrl: engine.at("127.0.0.1") } });
    const passages = await web.provider.search("what is a lease", 5, NO_ABORT);
    expect(passages.map(({ origin }) => origin)).toEqual([site.at("a.test", "/leases"), site.at("a.test", "/boats")]);
    for (const passage of passages) {
      const outcome = await web.provider.fetch(passage, NO_ABORT);
      if (outcome.kind !== "document") throw new Error("the document is gone");
      const { bytes, text, media_type } = outcome.document;
      expect(digestOfBytes(bytes)).toBe(passage.document_digest);
      expect(new TextDecoder().decode(text.subarray(passage.start, passage.end))).toBe(passage.text);
      expect(media_type).toBe("text/html");
    }
    expect(site.pages).toHaveLength(2);
    expect(web.blocked).toEqual([]);
  });

  test("equal answers give equal passages, and the order of the engine decides between equal pages", async () => {
    using site = siteOf({ "/1": LEASES, "/2": BOATS, "/3": () => page("More", "A lease, once more: lease.") });
    let order = ["/1", "/2", "/3"];
    using engine = searxngOver(() => order.map((path) => site.at("a.test", path)));
    const found = async () => {
      using web = openWeb([site, engine], { engines: { searxngUrl: engine.at("127.0.0.1") } });
      return await web.provider.search("lease", 5, NO_ABORT);
    };
    const first = await found();
    expect(await found()).toEqual(first);
    expect(first.length).toBeGreaterThan(2);
    order = order.toReversed();
    expect((await found()).map(({ text }) => text).toSorted()).toEqual(first.map(({ text }) => text).toSorted());
  });

  test("a page that shares no word with the query keeps the place that the engine gave it", async () => {
    using site = siteOf({ "/winter": () => page("Wärmepumpen", "Bei Frost sinkt die Leistung."), "/leases": LEASES });
    using engine = searxngOver(() => ["/winter", "/leases"].map((path) => site.at("a.test", path)));
    using web = openWeb([site, engine], { engines: { searxngUrl: engine.at("127.0.0.1") } });
    const passages = await web.provider.search("coefficient of performance", 5, NO_ABORT);
    expect(passages.map(({ origin }) => origin)).toEqual(["/winter", "/leases"].map((path) => site.at("a.test", path)));
    const [first] = await web.provider.search("a lease is a right", 5, NO_ABORT);
    expect(first?.origin).toBe(site.at("a.test", "/leases"));
  });

  test("equal queries are asked once, even at the same time, and a failed one is asked again", async () => {
    using site = siteOf({ "/leases": LEASES });
    let isDown = true;
    using engine = new Site(() =>
      isDown
        ? new Response(null, { status: 500 })
        : Response.json({ results: [{ url: site.at("a.test", "/leases"), title: "" }] }),
    );
    using web = openWeb([site, engine], { engines: { searxngUrl: engine.at("127.0.0.1") } });
    const search = (query: string) => web.provider.search(query, 5, NO_ABORT);
    const first = search("what is a lease").then(
      () => "answered",
      () => "failed",
    );
    expect(await first).toBe("failed");
    isDown = false;
    const requests = engine.pages.length;
    const found = await Promise.all(["what is a lease", "What is  a lease", "what is a lease"].map(search));
    expect(found.map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(engine.pages.length).toBe(requests + 1);
    await search("another thing");
    expect(engine.pages.length).toBe(requests + 2);
  });

  test("behind the limit of queries the pages found by then are searched, which is noted once", async () => {
    using site = siteOf({ "/leases": LEASES, "/boats": BOATS });
    const paths = ["/leases", "/boats"];
    let requests = 0;
    using engine = searxngOver(() => [site.at("a.test", paths[requests++ % 2] ?? "/")]);
    using web = openWeb([site, engine], {
      engines: { searxngUrl: engine.at("127.0.0.1") },
      limits: { mostQueries: 2 },
    });
    const search = (query: string) => web.provider.search(query, 5, NO_ABORT);
    for (const query of ["one", "two"]) await search(query);
    const found = await Promise.all(["boats float", "a right that ends", "zebra", "ONE"].map(search));
    expect(found.map((passages) => passages[0]?.origin)).toEqual([
      site.at("a.test", "/boats"),
      site.at("a.test", "/leases"),
      undefined,
      site.at("a.test", "/leases"),
    ]);
    expect([requests, site.pages.length]).toEqual([2, 2]);
    expect(web.blocked.map(({ reason }) => reason)).toEqual(["search_limit"]);
  });

  test("answers of engines to an earlier process are used again, and count", async () => {
    using site = siteOf({ "/leases": LEASES });
    let requests = 0;
    using engine = new Site(() => {
      requests++;
      return Response.json({ results: [{ url: site.at("a.test", "/leases"), title: "Leases" }] });
    });
    const settings = { engines: { searxngUrl: engine.at("127.0.0.1") }, limits: { mostQueries: 1 } };
    using first = openWeb([site, engine], settings);
    await first.provider.search("what is a lease", 5, NO_ABORT);
    const answered = first.provider.takeAnswered();
    expect(answered).toEqual([
      { query: "what is a lease", hits: [{ url: site.at("a.test", "/leases"), title: "Leases" }] },
    ]);
    expect(first.provider.takeAnswered()).toEqual([]);
    using second = openWeb([site, engine], { ...settings, answered });
    for (const query of ["What is a  lease", "a right that ends"])
      expect((await second.provider.search(query, 5, NO_ABORT))[0]?.origin).toBe(site.at("a.test", "/leases"));
    expect(requests).toBe(1);
    expect(second.blocked.map(({ reason }) => reason)).toEqual(["search_limit"]);
  });

  test("any answer of an engine can be stored", async () => {
    using site = siteOf({ "/leases": LEASES });
    const urls = ["", `http://a.test/${"x".repeat(1_100_000)}`, "no address", site.at("a.test", "/leases")];
    using engine = new Site(() => Response.json({ results: urls.map((url) => ({ url, title: "x".repeat(9_000) })) }));
    using web = openWeb([site, engine], { engines: { searxngUrl: engine.at("127.0.0.1") } });
    await web.provider.search("what is a lease", 5, NO_ABORT);
    const [answered] = web.provider.takeAnswered();
    expect(engineAnswerSchema.safeParse(answered).success).toBe(true);
    expect(answered?.hits.map(({ url }) => url)).toEqual(urls.slice(2));
  });

  test("a page that failed for good is not fetched again, while one that may come later is", async () => {
    let status = 404;
    using site = new Site(
      (_request, { pathname }) => new Response(null, { status: pathname === "/gone" ? status : 404 }),
    );
    using engine = searxngOver(() => [site.at("a.test", "/gone")]);
    using web = openWeb([site, engine], { engines: { searxngUrl: engine.at("127.0.0.1") } });
    for (const query of ["one", "two", "three"]) await web.provider.search(query, 5, NO_ABORT);
    expect(site.pages).toHaveLength(1);
    using other = openWeb([site, engine], { engines: { searxngUrl: engine.at("127.0.0.1") } });
    status = 503;
    for (const query of ["one", "two"]) await other.provider.search(query, 5, NO_ABORT).catch(() => []);
    expect(site.pages.length).toBeGreaterThan(2);
  });

  test("a page that failed for good in an earlier process is not fetched again, and one that our rules refused is judged anew", async () => {
    using site = new Site(() => new Response(null, { status: 404 }));
    using elsewhere = siteOf({ "/leases": LEASES });
    const [gone, refused] = [site.at("a.test", "/gone"), elsewhere.at("a.test", "/leases")];
    using engine = searxngOver(() => [gone, refused]);
    const settings = { engines: { searxngUrl: engine.at("127.0.0.1") } };
    using first = openWeb([site, engine], settings);
    expect(await first.provider.search("lease", 5, NO_ABORT)).toEqual([]);
    const unreached = [...first.blocked];
    expect(unreached.map(({ reason }) => reason)).toEqual(["blocked_port", "http_status"]);
    using second = openWeb([site, elsewhere, engine], { ...settings, unreached });
    expect((await second.provider.search("lease", 5, NO_ABORT))[0]?.origin).toBe(refused);
    expect(second.blocked).toMatchObject([{ url: gone, reason: "http_status", http_status: 404 }]);
    expect(site.pages).toHaveLength(1);
    using other = openWeb([site, engine], settings);
    await other.provider.search("lease", 5, NO_ABORT);
    expect(site.pages).toHaveLength(2);
  });

  test("a seed that failed for good is fetched again by a later process: a person may have mended it", async () => {
    let status = 404;
    using site = new Site(
      () => new Response("Leases of files are renewed.", { status, headers: { "content-type": "text/plain" } }),
    );
    const seeds = [site.at("a.test", "/leases")];
    using first = openWeb([site], { seeds });
    expect(await first.provider.search("lease", 5, NO_ABORT)).toEqual([]);
    const unreached = [...first.blocked];
    expect(unreached).toMatchObject([{ reason: "http_status" }]);
    status = 200;
    using second = openWeb([site], { seeds, unreached });
    expect(await second.provider.search("leases", 5, NO_ABORT)).toHaveLength(1);
  });

  test("seeds are searched without an engine, and a page is read once for many searches", async () => {
    using site = siteOf({ "/leases": LEASES });
    using web = openWeb([site], { seeds: [site.at("a.test", "/leases")] });
    const found = await Promise.all(
      ["lease", "right", "boats"].map((query) => web.provider.search(query, 3, NO_ABORT)),
    );
    expect(found.map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(site.pages).toHaveLength(1);
  });

  test("a seed may be on this machine, but not the page to which it redirects", async () => {
    using site = siteOf({ "/seed": LEASES, "/other": BOATS });
    const seed = site.at("127.0.0.1", "/seed");
    using web = openWeb([site], { seeds: [seed], allowedHosts: [] });
    expect(await web.provider.search("lease", 3, NO_ABORT)).toHaveLength(1);
    expect(await web.provider.open(site.at("127.0.0.1", "/other"), NO_ABORT)).toMatchObject({ kind: "gone" });
    expect(site.pages).toHaveLength(1);
  });

  test("a page without a title gets that of the engine", async () => {
    const plain = (): Response => new Response("A lease ends.", { headers: { "content-type": "text/plain" } });
    using site = siteOf({ "/plain": plain, "/leases": LEASES });
    using engine = searxngOver(() => ["/plain", "/leases"].map((path) => site.at("a.test", path)));
    using web = openWeb([site, engine], { engines: { searxngUrl: engine.at("127.0.0.1") } });
    const titles = (await web.provider.search("lease", 5, NO_ABORT)).map(({ title }) => title);
    expect(titles.toSorted()).toEqual(["Leases", `called ${site.at("a.test", "/plain")}`]);
  });

  test("a seed that redirects on its own server stays a seed", async () => {
    using site = siteOf({ "/": () => Response.redirect("/home"), "/home": LEASES });
    const seed = `${site.at("127.0.0.1", "")}#top`;
    using web = openWeb([], { seeds: [seed], allowedHosts: [], limits: { cacheBytes: 0 } });
    const [passage] = await web.provider.search("lease", 1, NO_ABORT);
    if (passage === undefined) throw new Error("nothing found");
    expect(passage.origin).toBe(site.at("127.0.0.1", "/home"));
    expect((await web.provider.fetch(passage, NO_ABORT)).kind).toBe("document");
    expect(site.pages).toHaveLength(3);
  });

  test("an empty list is the answer of an engine that found nothing", async () => {
    using site = siteOf({ "/boats": BOATS });
    using engine = searxngOver(() => []);
    using web = openWeb([site, engine], {
      engines: { searxngUrl: engine.at("127.0.0.1") },
      seeds: [site.at("a.test", "/boats")],
    });
    expect(await web.provider.search("zebra", 5, NO_ABORT)).toEqual([]);
  });

  test("each page that cannot be read is named with its reason and the help", async () => {
    const pages: Record<string, () => Response> = {
      "/fine": LEASES,
      "/feed": () => new Response("<rss/>", { headers: { "content-type": "application/rss+xml" } }),
      "/picture": () => new Response("x", { headers: { "content-type": "image/png" } }),
      "/locked": () => new Response("x", { status: 403 }),
      "/unfit": () => page("x", "<unfit>"),
      "/huge": () => new Response("x".repeat(2_000), { headers: { "content-type": "text/plain" } }),
      "/inside": () => Response.redirect("http://10.0.0.1/"),
    };
    using site = siteOf(pages);
    const paths = [...Object.keys(pages), "/missing"];
    using engine = searxngOver(() => [...paths.map((path) => site.at("a.test", path)), "javascript:alert(1)"]);
    using web = openWeb([site, engine], {
      engines: { searxngUrl: engine.at("127.0.0.1") },
      ports: [site.port, engine.port, 80],
      limits: { maxPageBytes: 1_000, pagesPerSearch: 20 },
    });
    expect(await web.provider.search("lease", 5, NO_ABORT)).toHaveLength(1);
    const file = blockedUrlsSchema.parse(blockedUrls([...web.blocked, ...web.blocked]));
    const reasons = Object.fromEntries(file.urls.map(({ url, reason }) => [url.replace(/.*test:\d+/, ""), reason]));
    expect(reasons).toEqual({
      "/feed": "content_type",
      "/picture": "content_type",
      "/locked": "unauthorized",
      "/unfit": "unreadable",
      "/huge": "too_large",
      "/missing": "http_status",
      "/inside": "blocked_address",
      "javascript:alert(1)": "bad_url",
    });
    expect(file.urls.find(({ url }) => url.endsWith("/inside"))?.detail).toContain("(at http://10.0.0.1/");
    expect(file.urls.every(({ help, reason }) => help === helpFor(reason))).toBe(true);
  });

  test("each reason has its help", () => {
    expect(UNREACHED_REASONS.map(helpFor).filter((help) => help.length < 10)).toEqual([]);
  });

  test("when pages may answer later, the search fails, and when all are gone for good, it finds nothing", async () => {
    let status = 503;
    using site = new Site(
      (_request, { pathname }) => new Response(null, { status: pathname === "/robots.txt" ? 404 : status }),
    );
    using engine = searxngOver(() => [site.at("a.test", "/a"), site.at("a.test", "/b")]);
    using web = openWeb([site, engine], { engines: { searxngUrl: engine.at("127.0.0.1") } });
    expect(await failureOf(web.provider.search("lease", 5, NO_ABORT))).toMatchObject({
      reason: "http_status",
      http_status: 503,
    });
    status = 404;
    expect(await web.provider.search("lease", 5, NO_ABORT)).toEqual([]);
  });

  test("pages that come too late are left out", async () => {
    using site = siteOf({ "/fast": LEASES });
    const isAsked = Promise.withResolvers<void>();
    using slow = new Site(async (_request, { pathname }) => {
      if (pathname === "/robots.txt") return new Response(null, { status: 404 });
      isAsked.resolve();
      return await new Promise<Response>(() => {});
    });
    using engine = searxngOver(() => [slow.at("slow.test", "/never"), site.at("a.test", "/fast")]);
    const isRead = Promise.withResolvers<void>();
    const extract: ExtractText = async (...document) => {
      isRead.resolve();
      return await plainExtract(...document);
    };
    const settings = { engines: { searxngUrl: engine.at("127.0.0.1") }, limits: { searchMs: 30_000 } };
    using web = openWeb([site, slow, engine], settings, { extract });
    const work = web.provider.search("lease", 5, NO_ABORT);
    await Promise.all([isAsked.promise, isRead.promise]);
    await Bun.sleep(1);
    await web.clock.advance(30_000);
    expect(await work).toHaveLength(1);
    expect(web.blocked).toMatchObject([{ url: slow.at("slow.test", "/never"), reason: "too_slow" }]);
  });
});

describe("fetch", () => {
  test("a page with other bytes is changed, a deleted one is gone, and a failure that may pass is thrown", async () => {
    let answer = LEASES;
    using site = siteOf({ "/page": () => answer() });
    const passageNow = async () => {
      using web = openWeb([site], { seeds: [site.at("a.test", "/page")] });
      const [passage] = await web.provider.search("lease", 1, NO_ABORT);
      if (passage === undefined) throw new Error("nothing found");
      return passage;
    };
    const passage = await passageNow();
    const fetchAnew = async () => {
      using web = openWeb([site]);
      return await web.provider.fetch(passage, NO_ABORT);
    };
    expect((await fetchAnew()).kind).toBe("document");
    answer = BOATS;
    expect(await fetchAnew()).toEqual({ kind: "changed" });
    answer = () => new Response(null, { status: 410 });
    expect(await fetchAnew()).toEqual({ kind: "gone", reason: "http_status: status 410" });
    answer = () => new Response(null, { status: 502 });
    expect(await reasonOf(fetchAnew())).toBe("http_status");
  });

  test("a name that is no URL is gone, and not noted as a page", async () => {
    using web = openWeb([]);
    for (const origin of ["docs/lease.md", "notes:file:///lease.md"])
      expect(await web.provider.open(origin, NO_ABORT)).toMatchObject({ kind: "gone" });
    expect(web.blocked).toEqual([]);
  });

  test("a page that the cache dropped is read again", async () => {
    using site = siteOf({ "/a": LEASES, "/b": BOATS });
    using web = openWeb([site], { limits: { cacheBytes: 350 } });
    for (const path of ["/a", "/b", "/a"]) await web.provider.open(site.at("a.test", path), NO_ABORT);
    expect(site.pages).toHaveLength(3);
  });

  test("the charset of the answer reaches the reader", async () => {
    const seen: string[] = [];
    using site = siteOf({
      "/old": () => new Response("x", { headers: { "content-type": 'Text/HTML; Charset="ISO-8859-1"' } }),
      "/new": () => new Response("x", { headers: { "content-type": "text/html; charset=UTF-8" } }),
      "/paper.pdf": () => new Response("x", { headers: { "content-type": "application/octet-stream" } }),
    });
    using web = openWeb(
      [site],
      {},
      {
        extract: async (bytes, mediaType, signal) => {
          seen.push(mediaType);
          return await plainExtract(bytes, mediaType, signal);
        },
      },
    );
    for (const path of ["/old", "/new", "/paper.pdf"]) await web.provider.open(site.at("a.test", path), NO_ABORT);
    expect(seen).toEqual(["text/html; charset=iso-8859-1", "text/html", "application/pdf"]);
  });
});

describe("the run", () => {
  test("resolves and sends nothing under no_web", async () => {
    using site = siteOf({ "/leases": LEASES });
    let questions = 0;
    using web = openWeb(
      [site],
      { sensitivity: "no_web", allowedHosts: ["a.test"], seeds: [site.at("a.test", "/leases")] },
      {
        resolve: async () => {
          questions++;
          return ["127.0.0.1"];
        },
      },
    );
    expect(await web.provider.search("lease", 3, NO_ABORT)).toEqual([]);
    expect(web.blocked).toMatchObject([{ reason: "not_allowed_host" }]);
    expect(questions).toBe(0);
    expect(site.paths).toEqual([]);
  });

  test("names itself in the User-Agent", async () => {
    const agents = new Set<string | null>();
    using site = new Site((request) => {
      agents.add(request.headers.get("user-agent"));
      return page("x", "y");
    });
    using web = openWeb([site], { contact: "mailto:me@example.org\r\nX-Evil: 1" });
    await web.provider.open(site.at("a.test"), NO_ABORT);
    expect([...agents]).toEqual([
      expect.stringMatching(/^deep-research\/\d+\.\d+\.\d+ \(\+mailto:me@example\.orgX-Evil:1\)$/),
    ]);
  });

  test("needs an engine or a seed", () => {
    const settings = { sensitivity: "normal", allowedHosts: [], engines: {}, seeds: [] } as const;
    const tools = { clock: realClock, environment: {}, extract: plainExtract };
    expect(() => openWebProvider(settings, tools)).toThrow("--provider web needs a search key: set ");
  });

  test("lets a caller give up at once while others wait for the same page", async () => {
    const answer = Promise.withResolvers<Response>();
    using site = new Site(async (_request, { pathname }) =>
      pathname === "/robots.txt" ? new Response(null, { status: 404 }) : await answer.promise,
    );
    using web = openWeb([site], {}, { clock: realClock });
    const abort = new AbortController();
    const impatient = web.provider.open(site.at("a.test"), abort.signal).catch((error: unknown) => String(error));
    const patient = web.provider.open(site.at("a.test"), NO_ABORT);
    abort.abort(new Error("paused"));
    expect(await impatient).toContain("paused");
    answer.resolve(page("x", "y"));
    expect(await patient).toMatchObject({ kind: "document" });
    expect(site.pages).toHaveLength(1);
  });
});
