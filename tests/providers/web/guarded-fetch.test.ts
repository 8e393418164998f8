import { describe, expect, test } from "bun:test";
import net from "node:net";
import zlib from "node:zlib";
import { followed, MAX_REDIRECTS } from "../../../src/providers/web/redirects.ts";
import { Reach } from "../../../src/providers/web/reach.ts";
import { SimulatedClock } from "../../simulation/clock.ts";
import { makeCertificate } from "./certificate.ts";
import { failureOf, fetchOver, LIMITS, NO_ABORT, openReach, reasonOf, Site, toLoopback } from "./loopback.ts";

const NO_TURN = async (): Promise<Disposable> => ({ [Symbol.dispose]: () => {} });

function text(body: string, headers: Record<string, string> = {}): Response {
  return new Response(body, { headers: { "content-type": "text/plain", ...headers } });
}

/** A server that speaks below HTTP. */
async function rawServer(onSocket: (socket: net.Socket) => void): Promise<{ port: number } & AsyncDisposable> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function fetchFrom(port: number, path = "/", limits = LIMITS, clock = new SimulatedClock()) {
  const reach = new Reach({ sensitivity: "normal", allowedHosts: ["127.0.0.1"], ports: [port] });
  const request = { url: `http://raw.test:${port}${path}`, trust: "named", limits } as const;
  return fetchOver([], { reach, clock })(request, NO_ABORT);
}

