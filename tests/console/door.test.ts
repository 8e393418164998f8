// The door of the console: sixty requests that may not come in, none does, and the controls that do.
import { describe, expect, test } from "bun:test";
import { Door } from "../../src/console/door.ts";
import { ROUTES } from "../../src/console/routes.ts";
import { makeCompletedRun } from "../operations/made-run.ts";
import { type CalledConsole, HOST, openConsole, PORT } from "./called-console.ts";

interface Sent {
  path: string;
  init: RequestInit & { headers: Record<string, string> };
  status: number;
}

const TRAVERSALS = [
  "/..%2f..%2fetc%2fpasswd",
  "/api/runs/..%2f..%2f",
  "/api/runs/%2e%2e%2fr1",
  "/api/runs/.hidden",
  "/api/runs/r1%00",
  "/api/runs/r1%2fevents",
  "/api/runs/r1/reports/..%2f1.md",
  "/api/runs/r1/reports/1.exe",
  "/api/runs/r1/reports/0.md",
  "/api/runs/r1/reports/1e3.md",
  "/api/runs/r1/sources/..%2f..%2fmanifest.json",
  "/api/runs/r1/sources/sha256:00",
  `/api/runs/${"a".repeat(300)}`,
  "/index-1a2b.js/x",
  "//etc/passwd",
];

/** What the door, or the table of routes behind it, refuses. */
function forbidden(token: string): Sent[] {
  const bearer = { authorization: `Bearer ${token}` };
  const json = { "content-type": "application/json" };
  const get = (path: string, headers: Record<string, string>, status: number): Sent => ({
    path,
    init: { headers },
    status,
  });
  const post = (headers: Record<string, string>, body: string, status: number, path = "/api/runs"): Sent => ({
    path,
    init: { method: "POST", headers, body },
    status,
  });
  const hosts = [
    "evil.example",
    "127.0.0.1",
    `127.0.0.1:${PORT + 1}`,
    `evil.example:${PORT}`,
    `127.0.0.1.evil.example:${PORT}`,
  ];
  const moreHosts = [`0.0.0.0:${PORT}`, `user@127.0.0.1:${PORT}`, `localhost.:${PORT}`, `[::1]`, `127.0.0.1:${PORT}/x`];
  const origins = [
    "http://evil.example",
    "null",
    `https://${HOST}`,
    `http://127.0.0.1:${PORT + 1}`,
    `http://${HOST}.evil.example`,
  ];
  const tokens = ["", "x", token.slice(1), `${token}x`, token.toUpperCase(), token.slice(0, -1)];
  const types = [
    "text/plain",
    "",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/jsonx",
    "text/json",
  ];
  const large = JSON.stringify({ question: "x".repeat(300_000) });
  const start = JSON.stringify({ question: "What?" });
  return [
    ...[...hosts, ...moreHosts].map((host) => get("/api/runs", { ...bearer, host }, 403)),
    ...origins.map((origin) => get("/api/runs", { ...bearer, origin }, 403)),
    ...origins.map((origin) => post({ ...bearer, ...json, origin }, start, 403)),
    ...tokens.map((wrong) => get("/api/runs", { authorization: `Bearer ${wrong}` }, 401)),
    ...tokens.slice(1).map((wrong) => get("/", { cookie: `deep_research_token=${wrong}` }, 401)),
    get("/", { cookie: `token=${token}` }, 401),
    get("/", { authorization: `Basic ${token}` }, 401),
    ...["token", "ticket"].flatMap((name) => [
      get(`/?${name}=`, {}, 401),
      get(`/?${name}=${token}`, {}, 401),
      get(`/?${name}=${token}x`, {}, 401),
    ]),
    get(`/api/runs?token=${token}`, {}, 401),
    ...["/", "/index-1a2b.js", "/openapi.json", "/api/runs/r1/events", "/agents/status"].map((path) =>
      get(path, {}, 401),
    ),
    post(json, "{}", 401, "/mcp"),
    ...types.map((type) => post({ ...bearer, "content-type": type }, start, 415)),
    post({ ...bearer, ...json }, large, 413),
    post({ ...bearer, ...json, "content-length": "10" }, large, 413),
    ...["[]", "null", "{", '{"a":1,"a":2}', '"x"', "\ufeff{}"].map((body) => post({ ...bearer, ...json }, body, 400)),
    ...TRAVERSALS.map((path) => get(path, bearer, 404)),
    get(`/api/runs?${"a".repeat(9_000)}`, bearer, 400),
    ...["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"].map((method) => ({
      path: "/api/runs",
      init: { method, headers: bearer },
      status: 405,
    })),
  ];
}

