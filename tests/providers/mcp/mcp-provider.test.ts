// MCP servers over stdio are searched, bounded and ended.
import { describe, expect, test } from "bun:test";
import fs from "node:fs";
import { digestOfBytes } from "../../../src/kernel/digest.ts";
import { mcpServerSchema } from "../../../src/run/settings/provider-settings.ts";
import { SimulatedClock } from "../../simulation/clock.ts";
import { TemporaryFolder } from "../../corpus/temporary-folder.ts";
import { failureOf, NO_ABORT } from "../web/loopback.ts";
import { oddServer, openMcp, type OpenMcp } from "./open-mcp.ts";

async function found(mcp: OpenMcp, query = "what is a lease"): Promise<string[]> {
  const passages = await mcp.provider.search(query, 10, NO_ABORT);
  for (const passage of passages) {
    const outcome = await mcp.provider.fetch(passage, NO_ABORT);
    if (outcome.kind !== "document") throw new Error(`the document is ${outcome.kind}`);
    const { bytes, text } = outcome.document;
    expect(digestOfBytes(bytes)).toBe(passage.document_digest);
    expect(new TextDecoder().decode(text.subarray(passage.start, passage.end))).toBe(passage.text);
  }
  return passages.map(({ origin, text }) => `${origin} | ${text.trim()}`);
}

describe("documents of a server", () => {
  test("hits of its search tool are fetched by its fetch tool", async () => {
    using mcp = openMcp([oddServer("tools")]);
    expect(await found(mcp)).toEqual([
      "odd:fetch(1) | A lease is a right that ends.",
      "odd:fetch(2) | A boat floats on water; a lease of one is rare.",
    ]);
  });

  test("an answer in prose is a document, and so are embedded and linked resources", async () => {
    using prose = openMcp([oddServer("prose")]);
    expect(await found(prose)).toEqual([
      "odd:search(what is a lease) | About what is a lease: a lease is a right that ends.",
    ]);
    using embedded = openMcp([oddServer("embedded")]);
    expect((await found(embedded)).toSorted()).toEqual([
      "odd:note://one | A lease in a note.",
      "odd:note://two | A lease of note://two",
    ]);
  });

  test("an embedded resource that cannot be read spoils no other, and a limit of them is read", async () => {
    using mcp = openMcp([oddServer("half-embedded")], { limits: { documentsPerSearch: 2 } });
    expect(await found(mcp)).toEqual(["odd:note://1 | A lease that can be read."]);
    expect(mcp.blocked).toMatchObject([{ url: "odd:note://0", reason: "unreadable" }]);
  });

  test("very deep data is no hit and no crash", async () => {
    using mcp = openMcp([oddServer("deep")]);
    expect(await mcp.provider.search("lease", 5, NO_ABORT)).toEqual([]);
  });

  test("without a search tool its resources are read, those with fitting names first", async () => {
    using mcp = openMcp([oddServer("resources")], { limits: { documentsPerSearch: 2, maxResources: 7 } });
    expect((await found(mcp)).toSorted()).toEqual([
      "odd:note://0 | A lease of note://0",
      "odd:note://4 | A lease of note://4",
    ]);
  });

  test("contents other than text go to the reader of documents", async () => {
    using mcp = openMcp([oddServer("blob")], { limits: { documentsPerSearch: 1 } });
    expect(await found(mcp)).toEqual(["odd:note://4 | A lease in HTML."]);
  });

  test("another provider reads a document by its origin", async () => {
    using first = openMcp([oddServer("tools")]);
    const [passage] = await first.provider.search("lease", 1, NO_ABORT);
    if (passage === undefined) throw new Error("nothing found");
    using second = openMcp([oddServer("tools")]);
    expect(await second.provider.fetch(passage, NO_ABORT)).toMatchObject({
      kind: "document",
      document: { title: "Leases" },
    });
    const other = { ...passage, document_digest: digestOfBytes("other") };
    expect(await second.provider.fetch(other, NO_ABORT)).toEqual({ kind: "changed" });
    expect(await second.provider.open("nobody:note://1", NO_ABORT)).toMatchObject({ kind: "gone" });
  });

  test("a few stray lines do not matter", async () => {
    using mcp = openMcp([oddServer("a-little-garbage")]);
    expect(await found(mcp)).toHaveLength(2);
  });

  test("a server that fails does not stop the others", async () => {
    using mcp = openMcp([oddServer("tools"), oddServer("die", { name: "dying" })]);
    expect(await found(mcp)).toHaveLength(2);
    expect(mcp.blocked).toMatchObject([{ url: "dying", reason: "server_failed", provider_id: "mcp" }]);
  });
});

