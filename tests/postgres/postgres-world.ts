// Processes of a simulated host over runs in a real PostgreSQL. The wall clock of the server is that of the host.
import { openDatabase, type Database } from "../../src/stores/postgres/database.ts";
import { migrate } from "../../src/stores/postgres/migrate.ts";
import { postgresStore, type PostgresStore } from "../../src/stores/postgres/postgres-store.ts";
import { storeAddress } from "../../src/stores/postgres/store-address.ts";
import { realRandom } from "../../src/system/random.ts";
import type { LogWorld } from "../conformance/run-log.ts";
import { SimulatedWorld, type Actor } from "../simulation/world.ts";
import { pace } from "./paced-clock.ts";
import type { PrivateServer } from "./private-server.ts";

let schemas = 0;

export interface PostgresWorld extends LogWorld<PostgresStore> {
  database: Database;
  end: () => Promise<void>;
}

interface WorldOptions {
  /** How the first process reaches the server. */
  port?: number;
  msInOne?: number;
}

export async function postgresWorld(
  server: PrivateServer,
  world = new SimulatedWorld(),
  { port = server.port, msInOne = 1 }: WorldOptions = {},
): Promise<PostgresWorld> {
  const schema = `test_${process.pid}_${++schemas}`;
  const stop = pace(world.clock, msInOne);
  const databaseBy = (to: number, clock = world.clock as Actor["clock"]): Database =>
    openDatabase({ address: storeAddress(server.urlOf("owner", "postgres", to), schema), clock });
  const shared = databaseBy(server.port);
  await migrate(shared);
  const wall = { nowMs: world.clock.nowMs() };
  await shared.rows("create table {dr}.test_clock (ms float8)");
  await shared.rows("insert into {dr}.test_clock values ($1)", [wall.nowMs]);
  await shared.rows(
    "create or replace function {dr}.now_ms() returns float8 language sql volatile as $$ select ms from {dr}.test_clock $$",
  );
  const setNow = async (ms: number): Promise<void> => {
    wall.nowMs = ms;
    await shared.rows("update {dr}.test_clock set ms = $1", [ms]);
  };
  const own = port === server.port ? shared : databaseBy(port);
  const open = ({ clock, processes }: Actor, database = shared): PostgresStore =>
    postgresStore({ database, clock: { ...clock, nowMs: () => wall.nowMs }, processes, random: realRandom });
  let spawned = 0;
  const spawn = (): Actor => world.spawn(`process ${++spawned}`);
  return {
    database: shared,
    store: open(spawn(), own),
    runsRoot: "/runs",
    otherProcess: () => open(spawn()),
    async dyingProcess(work) {
      const actor = spawn();
      await work(open(actor));
      actor.kill();
    },
    clock: world.clock,
    async advance(ms) {
      await world.clock.advance(ms);
      await setNow(wall.nowMs + ms);
    },
    setNow: (ms) => {
      wall.nowMs = ms;
    },
    async end() {
      await shared.rows("drop schema {dr} cascade");
      stop();
      await shared.close();
      if (own !== shared) await own.close();
    },
  };
}