async function opened(): Promise<CalledConsole> {
  const console = await openConsole({
    start: () => Promise.reject(new Error("nothing may be started")),
  });
  await makeCompletedRun(console.ports, console.runsRoot, "r1");
  return console;
}

describe("what may not come in", () => {
  test("is refused, each with its status, and learns nothing", async () => {
    await using console = await opened();
    const all = forbidden(console.token);
    expect(all.length).toBeGreaterThanOrEqual(60);
    for (const { path, init, status } of all) {
      const response = await console.send(path, init);
      const text = await response.text();
      const asked = `${init.method ?? "GET"} ${path.slice(0, 80)} ${JSON.stringify(init.headers).slice(0, 200)}`;
      expect(`${asked} ${response.status}`).toBe(`${asked} ${status}`);
      expect(text).not.toContain(console.token);
      expect(text).not.toContain("How are options parsed?");
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
    expect((await console.get("/api/runs")).body).toMatchObject({ matched: 1 });
  });

  test("control: the same with the token, the host, the origin and the type of the console is let in", async () => {
    await using console = await opened();
    const bearer = { authorization: `Bearer ${console.token}` };
    const cookie = `a=b; deep_research_token=${console.token}`;
    for (const headers of [
      bearer,
      { ...bearer, host: `localhost:${PORT}` },
      { ...bearer, host: `[::1]:${PORT}`, origin: `http://[::1]:${PORT}` },
      { ...bearer, origin: `http://${HOST}` },
      { cookie },
    ]) {
      const response = await console.send("/api/runs", { headers });
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining("How are options parsed?"),
      ]);
    }
    const page = await console.send("/", { headers: { cookie } });
    expect([page.status, await page.text(), page.headers.get("cache-control")]).toEqual([
      200,
      "<!doctype html>",
      "no-store",
    ]);
    const part = await console.send("/index-1a2b.js", { headers: { cookie } });
    expect([part.status, part.headers.get("cache-control")]).toEqual([200, "private, max-age=31536000, immutable"]);
  });

  test("every route wants the token", async () => {
    await using console = await opened();
    for (const { method, path } of ROUTES) {
      const body = method === "POST" ? { body: "{}", headers: { "content-type": "application/json" } } : {};
      const { status } = await console.send(path.replace(":run", "r1").replace(/:\w+/g, "1"), { method, ...body });
      expect(`${method} ${path} ${status}`).toBe(`${method} ${path} 401`);
    }
  });
});

test("a ticket lets one browser in, once, and the next one is told then", () => {
  let made = 0;
  const next: string[] = [];
  const newTicket = (): string => `ticket-${++made}`;
  const door = new Door({ token: "secret", base: "base", port: PORT, newTicket, onEnter: (one) => next.push(one) });
  const entered = (words: string, method = "GET"): number => {
    const judged = door.judge(new Request(`http://${HOST}/?ticket=${words}`, { method, headers: { host: HOST } }));
    if (judged instanceof URL) throw new Error("nobody gets on without a cookie");
    return judged.status;
  };
  expect([entered("other"), entered("secret"), entered(""), entered("ticket-1", "HEAD"), next]).toEqual([
    401,
    401,
    401,
    401,
    [],
  ]);
  expect([entered("ticket-1"), next]).toEqual([303, ["ticket-2"]]);
  expect([entered("ticket-1"), next.length]).toEqual([401, 1]);
  expect([entered("ticket-2"), door.ticket]).toEqual([303, "ticket-3"]);
});

