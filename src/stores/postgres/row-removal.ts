// Removes a run in rows under its lease, and the content that no other run of its root has.
import { RunError } from "../../kernel/errors.ts";
import type { Removal } from "../../ports/runs.ts";
import { heldBy } from "../lease/lease-reading.ts";
import type { Statements } from "./database.ts";
import { claim, type LeaseHere } from "./row-lease.ts";

const REMOVAL_LEASE_S = 120;

/** Errors: `NOT_FOUND`, `REVISION_MISMATCH`; `INVALID_ARGS.store_role` for the role of a worker. */
export async function remove(here: LeaseHere, runRoot: string, expectedRevision?: number): Promise<Removal> {
  const { database } = here;
  const claimed = await claim(here, runRoot, { lease_seconds: REMOVAL_LEASE_S, reason: "remove" });
  if (claimed.kind === "overtaken") throw new RunError("LOCK_HELD", { run_root: runRoot });
  if (claimed.kind === "held") return heldBy(claimed);
  const { row, lease } = claimed;
  try {
    if (expectedRevision !== undefined && expectedRevision !== row.seq)
      throw new RunError("REVISION_MISMATCH", {
        expected_revision: expectedRevision,
        revision: row.seq,
        run_root: runRoot,
      });
    const bytes_freed = await bytesOf(database, row.id);
    await database.together(async (statements) => {
      const digests = [...new Set([...row.files.values()].map(({ sha256 }) => sha256))];
      const { count } = await statements.rows("delete from {dr}.run where id = $1 and claim_epoch = $2", [
        row.id,
        lease.record.epoch,
      ]);
      if (count === 0) return;
      await statements.rows(
        `delete from {dr}.content c where c.root = $1 and c.sha256 = any($2::text[])
          and not exists (select 1 from {dr}.file f where f.root = c.root and f.sha256 = c.sha256)`,
        [row.root, database.texts(digests)],
      );
    });
    return { kind: "removed", bytes_freed };
  } catch (error) {
    await lease.release();
    throw error;
  }
}

export async function bytesOf(statements: Statements, id: string): Promise<number> {
  const [row] = await statements.rows<{ bytes: number }>(
    `select (octet_length(r.manifest)
        + coalesce((select sum(octet_length(l.line)) from {dr}.record l where l.run = r.id), 0)
        + coalesce((select sum(f.size) from {dr}.file f where f.run = r.id), 0))::float8 as bytes
      from {dr}.run r where r.id = $1`,
    [id],
  );
  return row?.bytes ?? 0;
}
