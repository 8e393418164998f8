// Brings the schema of a store up to this version. Any number of processes may do so at once; a newer schema is left alone.
import { RunError } from "../../kernel/errors.ts";
import type { Database } from "./database.ts";
import { MIGRATIONS, SCHEMA_VERSION, WORKER_RIGHTS } from "./schema.ts";

/** Of advisory locks, one for all schemas of a database. */
const MIGRATION_LOCK = 7_230_991;
const ROLE_PATTERN = /^[A-Za-z_][A-Za-z0-9_$-]{0,62}$/;

export interface Migrated {
  from: number;
  to: number;
}

/** Errors: `INVALID_ARGS.store_role`; `SCHEMA_UNSUPPORTED.store_newer`. */
export async function migrate(database: Database): Promise<Migrated> {
  return await database.together(async (statements) => {
    await statements.rows("select pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    await statements.rows("create schema if not exists {dr}");
    await statements.rows(
      "create table if not exists {dr}.migration (number int primary key, applied_at timestamptz not null default now())",
    );
    const from = await appliedIn(statements);
    if (from > SCHEMA_VERSION) throw newer(database, from);
    for (const [at, text] of MIGRATIONS.entries()) {
      if (at < from) continue;
      for (const statement of statementsOf(text)) await statements.rows(statement);
      await statements.rows("insert into {dr}.migration (number) values ($1)", [at + 1]);
    }
    return { from, to: SCHEMA_VERSION };
  });
}

/** Gives a role the rights of a worker. Errors: `INVALID_ARGS` for one that is none. */
export async function grant(database: Database, role: string, queue: string): Promise<void> {
  if (!ROLE_PATTERN.test(role))
    throw new RunError("INVALID_ARGS", { reason: "not the name of a role", option: "--worker-role" });
  const [known] = await database.rows("select 1 from pg_roles where rolname = $1", [role]);
  if (known === undefined)
    throw new RunError("INVALID_ARGS", { reason: `the server has no role ${role}`, option: "--worker-role" });
  const rights = WORKER_RIGHTS.replaceAll("{role}", `"${role}"`).replaceAll("{queue}", queue);
  await database.together(async (statements) => {
    for (const statement of statementsOf(rights)) await statements.rows(statement);
  });
}

export async function appliedIn(statements: Pick<Database, "rows">): Promise<number> {
  const [row] = await statements.rows<{ version: number }>(
    "select coalesce(max(number), 0)::int as version from {dr}.migration",
  );
  return row?.version ?? 0;
}

function newer({ schema, server }: Database, version: number): RunError {
  return new RunError("SCHEMA_UNSUPPORTED.store_newer", {
    reason: `schema ${schema} of ${server.name} has version ${version}, newer than this program`,
    store: server.name,
  });
}

/** One by one, since a statement with parameters may stand alone only. A line that is a comment says nothing to the server. */
function statementsOf(text: string): string[] {
  const plain = text.replaceAll(/--.*$/gm, "");
  return plain
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}
