// Whatever is wrong with a server, a role or a row is a typed error with its next step, and nothing is lost.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RunError } from "../../src/kernel/errors.ts";
import { openDatabase, type Database } from "../../src/stores/postgres/database.ts";
import { PostgresServer } from "../../src/stores/postgres/postgres-server.ts";
import { postgresStore, type PostgresStore } from "../../src/stores/postgres/postgres-store.ts";
import { storeAddress } from "../../src/stores/postgres/store-address.ts";
import { realClock } from "../../src/system/clock.ts";
import { realFiles } from "../../src/system/files.ts";
import { realProcesses } from "../../src/system/processes.ts";
import { realRandom } from "../../src/system/random.ts";
import { codeOf, mustAcquire } from "../conformance/run-log.ts";
import { noted, runCreated, sourceNamed } from "../conformance/sample-run.ts";
import { freePort } from "./free-port.ts";
import { PrivateServer, WHY_NO_SERVER } from "./private-server.ts";

const MACHINE = { files: realFiles, clock: realClock, processes: realProcesses, random: realRandom };
const SCHEMA = "faults";

describe.skipIf(WHY_NO_SERVER !== null)("a store in PostgreSQL", () => {
  let server: PrivateServer;
  let owner: Database;
  const open = new Map<string, Database>();
  beforeAll(async () => {
    server = await PrivateServer.start();
    owner = databaseAt(server.url);
    await owner.rows("create role dr_worker login");
    await owner.rows("create role dr_stranger login");
    await serverAt(server.url).migrate("dr_worker");
  });
  afterAll(async () => {
    for (const database of open.values()) await database.close();
    server[Symbol.dispose]();
  });

  function databaseAt(url: string, schema = SCHEMA): Database {
    const known = open.get(`${url} ${schema}`);
    const database = known ?? openDatabase({ address: storeAddress(url, schema), clock: realClock, patienceMs: 300 });
    open.set(`${url} ${schema}`, database);
    return database;
  }
  const serverAt = (url: string, schema = SCHEMA): PostgresServer =>
    new PostgresServer({ ...MACHINE, database: databaseAt(url, schema), address: storeAddress(url, schema) });
  const storeAt = (url: string, schema = SCHEMA): PostgresStore =>
    postgresStore({ ...MACHINE, database: databaseAt(url, schema) });

  async function faultOf(work: Promise<unknown>): Promise<RunError> {
    const error: unknown = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error instanceof RunError) return error;
    throw new Error(`no typed error: ${String(error)}`);
  }

  // --- where it is ------------------------------------------------------------------------------------------------

  test.each([
    "nothing",
    "mysql://db/research",
    "https://db/research",
    "postgres://[::bad",
    "postgres://db/research?sslmode=perhaps",
  ])("%p names no store", (url) => {
    expect(() => storeAddress(url)).toThrow(RunError);
  });

  test.each(["", "Upper", "a b", "a;drop table x", "1st", "x".repeat(80)])("%p is no schema", (schema) => {
    expect(() => storeAddress("postgres://db/research", schema)).toThrow(RunError);
  });

  test("a server that is not there is UNAVAILABLE, without the user and the password", async () => {
    const error = await faultOf(
      storeAt(`postgres://dr_someone:Geheim99@127.0.0.1:${await freePort()}/x`).look("/r/dr_x"),
    );
    expect(error.code).toBe("UNAVAILABLE");
    expect(JSON.stringify([error.facts, error.message])).not.toMatch(/Geheim99|dr_someone/);
  });

  test("a role, a database or a schema that is not there says so", async () => {
    const login = await faultOf(storeAt(server.urlOf("nobody_here")).look("/r/dr_x"));
    expect(login.fault).toBe("INVALID_ARGS.store_login");
    expect(JSON.stringify(login.facts)).not.toContain("nobody_here");
    expect((await faultOf(storeAt(server.urlOf("owner", "nowhere")).look("/r/dr_x"))).fault).toBe(
      "INVALID_ARGS.store_login",
    );
    expect((await faultOf(storeAt(server.url, "not_there").look("/r/dr_x"))).fault).toBe(
      "SCHEMA_UNSUPPORTED.store_older",
    );
    expect((await faultOf(storeAt(server.urlOf("dr_stranger")).look("/r/dr_x"))).fault).toBe("INVALID_ARGS.store_role");
  });

  test("a server without TLS is not reached where TLS is wanted", async () => {
    const error = await faultOf(storeAt(`${server.url}?sslmode=verify-full`).look("/r/dr_x"));
    expect(error.fault).toBe("INVALID_ARGS.store_login");
  });

  test("a newer schema is left alone, and many migrations at once do it once", async () => {
    const both = await Promise.all(Array.from({ length: 4 }, () => serverAt(server.url, "at_once").migrate(null)));
    expect(both.map(({ to }) => to)).toEqual([1, 1, 1, 1]);
    expect(both.filter(({ from }) => from === 0)).toHaveLength(1);
    await databaseAt(server.url, "at_once").rows("insert into {dr}.migration (number) values (99)");
    expect((await faultOf(serverAt(server.url, "at_once").migrate(null))).fault).toBe("SCHEMA_UNSUPPORTED.store_newer");
    expect((await serverAt(server.url, "at_once").status()).version).toBe(99);
  });

  test("a role of a worker that the server does not know, or that is none, is refused", async () => {
    for (const role of ["not_there", 'x"; drop schema faults cascade; --'])
      expect((await faultOf(serverAt(server.url).migrate(role))).code).toBe("INVALID_ARGS");
    expect((await serverAt(server.url).status()).version).toBe(1);
  });

  test("a password comes from where PostgreSQL's own programs take it, and a wrong one is refused without being shown", async () => {
    const rules = join(server.folder, "data/pg_hba.conf");
    writeFileSync(rules, `host all dr_locked 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, "utf8")}`);
    await owner.rows("create role dr_locked login password 'Geheim99'");
    await owner.rows("select pg_reload_conf()");
    await serverAt(server.url).migrate("dr_locked");
    const file = join(server.folder, "pgpass");
    writeFileSync(file, `127.0.0.1:${server.port}:*:dr_locked:Geheim99\n`, { mode: 0o600 });
    const before = process.env["PGPASSFILE"];
    const url = server.urlOf("dr_locked");
    try {
      process.env["PGPASSFILE"] = file;
      expect(await storeAt(url).names("/none")).toBeNull();
    } finally {
      if (before === undefined) delete process.env["PGPASSFILE"];
      else process.env["PGPASSFILE"] = before;
    }
    const wrong = await faultOf(storeAt(url.replace("dr_locked@", "dr_locked:Falsch77@")).names("/none"));
    expect(wrong.fault).toBe("INVALID_ARGS.store_login");
    expect(JSON.stringify([wrong.facts, wrong.message])).not.toMatch(/Falsch77|Geheim99|dr_locked/);
  });

  // --- rights -----------------------------------------------------------------------------------------------------

  test("the role of a worker works on runs, and can neither alter nor delete what was acknowledged", async () => {
    const store = storeAt(server.urlOf("dr_worker"));
    await store.create("/rights/dr_x", [runCreated("dr_x")], []);
    const writer = await mustAcquire(store, "/rights/dr_x");
    const { draft, path, bytes } = sourceNamed("kept");
    await writer.storeContent(path, bytes);
    await writer.commit([draft, noted("a")]);
    await writer.foldNow();
    await writer.release();
    expect((await store.inspect("/rights/dr_x")).problems).toEqual([]);
    const worker = databaseAt(server.urlOf("dr_worker"));
    for (const forbidden of [
      "update {dr}.record set line = 'x'",
      "delete from {dr}.record",
      "update {dr}.content set bytes = 'x'",
      "delete from {dr}.content",
      "delete from {dr}.run",
      "update {dr}.run set name = 'x'",
      "truncate {dr}.record",
      "drop table {dr}.run",
      "alter table {dr}.run add x int",
      "create table {dr}.mine (a int)",
      "delete from {dr}.migration",
      "insert into {dr}.migration (number) values (7)",
    ])
      expect([forbidden, (await faultOf(worker.rows(forbidden))).fault]).toEqual([
        forbidden,
        "INVALID_ARGS.store_role",
      ]);
    expect((await faultOf(store.remove("/rights/dr_x"))).fault).toBe("INVALID_ARGS.store_role");
    expect((await faultOf(serverAt(server.urlOf("dr_worker")).importRun("/nowhere/dr_x", "/rights/dr_y"))).fault).toBe(
      "INVALID_ARGS.store_role",
    );
    expect((await store.look("/rights/dr_x")).manifest.revision).toBe(4);
    expect((await storeAt(server.url).remove("/rights/dr_x")).kind).toBe("removed");
  });

  test("runs of two schemas are apart", async () => {
    await serverAt(server.url, "tenant_b").migrate(null);
    await storeAt(server.url).create("/t/dr_x", [runCreated("dr_x")], []);
    expect(await storeAt(server.url, "tenant_b").names("/t")).toBeNull();
  });

  // --- rows that were altered by hand -----------------------------------------------------------------------------

  const ALTERED: Record<string, [statement: string, found: string]> = {
    "a line": ["update {dr}.record set line = replace(line, 'as it was', 'as it is.') where run = $1", "journal.jsonl"],
    "a line that is gone": ["delete from {dr}.record where run = $1 and seq = 3", "journal.jsonl"],
    "the last line": ["delete from {dr}.record where run = $1 and seq = 5", "journal.jsonl"],
    "the head": ["update {dr}.run set digest = 'sha256:' || repeat('0', 64) where id = $1", "journal.jsonl"],
    "the state": [
      `update {dr}.run set manifest = replace(manifest, '"revision":', '"revision":1') where id = $1`,
      "manifest.json",
    ],
  };
  for (const [what, [statement, found]] of Object.entries(ALTERED))
    test(`${what}: is found by inspect, and no owner continues on it`, async () => {
      const store = storeAt(server.url);
      const root = `/altered/dr_${what.replaceAll(" ", "-")}`;
      await store.create(root, [runCreated("dr_x")], []);
      const writer = await mustAcquire(store, root);
      await writer.commit([noted("as it was"), noted("b")]);
      await writer.commit([noted("c")]);
      await writer.foldNow();
      await writer.release();
      const [row] = await owner.rows<{ id: string }>("select id from {dr}.run where root = '/altered' and name = $1", [
        root.slice("/altered/".length),
      ]);
      await owner.rows(statement, [row?.id]);
      const { problems } = await store.inspect(root);
      expect(problems.map(({ path }) => path)).toContain(found);
      if (what === "the state") {
        // It is made anew from the journal.
        const next = await mustAcquire(store, root);
        await next.foldNow();
        await next.release();
        expect((await store.inspect(root)).problems).toEqual([]);
      } else expect(await codeOf(store.acquire(root))).toBe("INTEGRITY_ERROR");
    });

  test("content that was altered or is gone is met by whoever reads it", async () => {
    const root = "/altered/dr_content";
    await storeAt(server.url).create(root, [runCreated("dr_x")], []);
    const writer = await mustAcquire(storeAt(server.url), root);
    const { draft, path, bytes } = sourceNamed("altered");
    const ref = await writer.storeContent(path, bytes);
    await writer.commit([draft]);
    await writer.release();
    await owner.rows("update {dr}.content set bytes = 'other' where root = '/altered' and sha256 = $1", [ref.sha256]);
    expect(await codeOf(storeAt(server.url).readContent(root, ref))).toBe("INTEGRITY_ERROR");
    expect((await storeAt(server.url).inspect(root)).problems).toMatchObject([{ path, expected: ref.sha256 }]);
  });

  test("a server that takes no more writes for now is UNAVAILABLE, and the run goes on afterwards", async () => {
    const root = "/standby/dr_x";
    const store = storeAt(server.url);
    await store.create(root, [runCreated("dr_x")], []);
    await owner.rows("alter role owner set default_transaction_read_only = on");
    try {
      // Connections that are open know nothing of it.
      const now = `${server.url}?application_name=now`;
      expect(await codeOf(storeAt(now).acquire(root))).toBe("UNAVAILABLE");
      expect((await storeAt(now).look(root)).manifest.revision).toBe(1);
    } finally {
      await owner.rows("alter role owner reset default_transaction_read_only");
    }
    await (await mustAcquire(storeAt(server.url), root)).release();
  });

  test("a clock that is an hour off neither takes a lease away nor sets the times of a run back", async () => {
    const root = "/clock/dr_x";
    const hourOff = (by: number): PostgresStore =>
      postgresStore({
        ...MACHINE,
        database: owner,
        clock: { ...realClock, nowMs: () => realClock.nowMs() + by },
        processes: { ...realProcesses, self: () => ({ ...realProcesses.self(), hostname: "another" }) },
      });
    await storeAt(server.url).create(root, [runCreated("dr_x")], []);
    const writer = await mustAcquire(storeAt(server.url), root, { lease_seconds: 60 });
    for (const by of [3_600_000, -3_600_000]) expect((await hourOff(by).acquire(root)).kind).toBe("held");
    await writer.release();
    for (const by of [3_600_000, -3_600_000]) await (await mustAcquire(hourOff(by), root)).release();
    const times = (await storeAt(server.url).records(root)).map(({ ts }) => ts);
    expect(times).toEqual(times.toSorted());
  });
});
