// The server over raw sockets: connections that send half, too much, or nothing, and readers that read nothing.
import { connect, type Socket } from "node:net";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { streamEvents } from "../../src/console/event-stream.ts";
import { RunFeed } from "../../src/console/run-feed.ts";
import type { AnyRecord } from "../../src/run/log/record.ts";
import { realClock } from "../../src/system/clock.ts";
import { listen } from "../../src/system/http-server.ts";
import { Host } from "../crash/real-processes.ts";
import { until } from "./called-console.ts";
import { Served } from "./served.ts";

// The machine may be busy.
setDefaultTimeout(600_000);

const TIMEOUT_MS = 600_000;

function opened(port: number, words: string): { socket: Socket; read: () => string; ended: Promise<void> } {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (bytes) => (text += bytes.toString("latin1")));
  socket.on("error", () => {});
  const ended = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  if (words !== "") socket.write(words);
  return { socket, read: () => text, ended };
}

/** `HOST` and `TOKEN` are those of the server. */
const WRONG = [
  "",
  "GET / HTTP/1.1\r\nHost: HOST\r\n",
  "GET /api/runs HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOK",
  "POST /api/runs HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{",
  "POST /api/runs HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n",
  "POST /api/runs HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n",
  "GET /api/runs HTTP/1.1\r\nAuthorization: Bearer TOKEN\r\n\r\n",
  "GET /api/runs HTTP/1.1\r\nHost: \r\nAuthorization: Bearer TOKEN\r\n\r\n",
  "GET /api/runs HTTP/1.1\r\nHost: a\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\n\r\n",
  "GET http://evil.example/api/runs HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer TOKEN\r\n\r\n",
  "GET /../../etc/passwd HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\n\r\n",
  `GET /api/runs HTTP/1.1\r\nHost: HOST\r\nX: ${"a".repeat(100_000)}\r\n\r\n`,
  "\u0016\u0003\u0001\u0002\u0000\u0001\u0000",
  "GET / HTTP/9.9\r\n\r\n",
  "\r\n\r\n\r\n",
];

describe("raw sockets", () => {
  test(
    "half of a request, or a hostile one, gets nothing in and holds nobody else up",
    async () => {
      using host = new Host();
      await using served = await Served.open(host, "--port", "0");
      const told = (words: string): string =>
        words.replaceAll("HOST", `127.0.0.1:${served.port}`).replaceAll("TOKEN", served.token);
      const sockets = Array.from({ length: 4 }, () => WRONG.map((words) => opened(served.port, told(words)))).flat();
      expect(sockets.length).toBe(60);
      for (let at = 0; at < 20; at++) expect((await served.ask("GET", "/api/runs")).status).toBe(200);
      for (const { read, socket } of sockets) {
        expect(read()).not.toStartWith("HTTP/1.1 2");
        socket.destroy();
      }
      expect((await served.ask("GET", "/api/runs")).body).toMatchObject({ matched: 0 });
    },
    TIMEOUT_MS,
  );

  test("control: the same whole is answered", async () => {
    using host = new Host();
    await using served = await Served.open(host, "--port", "0");
    const words = `GET /api/runs HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nAuthorization: Bearer ${served.token}\r\n\r\n`;
    const { read, socket } = opened(served.port, words);
    await until(
      async () => read(),
      (text) => text.includes("\r\n\r\n"),
    );
    expect(read()).toStartWith("HTTP/1.1 200");
    socket.destroy();
  });

  test("a connection on which nothing moves is closed, one that is kept open is not", async () => {
    const answer: Parameters<typeof listen>[0]["answer"] = async (_request, exchange) => {
      exchange.keepOpen();
      await Bun.sleep(3_000);
      return new Response("late");
    };
    const server = await listen({ port: 0, maxBodyBytes: 1_000, idleTimeoutS: 1, answer });
    if (server === null) throw new Error("no port");
    const half = opened(server.port, "GET / HTTP/1.1\r\nHost: x\r\n");
    const whole = await fetch(`http://127.0.0.1:${server.port}/`);
    expect(await whole.text()).toBe("late");
    await half.ended;
    expect(half.read()).not.toContain("200");
    expect(await listen({ port: server.port, maxBodyBytes: 1, idleTimeoutS: 1, answer })).toBeNull();
    await server.stop();
  });
});

// --- readers that stall -------------------------------------------------------------------------------------------

const RECORDS = 20_000;

/** A journal that has all of its records at once, each of a kilobyte. */
function journal() {
  const words = "x".repeat(1_000);
  const records = Array.from({ length: RECORDS }, (_, at) => {
    const seq = at + 1;
    return { seq, digest: `of ${seq}`, ts: "", kind: "state.changed", data: { reason: words } } as unknown as AnyRecord;
  });
  return {
    follow: (_runRoot: string, afterSeq: number) => {
      let seq = afterSeq;
      return {
        next: async () => {
          const found = records.slice(seq);
          seq = RECORDS;
          return found;
        },
        wait: (ms: number, signal?: AbortSignal) => realClock.sleep(ms / 50, signal),
      };
    },
  };
}

test(
  "a client that reads nothing is cut, and meanwhile another one gets every event",
  async () => {
    // Whoever waits, waits a fiftieth of it.
    const clock = { ...realClock, sleep: (ms: number, signal?: AbortSignal) => realClock.sleep(ms / 50, signal) };
    const feed = new RunFeed({ clock, store: journal() as never }, "/runs/dr_1", RECORDS);
    const over = new AbortController();
    const server = await listen({
      port: 0,
      maxBodyBytes: 1_000,
      idleTimeoutS: 0,
      async answer(_request, exchange) {
        exchange.keepOpen();
        const { body } = streamEvents({ clock, feed, from: { seq: 0, events: 0 } }, over.signal);
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      },
    });
    if (server === null) throw new Error("no port");
    const stalled = opened(server.port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    stalled.socket.pause();
    await until(
      async () => feed.clients,
      (clients) => clients === 1,
    );
    const response = await fetch(`http://127.0.0.1:${server.port}/`);
    let events = 0;
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      events += blocks.filter((block) => block.startsWith("id: ")).length;
      if (events === RECORDS) break;
    }
    expect(events).toBe(RECORDS);
    // The other one has left, and the one that stalls was sent away.
    await until(
      async () => feed.clients,
      (clients) => clients === 0,
    );
    stalled.socket.resume();
    await stalled.ended;
    expect(stalled.read().length).toBeLessThan(RECORDS * 1_000);
    over.abort();
    await server.stop();
  },
  TIMEOUT_MS,
);
