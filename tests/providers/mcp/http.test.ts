// MCP servers over HTTP are searched, and their failures are typed.
import { describe, expect, test } from "bun:test";
import zlib from "node:zlib";
import { mcpServerSchema } from "../../../src/run/settings/provider-settings.ts";
import { failureOf, NO_ABORT, rawServer, Site } from "../web/loopback.ts";
import { openMcp } from "./open-mcp.ts";

interface Message {
  id?: number;
  method: string;
}

/** The results of a good server, by request. */
function resultOf({ method }: Message): unknown {
  switch (method) {
    case "initialize":
      return { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "http", version: "1" } };
    case "tools/list":
      return {
        tools: [{ name: "search", inputSchema: { type: "object", properties: { query: { type: "string" } } } }],
      };
    default:
      return {
        content: [{ type: "text", text: JSON.stringify({ results: [{ id: 1, title: "L", text: "A lease ends." }] }) }],
      };
  }
}

type Answer = (message: Message, good: string) => Response | Promise<Response>;

const json: Answer = (_message, good) => new Response(good, { headers: { "content-type": "application/json" } });
const stream: Answer = (_message, good) =>
  new Response(`event: message\ndata: ${good}\n\n`, { headers: { "content-type": "text/event-stream" } });

/** A server that is good until the call of its tool, which `onCall` answers. */
function mcpSite(onCall: Answer, before: Answer = json): Site & { methods: string[] } {
  const methods: string[] = [];
  const site = new Site(async (request) => {
    methods.push(request.method);
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const message = (await request.json()) as Message;
    if (message.id === undefined) return new Response(null, { status: 202 });
    const good = JSON.stringify({ jsonrpc: "2.0", id: message.id, result: resultOf(message) });
    return await (message.method === "tools/call" ? onCall : before)(message, good);
  });
  return Object.assign(site, { methods });
}

function open(site: Site, settings: Parameters<typeof openMcp>[1] = {}) {
  const url = site.at("127.0.0.1", "/mcp");
  const server = mcpServerSchema.parse({
    name: "wiki",
    kind: "http",
    url,
    headers: { Authorization: "Bearer top-secret" },
  });
  return openMcp([server], settings);
}

