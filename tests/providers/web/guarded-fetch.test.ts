// An HTTP exchange reaches only addresses that were judged.
import { describe, expect, test } from "bun:test";
import { followed, MAX_REDIRECTS } from "../../../src/providers/web/guarded-fetch.ts";
import { Reach } from "../../../src/providers/web/reach.ts";
import { makeCertificate } from "./certificate.ts";
import { fetchFrom, fetchOver, LIMITS, NO_ABORT, openReach, rawServer, reasonOf, Site, text } from "./loopback.ts";

const NO_TURN = async (): Promise<Disposable> => ({ [Symbol.dispose]: () => {} });

describe("the connection", () => {
  test("goes to the judged address with the name of the host, and gives bytes", async () => {
    using site = new Site((request) => text(`${request.headers.get("host")} ${request.headers.get("user-agent")}`));
    const answer = await fetchOver([site])(
      { url: site.at("a.test", "/x?y=1"), trust: "named", limits: LIMITS },
      NO_ABORT,
    );
    expect(new TextDecoder().decode(answer.bytes)).toBe(`a.test:${site.port} test/1`);
    expect(site.paths).toEqual([`a.test:${site.port}/x`]);
  });

  test("resolves the name once, so that a later answer of the name server changes nothing", async () => {
    using inside = new Site(() => text("secret"));
    let questions = 0;
    const rebinding = async (): Promise<string[]> => (++questions === 1 ? ["127.0.0.9"] : ["127.0.0.1"]);
    const reach = new Reach({ sensitivity: "normal", allowedHosts: ["127.0.0.9"], ports: [inside.port] });
    const request = { url: inside.at("rebind.test"), trust: "named", limits: LIMITS } as const;
    // No server listens at the address that was judged.
    expect(await reasonOf(fetchOver([], { reach, resolve: rebinding })(request, NO_ABORT))).toBe("connection");
    expect(questions).toBe(1);
    expect(inside.paths).toEqual([]);
    // The second time the name resolves to a private address, and is refused.
    expect(await reasonOf(fetchOver([], { reach, resolve: rebinding })(request, NO_ABORT))).toBe("blocked_address");
    expect(inside.paths).toEqual([]);
  });

  test("control: without the rule the same request arrives", async () => {
    using inside = new Site(() => text("secret"));
    const request = { url: inside.at("inside.test"), trust: "named", limits: LIMITS } as const;
    const strict = new Reach({ sensitivity: "normal", allowedHosts: [], ports: [inside.port] });
    expect(await reasonOf(fetchOver([], { reach: strict })(request, NO_ABORT))).toBe("blocked_address");
    expect(inside.paths).toEqual([]);
    await fetchOver([inside])(request, NO_ABORT);
    expect(inside.paths).toHaveLength(1);
  });

  test("goes to any endpoint that the user configured, under the same limits", async () => {
    using site = new Site(() => text("x".repeat(200_000)));
    const strict = new Reach({ sensitivity: "normal", allowedHosts: [] });
    const fetch = fetchOver([], { reach: strict });
    expect(await reasonOf(fetch({ url: site.at("own.test"), trust: "configured", limits: LIMITS }, NO_ABORT))).toBe(
      "too_large",
    );
    expect(site.paths).toHaveLength(1);
  });

  test("uses no proxy of the environment", async () => {
    using site = new Site(() => text("direct"));
    using proxy = new Site(() => text("by the proxy"));
    const names = [
      "HTTP_PROXY",
      "http_proxy",
      "HTTPS_PROXY",
      "https_proxy",
      "ALL_PROXY",
      "all_proxy",
      "NO_PROXY",
      "no_proxy",
    ];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = name.toLowerCase() === "no_proxy" ? "" : proxy.at("127.0.0.1");
    try {
      const answer = await fetchOver([site])({ url: site.at("a.test"), trust: "named", limits: LIMITS }, NO_ABORT);
      expect(new TextDecoder().decode(answer.bytes)).toBe("direct");
      const control = await fetch(site.at("127.0.0.1"));
      expect(await control.text()).toBe("by the proxy");
    } finally {
      names.forEach((name, index) => {
        const value = before[index];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      });
    }
    expect(proxy.paths).toHaveLength(1);
  });

  test("refuses a host with one private address before anything is sent", async () => {
    using site = new Site(() => text("here"));
    const resolve = async (): Promise<string[]> => ["127.0.0.1", "10.0.0.1"];
    const request = { url: site.at("a.test"), trust: "named", limits: LIMITS } as const;
    expect(await reasonOf(fetchOver([site], { resolve })(request, NO_ABORT))).toBe("blocked_address");
    expect(site.paths).toEqual([]);
  });

  test("keeps no cookie, and sends no referrer", async () => {
    const seen: (string | null)[] = [];
    using site = new Site(({ headers }, { pathname }) => {
      seen.push(headers.get("cookie"), headers.get("referer"), headers.get("authorization"));
      const cookie = { "set-cookie": "id=1; Path=/" };
      return pathname === "/a"
        ? new Response(null, { status: 302, headers: { ...cookie, location: "/b" } })
        : text("", cookie);
    });
    const fetch = fetchOver([site]);
    for (const path of ["/a", "/c"]) {
      const request = { url: site.at("a.test", path), trust: "named", limits: LIMITS } as const;
      await followed(fetch, request, NO_TURN, NO_ABORT);
    }
    expect(seen).toEqual(Array(9).fill(null));
  });

  test("tries the addresses of a host until one answers", async () => {
    using site = new Site(() => text("here"));
    const reach = openReach([site], { allowedHosts: ["127.0.0.0/8"] });
    const resolve = async (): Promise<string[]> => ["127.0.0.9", "127.0.0.1"];
    const answer = await fetchOver([], { reach, resolve })(
      { url: site.at("a.test"), trust: "named", limits: LIMITS },
      NO_ABORT,
    );
    expect(answer.status).toBe(200);
  });

  test("a missing name, a closed port and an answer that is no HTTP are typed failures", async () => {
    using site = new Site(() => text(""));
    const request = { url: site.at("a.test"), trust: "named", limits: LIMITS } as const;
    const noName = async (): Promise<string[]> => {
      throw Object.assign(new Error("getaddrinfo ENOTFOUND a.test"), { code: "ENOTFOUND" });
    };
    expect(await reasonOf(fetchOver([site], { resolve: noName })(request, NO_ABORT))).toBe("dns");
    expect(await reasonOf(fetchOver([site], { resolve: async () => [] })(request, NO_ABORT))).toBe("dns");
    expect(await reasonOf(fetchFrom(1))).toBe("connection");
    await using garbage = await rawServer((socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"));
    expect(await reasonOf(fetchFrom(garbage.port))).toBe("connection");
  });
});

describe("TLS", () => {
  test("the certificate has to be that of the name, and of a known authority", async () => {
    const tls = makeCertificate("good.test");
    using site = new Site(() => text("private"), { tls });
    const get = (host: string, certificateAuthorities?: string) =>
      fetchOver([site], certificateAuthorities === undefined ? {} : { certificateAuthorities })(
        { url: site.at(host, "/", "https"), trust: "named", limits: LIMITS },
        NO_ABORT,
      );
    expect(new TextDecoder().decode((await get("good.test", tls.cert)).bytes)).toBe("private");
    expect(await reasonOf(get("good.test"))).toBe("tls");
    expect(await reasonOf(get("evil.test", tls.cert))).toBe("tls");
    expect(site.paths).toHaveLength(1);
  });

  test("the variable that turns the check off is not obeyed", async () => {
    using site = new Site(() => text("private"), { tls: makeCertificate("good.test") });
    const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      const request = { url: site.at("good.test", "/", "https"), trust: "named", limits: LIMITS } as const;
      expect(await reasonOf(fetchOver([site])(request, NO_ABORT))).toBe("tls");
    } finally {
      if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
      else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
    }
  });
});

describe("redirects", () => {
  const INSIDE = [
    "http://127.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://0x7f000001/",
  ];
  const ELSEWHERE = ["file:///etc/passwd", "data:text/html,<p>hi", "ftp://example.org/", "http://me:pw@b.test/"];

  test("to this machine or to another scheme are refused, and nothing of it is read", async () => {
    for (const [places, reason] of [
      [INSIDE, "blocked_address"],
      [ELSEWHERE, "bad_url"],
    ] as const) {
      for (const location of places) {
        using site = new Site(() => new Response(null, { status: 302, headers: { location } }));
        // Only the name of the site counts as public.
        const reach = new Reach({ sensitivity: "normal", allowedHosts: ["192.0.2.1"], ports: [site.port, 80] });
        const fetch = fetchOver([], { reach: permissive(reach, "a.test") });
        const request = { url: site.at("a.test"), trust: "named", limits: LIMITS } as const;
        expect(`${location} ${await reasonOf(followed(fetch, request, NO_TURN, NO_ABORT))}`).toBe(
          `${location} ${reason}`,
        );
      }
    }
  });

  test("are followed a few times, and each target is judged", async () => {
    using site = new Site((_request, { pathname }) =>
      pathname === "/end" ? text("there") : Response.redirect(pathname === "/a" ? "b" : "/end#part", 301),
    );
    const request = { url: site.at("a.test", "/a"), trust: "named", limits: LIMITS } as const;
    const answer = await followed(fetchOver([site]), request, NO_TURN, NO_ABORT);
    expect(answer.url).toBe(site.at("a.test", "/end"));
    expect(site.paths.map((path) => path.replace(/.*\//, ""))).toEqual(["a", "b", "end"]);
  });

  test("without end are given up", async () => {
    using site = new Site((_request, { pathname }) => Response.redirect(`${pathname}x`));
    const request = { url: site.at("a.test"), trust: "named", limits: LIMITS } as const;
    expect(await reasonOf(followed(fetchOver([site]), request, NO_TURN, NO_ABORT))).toBe("too_many_redirects");
    expect(site.paths).toHaveLength(MAX_REDIRECTS + 1);
  });

  test("keep the trust in a configured page only on its own server", async () => {
    using inside = new Site(() => text("secret"));
    using seed = new Site((_request, { pathname }) =>
      pathname === "/" ? Response.redirect("/next") : Response.redirect(inside.at("127.0.0.1")),
    );
    const reach = new Reach({ sensitivity: "normal", allowedHosts: [], ports: [seed.port, inside.port] });
    const request = { url: seed.at("127.0.0.1"), trust: "configured", limits: LIMITS } as const;
    const work = followed(fetchOver([], { reach }), request, NO_TURN, NO_ABORT);
    expect(await reasonOf(work)).toBe("blocked_address");
    expect(seed.paths).toHaveLength(2);
    expect(inside.paths).toEqual([]);
  });
});

/** A reach for which one name is public, whatever its address. */
function permissive(reach: Reach, host: string): Reach {
  const judge = reach.judgeAddresses.bind(reach);
  reach.judgeAddresses = (url, addresses, trust) => {
    if (url.hostname !== host) judge(url, addresses, trust);
  };
  return reach;
}