describe("declared tools that only read", () => {
  async function onlyReads({ provider }: OpenMcp, origin?: string): Promise<boolean> {
    const { tools, isComplete } = await provider.declaredTools(origin, NO_ABORT);
    return isComplete && tools.every(({ only_reads }) => only_reads);
  }

  test.each<[string, object, boolean]>([
    ["reads", {}, true],
    ["tools", {}, false],
    ["destroys", {}, false],
    ["reads-and-destroys", {}, false],
    ["nonsense", {}, false],
    ["destroys", { is_safe: true }, true],
    ["resources", {}, true],
  ])("%s %j: %p", async (mode, settings, expected) => {
    using mcp = openMcp([oddServer(mode, { ...settings })]);
    expect(await onlyReads(mcp)).toBe(expected);
    expect(await onlyReads(mcp, "odd:fetch(1)")).toBe(expected);
    expect(await onlyReads(mcp, "corpus/a.md")).toBe(true);
  });

  test("are unknown for a server that does not answer, and known for the others", async () => {
    const missing = mcpServerSchema.parse({ name: "no", kind: "stdio", command: "/no/such/program" });
    using mcp = openMcp([missing, oddServer("reads")]);
    const { tools, isComplete } = await mcp.provider.declaredTools(undefined, NO_ABORT);
    expect([tools.map(({ server }) => server), isComplete]).toEqual([["odd", "odd"], false]);
    expect(await onlyReads(mcp, "odd:fetch(1)")).toBe(true);
    expect(await onlyReads(mcp, "no:fetch(1)")).toBe(false);
  });
});

describe("a bad server is a typed failure", () => {
  const cases: [string, Record<string, unknown>][] = [
    ["die", { reason: "server_failed", detail: "it ended with status 3" }],
    ["flood", { reason: "too_large", detail: "it sent more than a request may return" }],
    ["endless-line", { reason: "too_large", detail: "it sent more than a request may return" }],
    ["garbage", { reason: "bad_answer" }],
    ["refuse", { reason: "server_failed", detail: expect.stringContaining("no lease today") }],
    ["error", { reason: "server_failed", detail: "search failed: the index is gone" }],
    ["wrong", { reason: "bad_answer" }],
  ];
  test.each(cases)("%s", async (mode, expected) => {
    const limits = { maxBytesPerCall: 3_000_000 };
    using mcp = openMcp([oddServer(mode)], { limits });
    expect(await failureOf(mcp.provider.search("lease", 5, NO_ABORT))).toMatchObject({
      provider_id: "mcp",
      url: "odd",
      ...expected,
    });
  });

  test.each([
    ["deaf", { startMs: 400 }, "too_slow"],
    ["hang", { callMs: 600 }, "too_slow"],
    ["other-id", { callMs: 600 }, "too_slow"],
    ["hang", { searchMs: 600 }, "too_slow"],
  ] as const)("%s: given up in time", async (mode, limits, reason) => {
    using mcp = openMcp([oddServer(mode)], { limits });
    expect(await failureOf(mcp.provider.search("lease", 5, NO_ABORT))).toMatchObject({ reason });
  });

  test("documents that came before the end of the time are searched", async () => {
    using folder = new TemporaryFolder({});
    const clock = new SimulatedClock();
    const server = oddServer("slow-fetch", { env: { ASKED_FILE: folder.at("asked") } });
    using mcp = openMcp([server], { limits: { callMs: 10 ** 9, searchMs: 120_000 } }, { clock });
    const work = mcp.provider.search("lease", 5, NO_ABORT);
    while (!fs.existsSync(folder.at("asked"))) await Bun.sleep(10);
    await clock.advance(120_000);
    expect(await work).toMatchObject([{ origin: "odd:fetch(1)" }]);
    expect(mcp.blocked).toMatchObject([{ url: "odd", reason: "too_slow" }]);
  });

  test("a missing program, and one that does not speak the protocol", async () => {
    for (const command of ["/no/such/program", "true", "cat"]) {
      using mcp = openMcp([mcpServerSchema.parse({ name: "no", kind: "stdio", command })], {
        limits: { startMs: 500 },
      });
      const { reason } = await failureOf(mcp.provider.search("lease", 5, NO_ABORT));
      expect(["server_failed", "too_slow"]).toContain(reason);
    }
  });

  test("a server that keeps failing is started a few times and then no more", async () => {
    using mcp = openMcp([oddServer("die")]);
    const details: string[] = [];
    for (let search = 0; search < 5; search++)
      details.push((await failureOf(mcp.provider.search("lease", 5, NO_ABORT))).detail);
    expect(details.slice(0, 3)).toEqual(Array(3).fill("it ended with status 3"));
    expect(details.slice(3)).toEqual(Array(2).fill("it failed 3 times; it is left alone"));
  });

  test("eight searches at once share one server, and after it died the next one starts it again", async () => {
    using folder = new TemporaryFolder({});
    const file = folder.at("pids");
    using mcp = openMcp([oddServer("tools", {}, file)]);
    const pids = new Set<string>();
    for (let round = 0; round < 5; round++) {
      const found = await Promise.all(Array.from({ length: 8 }, () => mcp.provider.search("lease", 5, NO_ABORT)));
      expect(found.map(({ length }) => length)).toEqual(Array(8).fill(2));
      const [pid = ""] = fs.readFileSync(file, "utf8").split(" ");
      pids.add(pid);
      process.kill(-Number(pid), "SIGKILL");
      // A search may still meet the dead server.
      await mcp.provider.search("lease", 5, NO_ABORT).catch(() => {});
    }
    expect(pids.size).toBeGreaterThan(3);
  });

  test("a closed provider starts nothing", async () => {
    using folder = new TemporaryFolder({});
    const mcp = openMcp([oddServer("tools", {}, folder.at("pids"))]);
    mcp.provider.close();
    await mcp.provider.search("lease", 5, NO_ABORT).then(
      () => expect.unreachable(),
      (error: unknown) => expect(String(error)).toContain("closed"),
    );
    expect(fs.existsSync(folder.at("pids"))).toBe(false);
  });

  test("a caller gives up at once", async () => {
    using folder = new TemporaryFolder({});
    const server = oddServer("hang", { env: { ASKED_FILE: folder.at("asked") } });
    using mcp = openMcp([server], {}, { clock: new SimulatedClock() });
    const abort = new AbortController();
    const work = mcp.provider.search("lease", 5, abort.signal).catch((error: unknown) => String(error));
    while (!fs.existsSync(folder.at("asked"))) await Bun.sleep(10);
    abort.abort(new Error("paused"));
    expect(await work).toContain("paused");
  });
});

