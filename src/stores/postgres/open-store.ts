// Opens a store in PostgreSQL by its URL: for runs, or as the server that it is.
import type { StoreServer } from "../../ports/store-server.ts";
import type { Machine } from "../disk/machine.ts";
import { openDatabase } from "./database.ts";
import { PostgresServer } from "./postgres-server.ts";
import { postgresStore, type PostgresStore } from "./postgres-store.ts";
import { storeAddress } from "./store-address.ts";

interface StoreOptions extends Machine {
  url: string;
  schema?: string;
}

/** Errors: `INVALID_ARGS.store`. It reaches for the server when it is first used. */
export function openPostgresStore({ url, schema, ...machine }: StoreOptions): PostgresStore {
  const database = openDatabase({ address: storeAddress(url, schema), clock: machine.clock });
  return postgresStore({ ...machine, database });
}

export function openStoreServer({ url, schema, ...machine }: StoreOptions): StoreServer {
  // An operator waits less: what cannot be reached now is said at once.
  const database = openDatabase({ address: storeAddress(url, schema), clock: machine.clock, patienceMs: PATIENCE_MS });
  return new PostgresServer({ ...machine, database });
}

const PATIENCE_MS = 5_000;
