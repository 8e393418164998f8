// Limits of an exchange in size and time hold for servers that ignore all rules.
import { describe, expect, test } from "bun:test";
import type net from "node:net";
import zlib from "node:zlib";
import { SimulatedClock } from "../../simulation/clock.ts";
import {
  failureOf,
  fetchFrom,
  fetchOver,
  LIMITS,
  NO_ABORT,
  openReach,
  rawServer,
  reasonOf,
  Site,
  text,
  toLoopback,
} from "./loopback.ts";

describe("sizes", () => {
  const compressed = (body: Uint8Array | ReadableStream<Uint8Array>, encoding: string): Response =>
    new Response(body, { headers: { "content-type": "text/plain", "content-encoding": encoding } });

  test("a compressed bomb is refused as soon as it grows beyond the limit", async () => {
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

  test("a compressed body comes whole, and damaged or unknown compression is a bad answer", async () => {
    const answers: Record<string, Response> = {
      "/gzip": compressed(zlib.gzipSync("whole"), "gzip"),
      "/br": compressed(zlib.brotliCompressSync("whole"), "br"),
      "/deflate": compressed(zlib.deflateSync("whole"), "deflate"),
      "/none": text("whole"),
      "/padded": compressed(Buffer.concat([zlib.gzipSync("whole"), Buffer.alloc(4)]), "gzip"),
      "/brpadded": compressed(Buffer.concat([zlib.brotliCompressSync("whole"), Buffer.from("more")]), "br"),
      "/torn": compressed(zlib.gzipSync("whole".repeat(1_000)).subarray(0, 20), "gzip"),
      "/lie": compressed(Buffer.from("not compressed"), "gzip"),
      "/brlie": compressed(Buffer.from("not compressed at all, this is"), "br"),
      "/twice": compressed(zlib.gzipSync(zlib.gzipSync("whole")), "gzip, gzip"),
      "/zstd": compressed(Buffer.from("(/"), "zstd"),
    };
    using site = new Site((_request, { pathname }) => answers[pathname] ?? text("?"));
    const get = (path: string) =>
      fetchOver([site])({ url: site.at("a.test", path), trust: "named", limits: LIMITS }, NO_ABORT);
    for (const path of ["/gzip", "/br", "/deflate", "/none", "/padded", "/brpadded"])
      expect(new TextDecoder().decode((await get(path)).bytes)).toBe("whole");
    for (const path of ["/torn", "/lie", "/brlie", "/twice", "/zstd"])
      expect(`${path} ${await reasonOf(get(path))}`).toBe(`${path} bad_answer`);
  });

  test("an endless body is refused, but for the beginning of robots.txt", async () => {
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

  test("a body that announces too much is not read, and endless headers are refused", async () => {
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

  test("a body that is shorter than announced is a failure", async () => {
    await using server = await rawServer((socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"));
    expect(await reasonOf(fetchFrom(server.port))).toBe("connection");
  });
});

function endless(chunk: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
}

describe("times", () => {
  const limits = { ...LIMITS, totalMs: 30_000, idleMs: 20_000 };

  /** Moves the clock on until the work is done, with a little real time in between for the network. */
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

  test("a server that sends nothing, or stops sending, is given up after the idle time", async () => {
    for (const start of ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"]) {
      const clock = new SimulatedClock();
      await using server = await rawServer((socket) => void socket.write(start));
      const patient = { ...limits, totalMs: 10 ** 9, idleMs: 5_000 };
      const failure = await through(clock, 1_000, failureOf(fetchFrom(server.port, "/", patient, clock)));
      expect(failure).toMatchObject({ reason: "too_slow", detail: "nothing came for 5 s" });
    }
  });

  const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  test.each([
    ["hints before the answer", "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"],
    ["an extension of a chunk", `${CHUNKED}1;`, "a".repeat(1_000)],
    ["fields behind the last chunk", `${CHUNKED}0\r\n`, `x: ${"b".repeat(1_000)}\r\n`],
  ])("%s without end are no body: given up after the idle time", async (_name, head, rest) => {
    const clock = new SimulatedClock();
    const sockets: net.Socket[] = [];
    await using server = await rawServer((socket) => {
      sockets.push(socket);
      socket.write(head);
    });
    const work = failureOf(fetchFrom(server.port, "/", { ...limits, idleMs: 5_000 }, clock));
    const failure = await through(clock, 1_000, work, () => void sockets[0]?.write(rest.repeat(100)));
    expect(failure).toMatchObject({ reason: "too_slow", detail: "nothing came for 5 s" });
  });

  test("a server that always sends a little is given up after the total time", async () => {
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

  test("a name server that never answers is given up", async () => {
    const clock = new SimulatedClock();
    const silent = (): Promise<string[]> => new Promise(() => {});
    const reach = openReach([], { ports: [80] });
    const request = { url: "http://a.test/", trust: "named", limits } as const;
    const work = reasonOf(fetchOver([], { clock, resolve: silent, reach })(request, NO_ABORT));
    await clock.advance(30_000);
    expect(await work).toBe("too_slow");
    expect(clock.timers).toBe(0);
  });

  test("a caller that gives up gets its own reason, and the connection ends", async () => {
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
