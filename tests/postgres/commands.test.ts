// Every command does over a store what it does over folders, with the same words but for places.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refusalOf } from "../../src/cli/configuration/trust.ts";
import { portsFor } from "../../src/wiring.ts";
import { cli, type Told } from "../cli/fake-host.ts";
import { PrivateServer, WHY_NO_SERVER } from "./private-server.ts";

const CORPUS = join(import.meta.dir, "../fixtures/corpus");
const QUESTION = "How does a lease expire?";

describe.skipIf(WHY_NO_SERVER !== null)("commands over a store", () => {
  let server: PrivateServer;
  let folder: string;
  beforeAll(async () => {
    server = await PrivateServer.start();
    folder = mkdtempSync(join(tmpdir(), "dr-commands-"));
    const migrated = await cli(["store", "migrate", server.url]);
    expect([migrated.code, migrated.stderr]).toEqual([0, ""]);
    for (const told of await both("start", QUESTION, "--corpus", CORPUS, "--run-id", "dr_one", "--quiet"))
      expect(told.code).toBe(0);
    for (const told of await both("init", QUESTION, "--corpus", CORPUS, "--run-id", "dr_two"))
      expect(told.code).toBe(0);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
    server[Symbol.dispose]();
  });

  const inFolders = (...argv: string[]): Promise<Told> => cli([...argv, "--runs-root", join(folder, "runs")]);
  const inStore = (...argv: string[]): Promise<Told> =>
    cli([...argv, "--runs-root", "/team"], { environment: { DEEP_RESEARCH_STORE: server.url } });
  const both = (...argv: string[]): Promise<[Told, Told]> => Promise.all([inFolders(...argv), inStore(...argv)]);

  /** Without places, times, and what is made by chance. */
  const plain = (text: string): string =>
    text
      .replaceAll("store:/team", "ROOT")
      .replaceAll(join(folder, "runs"), "ROOT")
      .replaceAll("/team", "ROOT")
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| UTC)?/g, "TIME")
      .replaceAll(/\b\d\d:\d\d:\d\d\b/g, "TIME")
      .replaceAll(/sha256:[0-9a-f]{64}|[0-9a-f]{64}/g, "DIGEST")
      .replaceAll(/own_[A-Za-z0-9]+/g, "OWNER")
      .replaceAll(/\b\d+(?:\.\d+)? (?:ms|kB|KB|bytes|s)\b/g, "SIZE")
      .replaceAll(/"(?:bytes|offset|end|[a-z_]+_(?:ms|s|seconds))":\d+(?:\.\d+)?/g, '"N":0');

  test.each([
    ["status", "dr_one"],
    ["status", "dr_one", "--json"],
    ["status", "dr_two"],
    ["list"],
    ["triage", "dr_one"],
    ["triage", "--all"],
    ["inspect", "dr_one"],
    ["inspect", "dr_one", "--json"],
    ["verify", "dr_one"],
    ["report", "list", "dr_one"],
    ["report", "show", "dr_one"],
    ["show", "dr_one"],
    ["repair", "dr_one", "--dry-run"],
    ["watch", "dr_one"],
    ["tick", "dr_none"],
    ["pause", "dr_one"],
    ["resume", "dr_one"],
    ["abort", "dr_one", "--yes"],
    ["watchdog", "--all"],
    ["report", "diff", "dr_one", "--from", "1", "--to", "1"],
  ])("%p %p %p %p %p %p %p", async (...argv) => {
    const [ofFolders, ofStore] = await both(...(argv.filter((word) => typeof word === "string") as string[]));
    expect(plain(ofStore.stdout)).toBe(plain(ofFolders.stdout));
    expect(plain(ofStore.stderr)).toBe(plain(ofFolders.stderr));
    expect(ofStore.code).toBe(ofFolders.code);
  });

  test("the rest of a life: ticks, a pause, an end, a fork, a further report, files, and removal", async () => {
    for (const argv of [
      ["tick", "dr_two"],
      ["pause", "dr_two"],
      ["report", "generate", "dr_two"],
      ["resume", "dr_two"],
      ["fork", "dr_two", "--new-run-id", "dr_three"],
      ["run", "dr_three"],
      ["report", "generate", "dr_one"],
      ["report", "select", "dr_one", "1"],
      ["ask", "dr_one", "When is a heartbeat late?", "--run-id", "dr_four"],
      ["tick", "--all"],
      ["abort", "dr_four", "--yes"],
      ["verify", "dr_four"],
      ["prune", "--state", "aborted", "--yes"],
      ["remove", "dr_two", "--yes"],
      ["list"],
    ]) {
      const [ofFolders, ofStore] = await both(...argv);
      expect([argv, ofStore.code, plain(ofStore.stdout), plain(ofStore.stderr)]).toEqual([
        argv,
        ofFolders.code,
        plain(ofFolders.stdout),
        plain(ofFolders.stderr),
      ]);
    }
  });

  test("a report is written to a file, and a run is captured", async () => {
    const [page, bundle] = [join(folder, "page.html"), join(folder, "bundle")];
    expect((await inStore("report", "export", "dr_one", "--output", page)).code).toBe(0);
    expect(readFileSync(page, "utf8")).toContain("<html");
    expect((await inStore("capture", "dr_one", "--output", bundle)).code).toBe(0);
    expect((await inStore("start", "--bundle", bundle, "--run-id", "dr_replay", "--quiet")).code).toBe(0);
  });

  test("documents of the store are read as they were when the run was made, and an agent may not name them", async () => {
    const documents = join(folder, "documents");
    const cache = { environment: { DEEP_RESEARCH_STORE: server.url, DEEP_RESEARCH_CACHE_DIR: join(folder, "cache") } };
    await Bun.write(join(documents, "lease.md"), "# Leases\n\nA lease expires 120 seconds after its last heartbeat.\n");
    const say = (...argv: string[]): Promise<Told> => cli([...argv, "--runs-root", "/documents"], cache, portsFor);
    const pushed = await say("documents", "push", "manual", documents, "--json");
    expect(JSON.parse(pushed.stdout).result).toMatchObject({ name: "manual", files: 1 });
    expect((await say("init", QUESTION, "--corpus", "documents:manual", "--run-id", "dr_pinned")).code).toBe(0);
    await Bun.write(join(documents, "lease.md"), "# Cooking\n\nSoup is boiled for an hour.\n");
    expect((await say("documents", "push", "manual", documents)).code).toBe(0);
    const run = await say("run", "dr_pinned", "--quiet");
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining("expires 120 seconds")]);
    expect((await say("verify", "dr_pinned")).code).toBe(0);
    for (const name of ["documents:nothing", "documents:../x", "documents:manual@0000000000000000"])
      expect((await say("start", QUESTION, "--corpus", name)).code).toBe(2);
    expect((await inFolders("start", QUESTION, "--corpus", "documents:manual")).code).toBe(2);
    expect((await say("documents", "push", "../x", documents)).code).toBe(2);
    expect((await say("documents", "push", "x", join(folder, "none"))).code).toBe(2);
    const bounds = { saidByUser: () => undefined, folders: ["/"], realPath: (path: string) => path };
    expect(refusalOf("corpus", { may: "inside", why: "it is read" }, ["documents:manual"], bounds)).not.toBeNull();
  });

  test("a password on the command line is refused; in a variable or a file it is taken, and never shown", async () => {
    const url = server.urlOf("owner").replace("owner@", "owner:Geheim99@");
    const refused = await cli(["list", "--store", url]);
    expect([refused.code, refused.stdout + refused.stderr]).toEqual([2, expect.not.stringContaining("Geheim99")]);
    const migrate = await cli(["store", "migrate", url]);
    expect([migrate.code, migrate.stdout + migrate.stderr]).toEqual([2, expect.not.stringContaining("Geheim99")]);
    const environment = { DEEP_RESEARCH_STORE: url };
    for (const argv of [["list"], ["store", "status"], ["doctor", "--all", "--offline"], ["status", "dr_none"]]) {
      const { stdout, stderr } = await cli(argv, { environment });
      expect(stdout + stderr).not.toContain("Geheim99");
    }
    const file = join(folder, "store.url");
    await Bun.write(file, `${url}\n`);
    expect((await cli(["list", "--store-file", file])).code).toBe(0);
    expect((await cli(["list", "--store-file", join(folder, "none")])).code).toBe(2);
  });

  test("what only a fleet has is refused without a store, with what to do", async () => {
    const detached = await inFolders("start", QUESTION, "--corpus", CORPUS, "--detach");
    expect([detached.code, detached.stderr]).toEqual([2, expect.stringMatching(/`start`.*`tick --all`/)]);
    for (const argv of [["worker"], ["store", "status"], ["store", "export", "dr_one", join(folder, "x")]])
      expect((await inFolders(...argv)).code).toBe(2);
  });
});