describe("the connection", () => {
  test("goes to the judged address with the name of the host; the answer comes as bytes", async () => {
    using site = new Site((request) => text(`${request.headers.get("host")} ${request.headers.get("user-agent")}`));
    const answer = await fetchOver([site])(
      { url: site.at("a.test", "/x?y=1"), trust: "named", limits: LIMITS },
      NO_ABORT,
    );
    expect(new TextDecoder().decode(answer.bytes)).toBe(`a.test:${site.port} test/1`);
    expect(site.asked).toEqual([`a.test:${site.port}/x`]);
  });

  test("the name is asked for once: what it says after the judgement changes nothing", async () => {
    using inside = new Site(() => text("secret"));
    let questions = 0;
    const rebinding = async (): Promise<string[]> => (++questions === 1 ? ["127.0.0.9"] : ["127.0.0.1"]);
    const reach = new Reach({ sensitivity: "normal", allowedHosts: ["127.0.0.9"], ports: [inside.port] });
    const request = { url: inside.at("rebind.test"), trust: "named", limits: LIMITS } as const;
    // Nobody listens at the address that was judged.
    expect(await reasonOf(fetchOver([], { reach, resolve: rebinding })(request, NO_ABORT))).toBe("connection");
    expect(questions).toBe(1);
    expect(inside.asked).toEqual([]);
    // The second time the name leads inside, and is refused.
    expect(await reasonOf(fetchOver([], { reach, resolve: rebinding })(request, NO_ABORT))).toBe("blocked_address");
    expect(inside.asked).toEqual([]);
  });

  test("without the rule the same request would arrive: the rule is what keeps it away", async () => {
    using inside = new Site(() => text("secret"));
    const request = { url: inside.at("inside.test"), trust: "named", limits: LIMITS } as const;
    const strict = new Reach({ sensitivity: "normal", allowedHosts: [], ports: [inside.port] });
    expect(await reasonOf(fetchOver([], { reach: strict })(request, NO_ABORT))).toBe("blocked_address");
    expect(inside.asked).toEqual([]);
    await fetchOver([inside])(request, NO_ABORT);
    expect(inside.asked).toHaveLength(1);
  });

  test("what the user configured may be anywhere, under the same limits", async () => {
    using site = new Site(() => text("x".repeat(200_000)));
    const strict = new Reach({ sensitivity: "normal", allowedHosts: [] });
    const fetch = fetchOver([], { reach: strict });
    expect(await reasonOf(fetch({ url: site.at("own.test"), trust: "configured", limits: LIMITS }, NO_ABORT))).toBe(
      "too_large",
    );
    expect(site.asked).toHaveLength(1);
  });

  test("the proxy of the environment is not used", async () => {
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
    expect(proxy.asked).toHaveLength(1);
  });

  test("a host at several addresses is found at the one that answers", async () => {
    using site = new Site(() => text("here"));
    const reach = openReach([site], { allowedHosts: ["127.0.0.0/8"] });
    const resolve = async (): Promise<string[]> => ["127.0.0.9", "127.0.0.1"];
    const answer = await fetchOver([], { reach, resolve })(
      { url: site.at("a.test"), trust: "named", limits: LIMITS },
      NO_ABORT,
    );
    expect(answer.status).toBe(200);
  });

  test("no name, nobody there, no HTTP", async () => {
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
  test("the certificate has to be that of the name, and somebody has to vouch for it", async () => {
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
    expect(site.asked).toHaveLength(1);
  });

  test("the switch in the environment that turns checking off is not obeyed", async () => {
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

  test("into this machine or to anything but the web are refused, and nothing of it is read", async () => {
    for (const [places, reason] of [
      [INSIDE, "blocked_address"],
      [ELSEWHERE, "bad_url"],
    ] as const) {
      for (const location of places) {
        using site = new Site(() => new Response(null, { status: 302, headers: { location } }));
        // Only the name of the site is taken for public.
        const reach = new Reach({ sensitivity: "normal", allowedHosts: ["192.0.2.1"], ports: [site.port, 80] });
        const fetch = fetchOver([], { reach: permissive(reach, "a.test") });
        const request = { url: site.at("a.test"), trust: "named", limits: LIMITS } as const;
        expect(`${location} ${await reasonOf(followed(fetch, request, NO_TURN, NO_ABORT))}`).toBe(
          `${location} ${reason}`,
        );
      }
    }
  });

  test("are followed a few times, each one judged, relative ones too", async () => {
    using site = new Site((_request, { pathname }) =>
      pathname === "/end" ? text("there") : Response.redirect(pathname === "/a" ? "b" : "/end#part", 301),
    );
    const request = { url: site.at("a.test", "/a"), trust: "named", limits: LIMITS } as const;
    const answer = await followed(fetchOver([site]), request, NO_TURN, NO_ABORT);
    expect(answer.url).toBe(site.at("a.test", "/end"));
    expect(site.asked.map((path) => path.replace(/.*\//, ""))).toEqual(["a", "b", "end"]);
  });

  test("without end are given up", async () => {
    using site = new Site((_request, { pathname }) => Response.redirect(`${pathname}x`));
    const request = { url: site.at("a.test"), trust: "named", limits: LIMITS } as const;
    expect(await reasonOf(followed(fetchOver([site]), request, NO_TURN, NO_ABORT))).toBe("too_many_redirects");
    expect(site.asked).toHaveLength(MAX_REDIRECTS + 1);
  });

  test("take the trust in a configured page no further than its own server", async () => {
    using inside = new Site(() => text("secret"));
    using seed = new Site((_request, { pathname }) =>
      pathname === "/" ? Response.redirect("/next") : Response.redirect(inside.at("127.0.0.1")),
    );
    const reach = new Reach({ sensitivity: "normal", allowedHosts: [], ports: [seed.port, inside.port] });
    const request = { url: seed.at("127.0.0.1"), trust: "configured", limits: LIMITS } as const;
    const work = followed(fetchOver([], { reach }), request, NO_TURN, NO_ABORT);
    expect(await reasonOf(work)).toBe("blocked_address");
    expect(seed.asked).toHaveLength(2);
    expect(inside.asked).toEqual([]);
  });
});

/** A reach that takes one name for public wherever it leads. */
function permissive(reach: Reach, host: string): Reach {
  const judge = reach.judgeAddresses.bind(reach);
  reach.judgeAddresses = (url, addresses, trust) => {
    if (url.hostname !== host) judge(url, addresses, trust);
  };
  return reach;
}

describe("sizes", () => {
  const compressed = (body: Uint8Array | ReadableStream<Uint8Array>, encoding: string): Response =>
    new Response(body, { headers: { "content-type": "text/plain", "content-encoding": encoding } });

  test("a compressed bomb is refused when it has grown beyond the limit; it need not even end", async () => {
    const bomb = zlib.brotliCompressSync(new Uint8Array(16 * 1024 * 1024));
    expect(bomb.byteLength).toBeLessThan(1_000);
    using site = new Site((_request, { pathname }) =>
      pathname === "/br" ? compressed(bomb, "br") : compressed(endless(zlib.gzipSync(new Uint8Array(1_000))), "gzip"),
    );
    const get = (path: string) =>
      fetchOver([site])({ url: site.at("a.test", path), trust: "named", limits: LIMITS }, NO_ABORT);
    for (const path of ["/gzip", "/br"])
      expect(await failureOf(get(path))).toMatchObject({ reason: "too_large", detail: "more than 100000 bytes" });
  });

  test("what is compressed comes whole; damaged or unknown compression is a bad answer", async () => {
    const answers: Record<string, Response> = {
      "/gzip": compressed(zlib.gzipSync("whole"), "gzip"),
      "/br": compressed(zlib.brotliCompressSync("whole"), "br"),
      "/deflate": compressed(zlib.deflateSync("whole"), "deflate"),
      "/none": text("whole"),
      "/torn": compressed(zlib.gzipSync("whole".repeat(1_000)).subarray(0, 20), "gzip"),
      "/lie": compressed(Buffer.from("not compressed"), "gzip"),
      "/brlie": compressed(Buffer.from("not compressed at all, this is"), "br"),
      "/twice": compressed(zlib.gzipSync(zlib.gzipSync("whole")), "gzip, gzip"),
      "/zstd": compressed(Buffer.from("(/"), "zstd"),
    };
    using site = new Site((_request, { pathname }) => answers[pathname] ?? text("?"));
    const get = (path: string) =>
      fetchOver([site])({ url: site.at("a.test", path), trust: "named", limits: LIMITS }, NO_ABORT);
    for (const path of ["/gzip", "/br", "/deflate", "/none"])
      expect(new TextDecoder().decode((await get(path)).bytes)).toBe("whole");
    for (const path of ["/torn", "/lie", "/brlie", "/twice", "/zstd"])
      expect(`${path} ${await reasonOf(get(path))}`).toBe(`${path} bad_answer`);
  });

  test("an endless body is cut off; of robots.txt the beginning is kept", async () => {
    using site = new Site(
      () =>
        new Response(endless(Buffer.from("Disallow: /a\n".repeat(1_000))), {
          headers: { "content-type": "text/plain" },
        }),
    );
    const request = { url: site.at("a.test"), trust: "named" } as const;
    expect(await reasonOf(fetchOver([site])({ ...request, limits: LIMITS }, NO_ABORT))).toBe("too_large");
    const cut = await fetchOver([site])({ ...request, limits: { ...LIMITS, beyond: "cut" } }, NO_ABORT);
    expect(cut.bytes.byteLength).toBe(LIMITS.maxBytes);
  });

  test("a body that announces too much is not read at all; headers without end are refused", async () => {
    await using announcing = await rawServer((socket) =>
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n"),
    );
    expect(await reasonOf(fetchFrom(announcing.port))).toBe("too_large");
    await using headers = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      for (let line = 0; line < 300; line++) socket.write(`x-${line}: ${"y".repeat(10_000)}\r\n`);
    });
    expect(await reasonOf(fetchFrom(headers.port))).toBe("too_large");
  });

  test("a body that ends before its announced end is no answer", async () => {
    await using server = await rawServer((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"));
    expect(await reasonOf(fetchFrom(server.port))).toBe("connection");
  });
});

function endless(chunk: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
}

describe("times", () => {
  const limits = { ...LIMITS, totalMs: 30_000, idleMs: 20_000 };

  /** Lets time go by until the work is done, with a little real time in between for what is on the wire. */
  async function through<T>(clock: SimulatedClock, stepMs: number, work: Promise<T>, between = () => {}): Promise<T> {
    const state = { isDone: false };
    const done = work.finally(() => {
      state.isDone = true;
    });
    while (!state.isDone) {
      between();
      await Bun.sleep(20);
      await clock.advance(stepMs);
    }
    return await done;
  }

  test("a server that says nothing, or stops saying anything, is given up after the idle time", async () => {
    for (const start of ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"]) {
      const clock = new SimulatedClock();
      await using server = await rawServer((socket) => void socket.write(start));
      const patient = { ...limits, totalMs: 10 ** 9, idleMs: 5_000 };
      const failure = await through(clock, 1_000, failureOf(fetchFrom(server.port, "/", patient, clock)));
      expect(failure).toMatchObject({ reason: "too_slow", detail: "nothing came for 5 s" });
    }
  });

  test("a slow loris that always sends a little is given up after the whole time", async () => {
    const clock = new SimulatedClock();
    const sockets: net.Socket[] = [];
    await using server = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
      sockets.push(socket);
    });
    const work = failureOf(fetchFrom(server.port, "/", limits, clock));
    const failure = await through(clock, 1_000, work, () => void sockets[0]?.write("a"));
    expect(failure).toMatchObject({ reason: "too_slow", detail: "not finished after 30 s" });
  });

  test("a name server that never answers is given up, too", async () => {
    const clock = new SimulatedClock();
    const silent = (): Promise<string[]> => new Promise(() => {});
    const reach = openReach([], { ports: [80] });
    const request = { url: "http://a.test/", trust: "named", limits } as const;
    const work = reasonOf(fetchOver([], { clock, resolve: silent, reach })(request, NO_ABORT));
    await clock.advance(30_000);
    expect(await work).toBe("too_slow");
    expect(clock.timers).toBe(0);
  });

  test("who asked may give up: the reason is its own, and the connection ends", async () => {
    const abort = new AbortController();
    const ended = Promise.withResolvers<void>();
    await using server = await rawServer((socket) => {
      socket.on("close", () => ended.resolve());
      socket.once("data", () => abort.abort(new Error("paused")));
    });
    const reach = openReach([], { ports: [server.port] });
    const request = { url: `http://a.test:${server.port}/`, trust: "named", limits } as const;
    const work = fetchOver([], { reach, resolve: toLoopback, clock: new SimulatedClock() })(request, abort.signal);
    await work.then(
      () => expect.unreachable(),
      (error: unknown) => expect(String(error)).toContain("paused"),
    );
    await ended.promise;
  });
});