describe("streamable HTTP", () => {
  test("answers as JSON or as a stream of events, and no stream of notifications is opened", async () => {
    for (const answer of [json, stream]) {
      using site = mcpSite(answer, answer);
      using mcp = open(site);
      expect(await mcp.provider.search("lease", 5, NO_ABORT)).toMatchObject([
        { origin: "wiki:fetch(1)", text: "A lease ends." },
      ]);
      expect(site.methods).not.toContain("GET");
    }
  });

  const endless = (): Response =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new TextEncoder().encode(`: ${"x".repeat(10_000)}\n`)),
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  const cases: [string, Answer, Record<string, unknown>][] = [
    [
      "throttled",
      () => new Response(null, { status: 429, headers: { "retry-after": "60" } }),
      { reason: "rate_limited", retry_at: expect.any(String) },
    ],
    ["no key", () => new Response("top-secret", { status: 401 }), { reason: "unauthorized" }],
    [
      "echo",
      () => new Response("the key top-secret is wrong", { status: 400 }),
      { reason: "server_failed", detail: expect.stringContaining("[secret]") },
    ],
    ["broken", () => new Response(null, { status: 500 }), { reason: "server_failed" }],
    ["elsewhere", () => Response.redirect("http://169.254.169.254/"), { reason: "bad_answer" }],
    ["endless", endless, { reason: "too_large" }],
    [
      "compressed",
      (_message, good) =>
        new Response(zlib.gzipSync(good), {
          headers: { "content-type": "application/json", "content-encoding": "gzip" },
        }),
      { reason: "bad_answer" },
    ],
    [
      "garbage",
      () => new Response("<html>", { headers: { "content-type": "application/json" } }),
      { reason: "server_failed" },
    ],
    [
      "another type",
      () => new Response("hi", { headers: { "content-type": "text/html" } }),
      { reason: "server_failed" },
    ],
    ["silent", () => new Promise<Response>(() => {}), { reason: "too_slow" }],
    [
      "ends early",
      () => new Response("", { headers: { "content-type": "text/event-stream" } }),
      { reason: "too_slow" },
    ],
  ];
  test.each(cases)("%s: a typed failure", async (_name, answer, expected) => {
    using site = mcpSite(answer);
    const time = expected["reason"] === "too_slow" ? { callMs: 600 } : {};
    using mcp = open(site, { limits: { ...time, maxBytesPerCall: 500_000 } });
    expect(await failureOf(mcp.provider.search("lease", 5, NO_ABORT))).toMatchObject({ url: "wiki", ...expected });
    expect(mcp.blocked).toHaveLength(1);
    expect(JSON.stringify(mcp.blocked)).not.toContain("top-secret");
  });

  test("a key that it repeats is shown in no form and in no part", async () => {
    const key = "key-in-the-query-0123456789";
    const asBase64 = Buffer.from("Bearer top-secret").toString("base64").replace(/=+$/, "");
    for (const said of [`${key} and ${asBase64}`, `${"x".repeat(260)} ${key}`]) {
      using site = mcpSite(() => new Response(said, { status: 400 }));
      const url = `${site.at("127.0.0.1", "/mcp")}?apiKey=${key}`;
      const headers = { Authorization: "Bearer top-secret" };
      using mcp = openMcp([mcpServerSchema.parse({ name: "wiki", kind: "http", url, headers })]);
      expect(await failureOf(mcp.provider.search("lease", 5, NO_ABORT))).toMatchObject({ reason: "server_failed" });
      const noted = JSON.stringify(mcp.blocked);
      expect(noted).not.toContain("key-in");
      expect(noted).not.toContain(asBase64);
    }
  });

  test("its URL may hold a variable, whose value is never shown", async () => {
    const environment = { WIKI_KEY: "path-key-0123456789" };
    using site = mcpSite(() => new Response("no path-key-0123456789 here", { status: 400 }));
    const server = mcpServerSchema.parse({ name: "wiki", kind: "http", url: site.at("127.0.0.1", "/${WIKI_KEY}/mcp") });
    using mcp = openMcp([server], {}, { environment });
    expect(await failureOf(mcp.provider.search("lease", 5, NO_ABORT))).toMatchObject({
      detail: expect.stringContaining("no [secret] here"),
    });
    expect(site.paths[0]).toEndWith("/path-key-0123456789/mcp");
    expect(JSON.stringify(mcp.blocked)).not.toContain("path-key");
    expect(() => openMcp([server], {}, { environment: {} })).toThrow("a variable that is not set");
  });

  test("a URL that may not be reached, or is none, is named without its content", async () => {
    const places = { "https://wiki.test/mcp?key=hidden-0123": "not_allowed_host", "wiki?key=hidden-0123": "bad_url" };
    for (const [url, reason] of Object.entries(places)) {
      using mcp = openMcp([mcpServerSchema.parse({ name: "wiki", kind: "http", url })], { sensitivity: "restricted" });
      expect(await failureOf(mcp.provider.search("lease", 5, NO_ABORT))).toMatchObject({ reason, url: "wiki" });
      expect(mcp.blocked).toMatchObject([{ url: "wiki", provider_id: "mcp" }]);
      expect(JSON.stringify(mcp.blocked)).not.toContain("hidden");
    }
  });

  test("a session that the server forgot is begun anew once, and the request is made again", async () => {
    let sessions = 0;
    let forgets = 1;
    using site = new Site(async (request) => {
      if (request.method !== "POST") return new Response(null, { status: 405 });
      const message = (await request.json()) as Message;
      if (message.method === "initialize") sessions++;
      if (message.id === undefined) return new Response(null, { status: 202 });
      if (message.method === "tools/call" && forgets-- > 0) return new Response(null, { status: 404 });
      const good = JSON.stringify({ jsonrpc: "2.0", id: message.id, result: resultOf(message) });
      return new Response(good, {
        headers: { "content-type": "application/json", "mcp-session-id": `s${sessions}` },
      });
    });
    using mcp = open(site);
    expect(await mcp.provider.search("lease", 5, NO_ABORT)).toHaveLength(1);
    expect(sessions).toBe(2);
    expect(mcp.blocked).toEqual([]);
    forgets = 1_000;
    expect(await failureOf(mcp.provider.search("lease", 5, NO_ABORT))).toMatchObject({ reason: "server_failed" });
    expect(sessions).toBe(3);
  });

  test("half characters in names and texts are replaced, since they cannot be stored", async () => {
    const half = String.raw`{"results":[{"id":"a\ud800","title":"t\udc00","text":"A lease ends. \ud800"}]}`;
    using site = mcpSite(({ id }) => {
      const content = [{ type: "text", text: half }];
      return Response.json({ jsonrpc: "2.0", id, result: { content } });
    });
    using mcp = open(site);
    const [passage] = await mcp.provider.search("lease", 5, NO_ABORT);
    expect(passage?.origin).toBe("wiki:fetch(a\ufffd)");
    expect([passage?.title, passage?.text].every((text) => text?.isWellFormed())).toBe(true);
  });

  test("endless headers are refused, and no proxy of the environment is used", async () => {
    await using server = await rawServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      for (let line = 0; line < 300; line++) socket.write(`x-${line}: ${"y".repeat(10_000)}\r\n`);
    });
    using proxy = new Site(() => new Response("by the proxy"));
    const before = process.env["http_proxy"];
    process.env["http_proxy"] = proxy.at("127.0.0.1");
    try {
      const url = `http://flood.test:${server.port}/mcp`;
      using mcp = openMcp([mcpServerSchema.parse({ name: "flood", kind: "http", url })]);
      expect(await failureOf(mcp.provider.search("lease", 5, NO_ABORT))).toMatchObject({ reason: "too_large" });
    } finally {
      if (before === undefined) delete process.env["http_proxy"];
      else process.env["http_proxy"] = before;
    }
    expect(proxy.paths).toEqual([]);
  });

  test("a closed port is a typed failure", async () => {
    using mcp = openMcp([mcpServerSchema.parse({ name: "none", kind: "http", url: "http://127.0.0.1:1/mcp" })]);
    expect(await failureOf(mcp.provider.search("lease", 5, NO_ABORT))).toMatchObject({ reason: "connection" });
  });

  test("restricted and no_web reach it only if it is listed", async () => {
    for (const sensitivity of ["restricted", "no_web"] as const) {
      using site = mcpSite(json);
      using closed = open(site, { sensitivity });
      expect(await failureOf(closed.provider.search("lease", 5, NO_ABORT))).toMatchObject({
        reason: "not_allowed_host",
      });
      expect(site.paths).toEqual([]);
      using listed = open(site, { sensitivity, allowedHosts: ["127.0.0.1"] });
      expect(await listed.provider.search("lease", 5, NO_ABORT)).toHaveLength(1);
    }
  });
});
