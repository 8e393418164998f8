// The address of a store of runs: a URL of PostgreSQL, read by its schema, without a secret in what is printed of it.
import { RunError } from "../../kernel/errors.ts";
import type { SQL } from "bun";
import type { ServerName } from "./server-errors.ts";

const DEFAULT_SCHEMA = "deep_research";
const SCHEMA_PATTERN = /^[a-z_][a-z0-9_]{0,40}$/;
const STANDARD_PORT = 5_432;
const TLS_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full"] as const;

export interface StoreAddress {
  options: SQL.PostgresOrMySQLOptions;
  schema: string;
  server: ServerName;
}

/** Errors: `INVALID_ARGS.store`. `from`: what the user wrote it in, for errors. */
export function storeAddress(text: string, schema: string = DEFAULT_SCHEMA): StoreAddress {
  const wrong = (reason: string): RunError => new RunError("INVALID_ARGS.store", { reason });
  if (!SCHEMA_PATTERN.test(schema)) throw wrong("the schema of a store has small letters, digits and underscores");
  if (!URL.canParse(text)) throw wrong("the store is no URL, such as postgres://dr_worker@db/research");
  const url = new URL(text);
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:")
    throw wrong("a store is reached by postgres:// and nothing else");
  const mode = url.searchParams.get("sslmode");
  if (mode !== null && !TLS_MODES.some((one) => one === mode)) throw wrong(`sslmode is one of ${TLS_MODES.join(", ")}`);
  const [password, user] = [decodeURIComponent(url.password), decodeURIComponent(url.username)];
  const host = url.host === "" ? "this host" : url.host;
  return {
    options: {
      url: text,
      adapter: "postgres",
      ...(password === "" ? { password: () => passwordFor(url, user) } : {}),
    },
    schema,
    server: {
      name: `the store at ${host}${url.pathname}`,
      secrets: [url.password, password, user].filter((secret) => secret !== ""),
      schema,
    },
  };
}

/** As other programs of PostgreSQL find it: PGPASSWORD, then the file that PGPASSFILE names, or ~/.pgpass. Empty for none. */
async function passwordFor({ hostname, port, pathname }: URL, user: string): Promise<string> {
  const said = process.env["PGPASSWORD"];
  if (said !== undefined && said !== "") return said;
  const { default: pgpass } = await import("pgpass");
  const database = decodeURIComponent(pathname.slice(1));
  return await new Promise((resolve) => {
    pgpass({ host: hostname, port: Number(port || STANDARD_PORT), database, user }, (password) =>
      resolve(password ?? ""),
    );
  });
}
