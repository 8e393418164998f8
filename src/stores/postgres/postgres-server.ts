// The server of a store: its schema, its health, and runs that come from folders and go to them.
import { RunError } from "../../kernel/errors.ts";
import type { Migrated, MovedRun, StoreServer, StoreStatus } from "../../ports/store-server.ts";
import type { Machine } from "../disk/machine.ts";
import { Contents } from "./contents.ts";
import type { Database } from "./database.ts";
import { appliedIn, grant, migrate } from "./migrate.ts";
import { exportRun, importRun } from "./moved-runs.ts";
import { SCHEMA_VERSION } from "./schema.ts";
import type { StoreAddress } from "./store-address.ts";

interface ServerMachine extends Machine {
  database: Database;
  address: StoreAddress;
}

export class PostgresServer implements StoreServer {
  readonly #machine: ServerMachine;
  readonly #contents: Contents;

  constructor(machine: ServerMachine) {
    this.#machine = machine;
    this.#contents = new Contents(machine.database);
  }

  async migrate(workerRole: string | null): Promise<Migrated> {
    const { database, address } = this.#machine;
    const migrated = await migrate(database);
    const { migrateQueue, queueSchema } = await import("./run-queue.ts");
    await migrateQueue(address);
    if (workerRole !== null) await grant(database, workerRole, queueSchema(address));
    return { ...migrated, schema: database.schema };
  }

  async status(): Promise<StoreStatus> {
    const { database, clock } = this.#machine;
    const version = await this.#version();
    const beforeMs = clock.nowMs();
    const [server] = await database.rows<{
      server_version: string;
      role: string;
      is_standby: boolean;
      now_ms: number;
    }>(
      `select current_setting('server_version') as server_version, current_user::text as role, pg_is_in_recovery() as is_standby,
        extract(epoch from clock_timestamp())::float8 * 1000 as now_ms`,
    );
    const afterMs = clock.nowMs();
    const about = {
      store: database.server.name.replace(/^the store at /, ""),
      schema: database.schema,
      version,
      needed_version: SCHEMA_VERSION,
      server_version: server?.server_version ?? "",
      role: server?.role ?? "",
      is_standby: server?.is_standby ?? false,
      skew_ms: Math.round((beforeMs + afterMs) / 2 - (server?.now_ms ?? afterMs)),
    };
    if (version === 0) return { ...about, is_operator: false, roots: [], bytes: 0 };
    return { ...about, is_operator: await this.#isOperator(), roots: await this.#roots(), bytes: await this.#bytes() };
  }

  /** 0 where there is no schema. */
  async #version(): Promise<number> {
    try {
      return await appliedIn(this.#machine.database);
    } catch (error) {
      if (error instanceof RunError && error.code === "SCHEMA_UNSUPPORTED") return 0;
      throw error;
    }
  }

  async #isOperator(): Promise<boolean> {
    const [row] = await this.#machine.database.rows<{ may: boolean }>(
      "select has_table_privilege(current_user, '{dr}.run', 'DELETE') and has_table_privilege(current_user, '{dr}.debris', 'INSERT') as may",
    );
    return row?.may === true;
  }

  async #roots(): Promise<StoreStatus["roots"]> {
    return await this.#machine.database.rows<StoreStatus["roots"][number]>(
      `with run as (
         select root, wakes_ms, refreshed_ms, {dr}.now_ms() as now_ms, coalesce(held_until_ms > {dr}.now_ms(), false) as is_held,
           exists (select 1 from {dr}.lack l where l.run = id and l.worker = '*') as is_given_up
         from {dr}.run)
       select root, count(*)::int as runs, (count(*) filter (where is_held))::int as held,
         (count(*) filter (where is_given_up))::int as given_up,
         (count(*) filter (where wakes_ms <= now_ms and not is_held))::int as due,
         min(greatest(wakes_ms, refreshed_ms)) filter (where wakes_ms <= now_ms and not is_held) as oldest_due_ms
       from run group by root order by root collate "C"`,
    );
  }

  async #bytes(): Promise<number> {
    const [row] = await this.#machine.database.rows<{ bytes: string }>(
      "select sum(pg_total_relation_size(c.oid))::text as bytes from pg_class c where c.relnamespace = to_regnamespace('{dr}') and c.relkind = 'r'",
    );
    return Number(row?.bytes ?? 0);
  }

  exportRun(runRoot: string, folder: string): Promise<MovedRun> {
    return exportRun(
      { database: this.#machine.database, contents: this.#contents },
      this.#machine.files,
      runRoot,
      folder,
    );
  }

  async importRun(folder: string, runRoot: string): Promise<MovedRun & { already: boolean }> {
    const { database } = this.#machine;
    if (!(await this.#isOperator()))
      throw new RunError("INVALID_ARGS.store_role", {
        reason: "the role that is used may not import runs",
        store: database.server.name,
      });
    return await importRun({ database, contents: this.#contents }, this.#machine, folder, runRoot);
  }

  async close(): Promise<void> {
    await this.#machine.database.close();
  }
}
