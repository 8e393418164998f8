// A run goes from its folder into rows and back byte for byte, whichever version and driver wrote it, and wherever it was cut.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openDatabase, type Database } from "../../src/stores/postgres/database.ts";
import { migrate } from "../../src/stores/postgres/migrate.ts";
import { PostgresServer } from "../../src/stores/postgres/postgres-server.ts";
import { postgresStore } from "../../src/stores/postgres/postgres-store.ts";
import { storeAddress, type StoreAddress } from "../../src/stores/postgres/store-address.ts";
import { realClock } from "../../src/system/clock.ts";
import { realFiles } from "../../src/system/files.ts";
import { realProcesses } from "../../src/system/processes.ts";
import { realRandom } from "../../src/system/random.ts";
import { codeOf, mustAcquire } from "../conformance/run-log.ts";
import { noted } from "../conformance/sample-run.ts";
import { runsOfEveryVersion } from "./runs-of-every-version.ts";
import { PrivateServer, WHY_NO_SERVER } from "./private-server.ts";

const MACHINE = { files: realFiles, clock: realClock, processes: realProcesses, random: realRandom };

describe.skipIf(WHY_NO_SERVER !== null)("runs that move", () => {
  let server: PrivateServer;
  let address: StoreAddress;
  let database: Database;
  let folder: string;
  beforeAll(async () => {
    server = await PrivateServer.start();
    address = storeAddress(server.url, "moved");
    database = openDatabase({ address, clock: realClock });
    await migrate(database);
  });
  afterAll(async () => {
    await database.close();
    server[Symbol.dispose]();
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "dr-moved-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const served = () => new PostgresServer({ ...MACHINE, database, address });
  const store = () => postgresStore({ ...MACHINE, database });

  for (const [name, unpack] of Object.entries(runsOfEveryVersion()))
    test(name, async () => {
      const runs = await unpack(folder);
      expect(runs.length).toBeGreaterThan(0);
      for (const run of runs) {
        const back = join(folder, `back-${basename(run)}`);
        const runRoot = `/${name}/${basename(run)}`;
        const { already, problems } = await served().importRun(run, runRoot);
        expect([already, problems]).toEqual([false, []]);
        expect((await store().look(runRoot)).manifest.run_id).toBe(
          (await store().inspect(runRoot)).manifest?.run_id ?? "",
        );
        expect((await store().inspect(runRoot)).problems).toEqual([]);
        expect((await served().exportRun(runRoot, back)).problems).toEqual([]);
        expect(filesOf(back)).toEqual(filesOf(run));
      }
    });

  test("a journal that holds what killed owners left moves with it, and goes on", async () => {
    const [run] = await oneRun(folder);
    appendFileSync(join(run, "journal.jsonl"), ' \n{"data":{"torn":1');
    const before = filesOf(run);
    await served().importRun(run, "/torn/dr_torn");
    await served().exportRun("/torn/dr_torn", join(folder, "back"));
    expect(filesOf(join(folder, "back"))).toEqual(before);
    const writer = await mustAcquire(store(), "/torn/dr_torn");
    await writer.commit([noted("goes on")]);
    await writer.release();
    expect((await store().inspect("/torn/dr_torn")).problems).toEqual([]);
    const { problems } = await served().exportRun("/torn/dr_torn", join(folder, "further"));
    expect(problems).toEqual([]);
    expect(readFileSync(join(folder, "further/journal.jsonl"), "utf8")).toStartWith(
      String(before.get("journal.jsonl")),
    );
  });

  test("the same run again is no error, another one in its place is, and a folder that is there is not written into", async () => {
    const [run, other] = await oneRun(folder);
    await served().importRun(run, "/again/dr_x");
    expect((await served().importRun(run, "/again/dr_x")).already).toBe(true);
    const writer = await mustAcquire(store(), "/again/dr_x");
    await writer.release();
    // It has gone on since.
    expect((await served().importRun(run, "/again/dr_x")).already).toBe(true);
    expect(await codeOf(served().importRun(other, "/again/dr_x"))).toBe("ALREADY_EXISTS");
    expect(await codeOf(served().exportRun("/again/dr_x", run))).toBe("ALREADY_EXISTS");
    expect(await codeOf(served().exportRun("/again/dr_none", join(folder, "none")))).toBe("NOT_FOUND");
    expect(await codeOf(served().importRun(join(folder, "none"), "/again/dr_none"))).toBe("NOT_FOUND");
  });

  test("a folder that does not verify is not taken, and nothing of it is there", async () => {
    const [run] = await oneRun(folder);
    const journal = readFileSync(join(run, "journal.jsonl"), "utf8");
    writeFileSync(join(run, "journal.jsonl"), journal.replace('"kind":"state.changed"', '"kind":"state.chanted"'));
    expect(await codeOf(served().importRun(run, "/damaged/dr_x"))).toBe("INTEGRITY_ERROR");
    expect(await codeOf(store().look("/damaged/dr_x"))).toBe("NOT_FOUND");
  });

  test("content of 200 MB goes through in pieces", async () => {
    const [run] = await oneRun(folder);
    await served().importRun(run, "/large/dr_x");
    const bytes = new Uint8Array(200 * 1024 * 1024).map((_, at) => at * 31 + (at >> 13));
    const writer = await mustAcquire(store(), "/large/dr_x");
    const ref = await writer.storeContent("sources/large", bytes);
    expect(Buffer.compare(await store().readContent("/large/dr_x", ref), bytes)).toBe(0);
    await writer.release();
  });
});

async function oneRun(folder: string): Promise<[string, string]> {
  const [first, second] = (await Object.values(runsOfEveryVersion())[0]?.(folder)) ?? [];
  if (first === undefined || second === undefined) throw new Error("there are no runs to move");
  return [first, second];
}

/** By path; without what belongs to the machine alone. */
function filesOf(run: string): Map<string, string> {
  const paths = readdirSync(run, { recursive: true, encoding: "utf8" }).toSorted();
  const files = paths.filter((path) => !/^\.(?:head|lock|tmp-)/.test(path) && statSync(join(run, path)).isFile());
  return new Map(files.map((path) => [path, readFileSync(join(run, path), "latin1")]));
}
