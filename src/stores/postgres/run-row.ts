// The row of a run with all that looking needs: one statement, so one snapshot, in which head, lease, records and files fit each other.
import { RunError } from "../../kernel/errors.ts";
import { z } from "../../kernel/zod.ts";
import type { Statements } from "./database.ts";

/** Bun gives int8 as text. */
const longSchema = z.union([z.string().regex(/^\d+$/), z.number()]).transform(Number);
const textsSchema = z
  .array(z.string())
  .nullable()
  .transform((texts) => texts ?? []);
const storedRowSchema = z.object({
  id: z.string(),
  root: z.string(),
  name: z.string(),
  seq: z.int(),
  epoch: z.int(),
  digest: z.string(),
  end_at: longSchema,
  claim_epoch: z.int(),
  lease: z.string().nullable(),
  refreshed_ms: z.number().nullable(),
  now_ms: z.number(),
  manifest: z.string(),
  shown_seq: z.int(),
  requests: z.int(),
  tail_at: textsSchema,
  tail: textsSchema,
  has_debris: z.boolean(),
  paths: textsSchema,
  digests: textsSchema,
  sizes: textsSchema,
  waiting: textsSchema,
});

export interface JournalLine {
  /** The byte where it begins in the journal. */
  at: number;
  line: string;
}

export interface FileEntry {
  sha256: string;
  size: number;
}

export interface RunRow {
  runRoot: string;
  id: string;
  root: string;
  seq: number;
  epoch: number;
  digest: string;
  /** The length that journal.jsonl would have. */
  end: number;
  claim_epoch: number;
  /** lock.v1 as JSON, without `refreshed_at`. */
  lease: string | null;
  refreshed_ms: number | null;
  /** The clock of the server, when the row was read. */
  now_ms: number;
  manifest: string;
  /** The last record that the manifest folded. */
  shown_seq: number;
  /** The number of requests that there have been. */
  requests: number;
  /** The records from the last folded one on. */
  tail: JournalLine[];
  hasDebris: boolean;
  /** By path. */
  files: Map<string, FileEntry>;
  /** The requests that wait, as JSON, by their ids. */
  waiting: string[];
}

export function placeOf(runRoot: string): { root: string; name: string } {
  const at = runRoot.lastIndexOf("/");
  return { root: runRoot.slice(0, at), name: runRoot.slice(at + 1) };
}

export function noRun(runRoot: string): RunError {
  return new RunError("NOT_FOUND", { reason: "no run is here", run_root: runRoot });
}

/** Columns of `{dr}.run r`. */
export const RUN_COLUMNS = `
  r.id, r.root, r.name, r.seq, r.epoch, r.digest, r.end_at, r.claim_epoch, r.lease, r.refreshed_ms, {dr}.now_ms() as now_ms,
  r.manifest, r.shown_seq, r.requests,
  (select array_agg(l.at order by l.seq) from {dr}.record l where l.run = r.id and l.seq >= r.shown_seq) as tail_at,
  (select array_agg(l.line order by l.seq) from {dr}.record l where l.run = r.id and l.seq >= r.shown_seq) as tail,
  exists (select 1 from {dr}.debris d where d.run = r.id) as has_debris,
  (select array_agg(f.path order by f.path) from {dr}.file f where f.run = r.id) as paths,
  (select array_agg(f.sha256 order by f.path) from {dr}.file f where f.run = r.id) as digests,
  (select array_agg(f.size order by f.path) from {dr}.file f where f.run = r.id) as sizes,
  (select array_agg(q.body order by q.request_id collate "C") from {dr}.request q where q.run = r.id) as waiting`;

/** Errors: `NOT_FOUND`. */
export async function readRow(statements: Statements, runRoot: string): Promise<RunRow> {
  const { root, name } = placeOf(runRoot);
  const [row] = await statements.rows(`select ${RUN_COLUMNS} from {dr}.run r where r.root = $1 and r.name = $2`, [
    root,
    name,
  ]);
  if (row === undefined) throw noRun(runRoot);
  return runRowOf(row);
}

export function runRowOf(row: unknown): RunRow {
  const { root, name, end_at, tail_at, tail, has_debris, paths, digests, sizes, ...rest } = storedRowSchema.parse(row);
  const files = paths.map((path, index): [string, FileEntry] => [
    path,
    { sha256: digests[index] ?? "", size: Number(sizes[index]) },
  ]);
  return {
    ...rest,
    runRoot: `${root}/${name}`,
    root,
    end: end_at,
    tail: tail.map((line, index) => ({ at: Number(tail_at[index]), line })),
    hasDebris: has_debris,
    files: new Map(files),
  };
}

/** So many lines come with one statement: at most some 500 MB, and mostly below 2 MB. */
const LINES_AT_ONCE = 500;

export async function readLines(statements: Statements, id: string, afterSeq = 0): Promise<JournalLine[]> {
  const lines: JournalLine[] = [];
  for (let after = afterSeq; ;) {
    const rows = await statements.rows<{ seq: number; at: string; line: string }>(
      `select seq, at, line from {dr}.record where run = $1 and seq > $2 order by seq limit ${LINES_AT_ONCE}`,
      [id, after],
    );
    for (const { at, line } of rows) lines.push({ at: Number(at), line });
    if (rows.length < LINES_AT_ONCE) return lines;
    after = rows.at(-1)?.seq ?? after;
  }
}

export async function readDebris(statements: Statements, id: string): Promise<{ at: number; bytes: Uint8Array }[]> {
  const rows = await statements.rows<{ at: string; bytes: Uint8Array }>(
    "select at, bytes from {dr}.debris where run = $1 order by at",
    [id],
  );
  return rows.map(({ at, bytes }) => ({ at: Number(at), bytes: new Uint8Array(bytes) }));
}

/** Errors: `NOT_FOUND`. */
export async function readPlace(
  statements: Statements,
  runRoot: string,
): Promise<{ id: string; root: string; runRoot: string }> {
  const { root, name } = placeOf(runRoot);
  const [row] = await statements.rows<{ id: string }>("select id from {dr}.run where root = $1 and name = $2", [
    root,
    name,
  ]);
  if (row === undefined) throw noRun(runRoot);
  return { id: row.id, root, runRoot };
}
