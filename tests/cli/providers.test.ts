// Evidence from the web and from MCP servers, asked for and set up from the command line.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fs from "node:fs";
import http from "node:http";
import { blockedFold, blockedIn } from "../../src/run/log/stage-folds.ts";
import { livePorts } from "../live/live-run.ts";
import { oddServer } from "../providers/mcp/open-mcp.ts";
import { DOCUMENTS, QUESTION } from "../simulation/run-world.ts";
import { answerIn, LivePlace } from "./live-place.ts";

// Whole runs, on a machine that may be busy.
setDefaultTimeout(600_000);

const HEADING = /^# /;
const LINES = [...DOCUMENTS.values()].flatMap((text) => text.split("\n").filter((line) => line !== ""));
const PARAGRAPHS = LINES.map((line) => (HEADING.test(line) ? `<h2>${line.slice(2)}</h2>` : `<p>${line}</p>`));
const PAGE = `<!doctype html><html><head><title>Parsing</title></head><body><article>${PARAGRAPHS.join("\n")}</article></body></html>`;

class Site implements AsyncDisposable {
  readonly asked: string[] = [];
  readonly #http: http.Server;
  url = "";

  private constructor(status: number, type: string) {
    this.#http = http.createServer((request, response) => {
      this.asked.push(request.url ?? "");
      if (request.url === "/robots.txt") return void response.writeHead(404).end();
      response.writeHead(status, { "content-type": type }).end(PAGE);
    });
  }

  static async open(status = 200, type = "text/html; charset=utf-8"): Promise<Site> {
    const site = new Site(status, type);
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

async function stepsOf(place: LivePlace): Promise<{ key: string; stage: string; provenance?: unknown[] }[]> {
  const { result } = answerIn(await place.run(["inspect", place.runRoot, "--json"]));
  const { stages } = result as { stages: { stage: string; steps: { key: string; provenance?: unknown[] }[] }[] };
  return stages.flatMap(({ stage, steps }) => steps.map((step) => Object.assign({ stage }, step)));
}

function sourcesOf(place: LivePlace): unknown[] {
  const names = fs.readdirSync(`${place.runRoot}/sources`).filter((name) => name.endsWith(".json"));
  return names.map((name) => JSON.parse(fs.readFileSync(`${place.runRoot}/sources/${name}`, "utf8")) as unknown);
}

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
    const [source] = sourcesOf(place);
    expect(source).toMatchObject({
      requested_provider_id: "web",
      provider_id: "web",
      origin: `${site.url}/parsing`,
    });
    expect(source).not.toHaveProperty("fallback_from_provider_id");
    expect((await place.run(["verify", place.runRoot])).code).toBe(0);
  });

  test("that fails is replaced by the folder, and both are reported", async () => {
    await using site = await Site.open(500);
    await using place = await LivePlace.open();
    place.user({ provider: ["web"], providers: { web: { seeds: [`${site.url}/parsing`] } } });
    const started = await place.start();
    expect(started.code).toBe(0);
    const { provenance } = await inspected(place);
    expect(provenance.at(-1)).toMatchObject({
      requested_provider_id: "web",
      resolved_provider_id: "web",
      answered_provider_id: "filesystem",
      fallback_from_provider_id: "web",
      error: expect.stringContaining("web: "),
    });
    // Each step that gathered and each source says the same of itself.
    const wave1 = (await stepsOf(place)).filter(({ key }) => key.startsWith("wave1:"));
    expect(wave1.length).toBeGreaterThan(0);
    for (const step of wave1)
      expect(step.provenance).toEqual([
        expect.objectContaining({ answered_provider_id: "filesystem", fallback_from_provider_id: "web" }),
      ]);
    expect((await place.run(["inspect", place.runRoot, "--step", wave1[0]?.key ?? ""])).stdout).toContain(
      "answered filesystem in place of web",
    );
    for (const source of sourcesOf(place))
      expect(source).toMatchObject({
        requested_provider_id: "web",
        resolved_provider_id: "web",
        provider_id: "filesystem",
        fallback_from_provider_id: "web",
      });
    const words = "filesystem answered in place of web (web: http_status)";
    // While it works: the page at once, the fallback with each wave and once.
    expect(started.stderr.split(`not reached: ${site.url}/parsing (http_status)`)).toHaveLength(2);
    expect(started.stderr.split(words)).toHaveLength(2);
    // And whoever looks later.
    expect(started.stdout).toContain(words);
    expect((await place.run(["status", place.runRoot])).stdout).toContain(words);
    expect(answerIn(await place.run(["status", place.runRoot, "--json"])).result).toMatchObject({
      fallbacks: [
        { answered_provider_id: "filesystem", fallback_from_provider_id: "web", errors: ["web: http_status"] },
      ],
    });
    const shown = await place.run(["report", "show", place.runRoot]);
    expect([shown.stderr.split("\n")[0], shown.stdout.includes(words)]).toEqual([words, false]);
    const look = (await place.run(["inspect", place.runRoot])).stdout;
    expect(look.match(/requested web .*/g)).toEqual([expect.stringContaining("answered filesystem in place of web")]);
  });

  test("that is only asked for is told as such, and no source is counted before there is one", async () => {
    await using site = await Site.open();
    await using place = await LivePlace.open();
    place.user({ providers: { web: { seeds: [`${site.url}/parsing`] } } });
    await place.run(["init", QUESTION, "--run-id", "dr_live", "--mode", "quick", "--provider", "web"]);
    await place.run(["run", place.runRoot, "--max-ticks", "1"]);
    const look = (await place.run(["inspect", place.runRoot])).stdout;
    expect(look).toContain("requested web (run); nothing is stored yet");
    expect(look).not.toContain("0 sources, 0 quotes");
  });

  test("pages that a wave could not reach are listed at once, and still when the run is done", async () => {
    await using site = await Site.open();
    await using place = await LivePlace.open();
    const refused = "ftp://127.0.0.1/paper";
    place.user({ providers: { web: { seeds: [`${site.url}/parsing`, refused] } } });
    await place.run(["init", QUESTION, "--run-id", "dr_live", "--mode", "quick", "--provider", "web"]);
    const file = `${place.runRoot}/citations/blocked-urls.json`;
    await place.run(["run", place.runRoot, "--until", "citations"]);
    const listed = fs.readFileSync(file, "utf8");
    expect(JSON.parse(listed)).toMatchObject({ urls: [{ url: refused, reason: "bad_url" }] });
    expect((await place.run(["run", place.runRoot])).code).toBe(0);
    expect(fs.readFileSync(file, "utf8")).toBe(listed);
    expect((await place.run(["verify", place.runRoot])).code).toBe(0);
  });

  describe("whose only page cannot be reached", () => {
    async function halted(): Promise<{ place: LivePlace; file: string; url: string }> {
      const site = await Site.open(500);
      const place = await LivePlace.open();
      const url = `${site.url}/parsing`;
      place.user({ providers: { web: { seeds: [url, "ftp://127.0.0.1/paper"] } } });
      expect((await place.run([...START, "--provider", "web"])).code).not.toBe(0);
      await site[Symbol.asyncDispose]();
      return { place, url, file: `${place.runRoot}/citations/blocked-urls.json` };
    }

    test("leaves the list when it halts, and triage and inspect show it with what would help", async () => {
      const { place, file, url } = await halted();
      await using _place = place;
      const { urls } = JSON.parse(fs.readFileSync(file, "utf8")) as { urls: { url: string; help: string }[] };
      expect(urls.map((entry) => entry.url)).toEqual(["ftp://127.0.0.1/paper", url]);
      expect((await place.run(["verify", place.runRoot])).code).toBe(0);
      for (const verb of ["triage", "inspect"]) {
        const { stdout } = await place.run([verb, place.runRoot]);
        for (const entry of urls)
          expect([stdout.includes(entry.url), stdout.includes(entry.help)]).toEqual([true, true]);
      }
      const { result } = answerIn(await place.run(["inspect", place.runRoot, "--json"]));
      expect(result).toMatchObject({ blocked_urls: urls });
    });

    test("verifies where a crash left the list of before, not where the list is altered; a repair mends both", async () => {
      const { place, file } = await halted();
      await using _place = place;
      const listed = fs.readFileSync(file, "utf8");
      const records = await livePorts().store.records(place.runRoot);
      const lists = records.filter((record) => record.kind === "url.blocked" && record.data.fold !== undefined);
      const lastButOne = records.findIndex(({ seq }) => seq === lists.at(-2)?.seq);
      const upTo = records.slice(0, lastButOne + 1).flatMap((record) => blockedIn(record));
      const before = blockedFold(upTo).text;
      expect(before).not.toBe(listed);
      fs.writeFileSync(file, before);
      expect((await place.run(["verify", place.runRoot])).code).toBe(0);
      await place.run(["repair", place.runRoot]);
      expect(fs.readFileSync(file, "utf8")).toBe(listed);
      fs.writeFileSync(file, listed.replace("ftp:", "ftq:"));
      const altered = await place.run(["verify", place.runRoot]);
      expect([altered.code, (altered.stdout + altered.stderr).includes("citations/blocked-urls.json")]).toEqual([
        12,
        true,
      ]);
      await place.run(["repair", place.runRoot]);
      expect(fs.readFileSync(file, "utf8")).toBe(listed);
    });
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

  test("whose variable nobody set is refused with its name, whatever came before", async () => {
    await using place = await LivePlace.open();
    place.user({ providers: { mcp: { servers: [oddServer("tools", { env: { KEY: "${WIKI_KEY}" } })] } } });
    const { code, stderr } = await place.run(["init", QUESTION, "--provider", "mcp"]);
    expect([code, stderr.includes("set WIKI_KEY")]).toEqual([2, true]);
  });

  test("that may go online is started by no run that may not", async () => {
    await using place = await LivePlace.open();
    place.user({ providers: { mcp: { servers: [oddServer("tools")] } } });
    const argv = ["init", QUESTION, "--provider", "mcp", "--sensitivity"];
    for (const level of ["no_web", "restricted"]) {
      const { code, stderr } = await place.run([...argv, level]);
      expect([code, stderr.includes("is_offline: true"), stderr.includes("allowed_hosts")]).toEqual([2, true, true]);
    }
    place.user({ providers: { mcp: { servers: [oddServer("tools", { is_offline: true })] } } });
    for (const level of ["no_web", "restricted"]) expect((await place.run([...argv, level])).code).toBe(0);
  });

  test("that names everything as long or as broken as it can ends no sweep, and neither does such a page", async () => {
    await using site = await Site.open(200, `application/x${"t".repeat(300)}+json`);
    await using place = await LivePlace.open();
    place.user({
      providers: { mcp: { servers: [oddServer("monstrous")] }, web: { seeds: [`${site.url}/parsing`] } },
    });
    const init = ["init", "--mode", "quick", "--run-id"];
    await place.run([...init, "dr_1", "What is a lease?", "--provider", "mcp"]);
    await place.run([...init, "dr_2", QUESTION, "--provider", "web"]);
    await place.run([...init, "dr_3", QUESTION, "--corpus", "docs"]);
    const roots = ["dr_1", "dr_2", "dr_3"].map((id) => `${place.path}/runs/${id}`);
    for (const root of roots) await place.run(["tick", root]);
    const codes = new Set<string>();
    for (let isOver = false; !isOver;) {
      const { runs } = answerIn(await place.run(["tick", "--all", "--json"])).result as {
        runs: { error: { code: string } | null }[];
      };
      for (const { error } of runs) if (error !== null) codes.add(error.code);
      isOver = runs.length === 0;
    }
    expect(codes.isSubsetOf(new Set(["GATE_BLOCKED", "NO_EVIDENCE"]))).toBe(true);
    expect(answerIn(await place.run(["status", roots[2] ?? "", "--json"])).contract?.execution_state).toBe("completed");
    for (const root of roots) expect((await place.run(["verify", root])).code).toBe(0);
  });

  test.each<[string, object, boolean]>([
    ["tools", {}, false],
    ["tools", { is_safe: true }, true],
    ["reads", {}, true],
  ])("of which the tools say what they do is recorded so: %s %j", async (mode, more, isSafe) => {
    await using place = await LivePlace.open();
    place.user({ providers: { mcp: { servers: [oddServer(mode, { ...more })] } } });
    await place.run([...START, "--provider", "mcp", ...place.model]);
    const requested = (await livePorts().store.records(place.runRoot)).flatMap((record) =>
      record.kind === "tool.requested" && record.data.name === "search" ? [record.data.is_safe] : [],
    );
    expect(new Set(requested)).toEqual(new Set([isSafe]));
  });
});
