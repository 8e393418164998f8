// Evidence from the web and from MCP servers, asked for and set up from the command line.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fs from "node:fs";
import http from "node:http";
import { oddServer } from "../providers/mcp/open-mcp.ts";
import { DOCUMENTS, QUESTION } from "../simulation/run-world.ts";
import { answerIn, LivePlace } from "./live-place.ts";

// Whole runs, on a machine that may be busy.
setDefaultTimeout(60_000);

const HEADING = /^# /;
const LINES = [...DOCUMENTS.values()].flatMap((text) => text.split("\n").filter((line) => line !== ""));
const PARAGRAPHS = LINES.map((line) => (HEADING.test(line) ? `<h2>${line.slice(2)}</h2>` : `<p>${line}</p>`));
const PAGE = `<!doctype html><html><head><title>Parsing</title></head><body><article>${PARAGRAPHS.join("\n")}</article></body></html>`;

class Site implements AsyncDisposable {
  readonly asked: string[] = [];
  readonly #http: http.Server;
  url = "";

  private constructor(status: number) {
    this.#http = http.createServer((request, response) => {
      this.asked.push(request.url ?? "");
      if (request.url === "/robots.txt") return void response.writeHead(404).end();
      response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(PAGE);
    });
  }

  static async open(status = 200): Promise<Site> {
    const site = new Site(status);
    await new Promise<void>((resolve) => site.#http.listen(0, "127.0.0.1", resolve));
    const address = site.#http.address();
    site.url = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "";
    return site;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise<void>((resolve) => this.#http.close(() => resolve()));
  }
}

interface Inspected {
  settings: { providers: unknown; corpora: unknown[] };
  provenance: Record<string, unknown>[];
}

async function inspected(place: LivePlace): Promise<Inspected> {
  return answerIn(await place.run(["inspect", place.runRoot, "--json"])).result as Inspected;
}

const START = ["start", QUESTION, "--run-id", "dr_live", "--mode", "quick"];

describe("the web", () => {
  test("is researched without a folder; the page is stored, quoted and verified", async () => {
    await using site = await Site.open();
    await using place = await LivePlace.open();
    place.user({ providers: { web: { seeds: [`${site.url}/parsing`] } } });
    const { code, stdout } = await place.run([...START, "--provider", "web"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("report")]);
    const { settings, provenance } = await inspected(place);
    expect(settings).toMatchObject({ providers: { run: ["web"] }, corpora: [] });
    expect(provenance.at(-1)).toMatchObject({
      requested_provider_id: "web",
      resolved_provider_id: "web",
      answered_provider_id: "web",
      source_count: 1,
    });
    const meta = fs.readdirSync(`${place.runRoot}/sources`).find((name) => name.endsWith(".json"));
    const source = JSON.parse(fs.readFileSync(`${place.runRoot}/sources/${meta}`, "utf8")) as unknown;
    expect(source).toMatchObject({ provider_id: "web", origin: `${site.url}/parsing` });
    expect((await place.run(["verify", place.runRoot])).code).toBe(0);
  });

  test("that fails is stood in for by the folder, and both are told", async () => {
    await using site = await Site.open(500);
    await using place = await LivePlace.open();
    place.user({ provider: ["web"], providers: { web: { seeds: [`${site.url}/parsing`] } } });
    expect((await place.start()).code).toBe(0);
    const { provenance } = await inspected(place);
    expect(provenance.at(-1)).toMatchObject({
      requested_provider_id: "web",
      resolved_provider_id: "web",
      answered_provider_id: "filesystem",
      fallback_from_provider_id: "web",
      error: expect.stringContaining("web: "),
    });
    expect((await place.run(["inspect", place.runRoot])).stdout).toContain("answered filesystem in place of web");
  });

  test("is not asked by a run that asks for folders alone", async () => {
    await using site = await Site.open();
    await using place = await LivePlace.open();
    place.user({ providers: { web: { seeds: [`${site.url}/parsing`] } } });
    place.workspace({ providers: ["web"] });
    expect((await place.run([...START, "--corpus", "docs", "--provider", "filesystem"])).code).toBe(0);
    expect(site.asked).toEqual([]);
  });

  test("of a run that keeps to listed hosts is asked only there", async () => {
    await using site = await Site.open();
    await using place = await LivePlace.open();
    const seeds = [`${site.url}/parsing`, "http://elsewhere.example/"];
    place.user({ providers: { web: { seeds } }, allowed_hosts: ["127.0.0.1"] });
    const { code } = await place.run([...START, "--provider", "web", "--sensitivity", "no_web"]);
    expect(code).toBe(0);
    expect(site.asked).toContain("/parsing");
    const blocked = fs.readFileSync(`${place.runRoot}/citations/blocked-urls.json`, "utf8");
    expect(JSON.parse(blocked)).toMatchObject({ urls: [{ reason: "not_allowed_host" }] });
  });

  test("that is not set up any more stops the next command, and leaves the run as it is", async () => {
    await using site = await Site.open();
    await using place = await LivePlace.open();
    place.user({ providers: { web: { seeds: [`${site.url}/parsing`] } } });
    await place.run(["init", QUESTION, "--run-id", "dr_live", "--provider", "web"]);
    place.user({});
    const { code, stderr } = await place.run(["run", place.runRoot]);
    expect([code, stderr.includes("BRAVE_API_KEY"), stderr.includes("--corpus")]).toEqual([2, true, false]);
    expect(answerIn(await place.run(["status", place.runRoot, "--json"])).result).toMatchObject({
      counters: { attempts_failed: 0 },
    });
  });

  test("without an engine or a page is refused at once", async () => {
    await using place = await LivePlace.open();
    const { code, stderr } = await place.run([...START, "--provider", "web"]);
    expect([code, stderr.includes("BRAVE_API_KEY")]).toEqual([2, true]);
    expect(fs.existsSync(`${place.path}/runs`)).toBe(false);
  });
});

describe("an MCP server", () => {
  test("that only the user's file names is started, asked and told", async () => {
    await using place = await LivePlace.open();
    const lease = ["start", "What is a lease?", "--run-id", "dr_live", "--mode", "quick", "--provider", "mcp"];
    expect((await place.run(lease)).stderr).toContain("no MCP server is set up");
    const servers = [oddServer("tools")];
    place.workspace({ providers: { mcp: { servers } } });
    const { code, stderr } = await place.run(lease);
    expect([code, stderr.includes("--trust-workspace")]).toEqual([2, true]);
    place.workspace({});
    place.user({ providers: { mcp: { servers } } });
    await place.run(lease);
    const { provenance } = await inspected(place);
    expect(provenance.at(-1)).toMatchObject({ requested_provider_id: "mcp", answered_provider_id: "mcp" });
    const sources = fs.readdirSync(`${place.runRoot}/sources`).filter((name) => name.endsWith(".json"));
    expect(sources.length).toBeGreaterThan(0);
  });

  test("that may go online is started by no run that may not", async () => {
    await using place = await LivePlace.open();
    place.user({ providers: { mcp: { servers: [oddServer("tools")] } } });
    const argv = ["init", QUESTION, "--provider", "mcp", "--sensitivity"];
    for (const level of ["no_web", "restricted"]) expect((await place.run([...argv, level])).code).toBe(2);
    place.user({ providers: { mcp: { servers: [oddServer("tools", { is_offline: true })] } } });
    for (const level of ["no_web", "restricted"]) expect((await place.run([...argv, level])).code).toBe(0);
  });
});