test("no ticket is taken for the token, wherever a token is given", async () => {
  await using console = await opened();
  const ticket = new URLSearchParams(console.ticketUrl().slice(1)).get("ticket") ?? "";
  expect(ticket).toMatch(/^[\w-]{43}$/);
  for (const headers of [{ authorization: `Bearer ${ticket}` }, { cookie: `deep_research_token=${ticket}` }])
    expect((await console.send("/api/runs", { headers: headers as Record<string, string> })).status).toBe(401);
  expect((await console.send(console.ticketUrl())).status).toBe(303);
});

/** What a browser does with the printed URL: the path that it is sent to, and the cookie that it sends below that. */
async function entered(console: CalledConsole): Promise<{ base: string; cookie: string; path: string }> {
  const { headers } = await console.send(console.ticketUrl());
  const [cookie = "", ...attributes] = (headers.get("set-cookie") ?? "").split("; ");
  expect(attributes.slice(0, -1)).toEqual(["HttpOnly", "SameSite=Lax"]);
  return { base: headers.get("location") ?? "", cookie, path: attributes.at(-1) ?? "" };
}

test("the printed URL becomes a cookie that no script reads and no other site or port is sent", async () => {
  await using console = await opened();
  await using other = await opened();
  const { base, cookie, path } = await entered(console);
  expect(base).toMatch(/^\/[\w-]{43}\/$/);
  expect(path).toBe(`Path=${base}`);
  expect([cookie.includes(console.token), base.includes(console.token)]).toEqual([true, false]);
  // Each console has a path of its own: else it would be known.
  expect((await entered(other)).base).not.toBe(base);
  for (const part of ["", "index-1a2b.js", "api/runs/r1"]) {
    const { status, headers } = await console.send(base + part, { headers: { cookie } });
    expect([part, status]).toEqual([part, 200]);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect((await console.send(base + part)).status).toBe(401);
  }
});

test("whatever is refused, a browser is shown a page that says what to do, and a program gets JSON", async () => {
  await using console = await opened();
  const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
  const cookie = `deep_research_token=${console.token}`;
  const refused: [path: string, headers: Record<string, string>, status: number, words: string][] = [
    ["/", {}, 401, "<code>deep-research serve --open</code>"],
    ["/old-base/", {}, 401, "printed last"],
    ["/?ticket=spent", {}, 401, "used before"],
    ["/api/runs", { cookie: "deep_research_token=old" }, 401, "printed last"],
    ["/", { host: "evil.example" }, 403, "Host header"],
    ["/nothing", { cookie }, 404, "no such route"],
    ["/api/runs/%3Cb%3E", { cookie }, 404, "no run"],
  ];
  for (const [path, headers, status, words] of refused) {
    const shown = await console.send(path, { headers: { ...headers, ...browser } });
    const html = await shown.text();
    expect([path, shown.status, shown.headers.get("content-type")]).toEqual([path, status, "text/html; charset=utf-8"]);
    expect(html).toContain(words);
    expect(html).not.toMatch(/<b>|<script|\{"error"/);
    expect(shown.headers.get("content-security-policy")).toContain("default-src 'self'");
    const told = await console.send(path, { headers });
    expect([path, told.status, (await told.json()) as object]).toEqual([
      path,
      status,
      expect.objectContaining({ error: expect.anything() }),
    ]);
  }
});

test("with --read-only everything is shown and nothing is changed", async () => {
  await using writable = await opened();
  await using console = await openConsole({ isReadOnly: true, runsRoot: writable.runsRoot });
  for (const { method, path, ...route } of ROUTES) {
    if (method === "GET" || "isView" in route) continue;
    const { status, body } = await console.post(path.replace(":run", "r1"), { confirm: true, question: "What?" });
    expect([path, status, body["error"]]).toEqual([path, 403, expect.objectContaining({ code: "FORBIDDEN" })]);
  }
  expect((await console.post("/mcp", {})).status).toBe(403);
  expect((await console.get("/api/runs/r1")).status).toBe(200);
  expect((await console.post("/api/runs/r1/verify")).body).toMatchObject({ ok: true });
});