describe("the child process", () => {
  const isAlive = (pid: number): boolean => {
    try {
      return !fs.readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
    } catch {
      return false;
    }
  };
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await Bun.sleep(20);
  };

  test.skipIf(process.platform !== "linux")(
    "ends with the provider, with everything that it started (seen in /proc: Linux only)",
    async () => {
      using folder = new TemporaryFolder({});
      const file = folder.at("pids");
      const mcp = openMcp([oddServer("tools", {}, file)]);
      await mcp.provider.search("lease", 5, NO_ABORT);
      const pids = fs.readFileSync(file, "utf8").split(" ").map(Number);
      expect(pids.map(isAlive)).toEqual([true, true]);
      mcp.provider.close();
      await until(() => !pids.some(isAlive));
    },
  );

  const ENDINGS = ["process.exit(0);", "mcp.provider.close();", "mcp.provider.close(); process.exit(0);"];
  test.skipIf(process.platform !== "linux").each(ENDINGS)(
    "ends when this process ends by: %s (seen in /proc: Linux only)",
    async (ending) => {
      using folder = new TemporaryFolder({});
      const file = folder.at("pids");
      const script = `
      import { openMcp, oddServer } from ${JSON.stringify(`${import.meta.dir}/open-mcp.ts`)};
      const mcp = openMcp([oddServer("tools", {}, ${JSON.stringify(file)})]);
      await mcp.provider.search("lease", 5, new AbortController().signal);
      ${ending}`;
      await Bun.spawn([process.execPath, "-e", script], { stdio: ["ignore", "ignore", "inherit"] }).exited;
      const pids = fs.readFileSync(file, "utf8").split(" ").map(Number);
      expect(pids).toHaveLength(2);
      await until(() => !pids.some(isAlive));
    },
  );

  test("gets none of our keys", async () => {
    const environment = { ...process.env, OPENAI_API_KEY: "top-secret", BRAVE_API_KEY: "top-secret" };
    using mcp = openMcp([oddServer("environment", { env: { OWN_KEY: "given" } })], {}, { environment });
    const [answer = ""] = await found(mcp, "lease");
    expect(answer).toContain("given");
    expect(answer).not.toContain("top-secret");
  });

  test("gets the variables that its settings name, and a missing one is named without any value", async () => {
    const server = oddServer("environment", { env: { OWN_KEY: "key ${MY_KEY}" } });
    using mcp = openMcp([server], {}, { environment: { ...process.env, MY_KEY: "top-secret" } });
    expect((await found(mcp, "lease"))[0]).toContain("key top-secret");
    expect(() => openMcp([server], {}, { environment: {} })).toThrow("a variable that is not set");
    const http = { name: "h", kind: "http", url: "http://a.test/", headers: { Authorization: "Bearer ${MY_KEY}" } };
    expect(() => openMcp([mcpServerSchema.parse(http)], {}, { environment: { MY_KEY: "a\nb" } })).toThrow("no key has");
  });

  test("is not started under restricted and no_web unless its settings say is_offline", async () => {
    using folder = new TemporaryFolder({});
    const file = folder.at("pids");
    for (const sensitivity of ["restricted", "no_web"] as const) {
      using closed = openMcp([oddServer("tools", {}, file)], { sensitivity });
      expect(await failureOf(closed.provider.search("lease", 5, NO_ABORT))).toMatchObject({
        reason: "not_allowed_host",
      });
      expect(fs.existsSync(file)).toBe(false);
      using open = openMcp([oddServer("tools", { is_offline: true })], { sensitivity });
      expect(await found(open)).toHaveLength(2);
    }
  });
});

test("settings without servers, with two of one name and with bad names are refused", () => {
  expect(() => openMcp([])).toThrow("no MCP server");
  expect(() => openMcp([oddServer("tools"), oddServer("die")])).toThrow("two MCP servers have one name");
  for (const name of ["a:b", "", "A", "http", "https"])
    expect(mcpServerSchema.safeParse({ name, kind: "stdio", command: "x" }).success, name).toBe(false);
});
