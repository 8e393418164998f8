// Opens a store in PostgreSQL by its URL: for runs and their fleet, or as the server that it is.
import type { Clock } from "../../ports/clock.ts";
import type { StoredDocuments } from "../../ports/documents.ts";
import type { Fleet } from "../../ports/fleet.ts";
import type { StoreServer } from "../../ports/store-server.ts";
import type { Machine } from "../disk/machine.ts";
import { Contents } from "./contents.ts";
import { storedDocuments } from "./documents.ts";
import { openDatabase, type Database } from "./database.ts";
import { postgresFleet } from "./fleet.ts";
import { PostgresServer } from "./postgres-server.ts";
import { postgresStore, type PostgresStore } from "./postgres-store.ts";
import { storeAddress, type StoreAddress } from "./store-address.ts";

interface StoreOptions extends Machine {
  url: string;
  schema?: string;
}

interface RunStoreOptions extends StoreOptions {
  /** Where documents of the store are unpacked; null where nothing says where. */
  documentsFolder: string | null;
}

/** One pool of connections for each store of a process. */
const databases = new Map<string, Database>();

function databaseAt(address: StoreAddress, key: string, clock: Clock): Database {
  const database = databases.get(key) ?? openDatabase({ address, clock });
  databases.set(key, database);
  return database;
}

/** Errors: `INVALID_ARGS.store`. It reaches for the server when it is first used. */
export function openPostgresStore({
  url,
  schema,
  documentsFolder,
  ...machine
}: RunStoreOptions): PostgresStore & { fleet: Fleet; documents: StoredDocuments } {
  const address = storeAddress(url, schema);
  const database = databaseAt(address, `${url} ${address.schema}`, machine.clock);
  const openQueue = async () => await (await import("./run-queue.ts")).openRunQueue(address);
  const fleet = postgresFleet({ database, random: machine.random, openQueue });
  const contents = new Contents(database);
  const documents = storedDocuments({ ...machine, database, contents, folder: documentsFolder });
  return { ...postgresStore({ ...machine, database }), fleet, documents };
}

/** An operator waits less: what cannot be reached now is said at once. */
const PATIENCE_MS = 5_000;

export function openStoreServer({ url, schema, ...machine }: StoreOptions): StoreServer {
  const address = storeAddress(url, schema);
  const database = openDatabase({ address, clock: machine.clock, patienceMs: PATIENCE_MS });
  return new PostgresServer({ ...machine, database, address });
}
