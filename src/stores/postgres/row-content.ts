// The files of a run in rows: stored under the claim of their owner, and read back by digest.
import { digestOfBytes } from "../../kernel/digest.ts";
import { RunError } from "../../kernel/errors.ts";
import { relativePathSchema, type ContentRef } from "../../run/common.ts";
import { refuseLargeContent } from "../disk/content-files.ts";
import type { Contents } from "./contents.ts";
import type { Database, Statements } from "./database.ts";
import { noRun, placeOf } from "./run-row.ts";

export interface ContentPlace {
  id: string;
  root: string;
}

/** Errors: `PATH_TRAVERSAL`, `INPUT_TOO_LARGE`. */
export function refOf(path: string, bytes: Uint8Array): ContentRef {
  refuseOutside(path);
  refuseLargeContent(path, bytes);
  return { path, sha256: digestOfBytes(bytes), bytes: bytes.byteLength };
}

function refuseOutside(path: string): void {
  if (!relativePathSchema.safeParse(path).success)
    throw new RunError("PATH_TRAVERSAL", { reason: "a path that leaves the run root", path });
}

/**
 * Stores bytes and names them in one statement, only under the claim `epoch`: false where a later one exists. What an earlier
 * owner left under the name gives way.
 */
export async function storeNamed(
  database: Database,
  contents: Contents,
  { id, root }: ContentPlace,
  epoch: number,
  ref: ContentRef,
  bytes: Uint8Array,
): Promise<boolean> {
  const values = [id, epoch, ref.path, ref.sha256, root, ref.bytes];
  for (;;) {
    // Runs share their sources: first by the digest alone. Where another one stored it in between, it is there the next time.
    const known = await nameContent(database, NAMES_KNOWN, values);
    if (known !== "absent") return known === "named";
    const stored = contents.isSmall(bytes)
      ? await nameContent(database, STORES_AND_NAMES, [...values, bytes])
      : await database.together(async (statements) => {
          await contents.store(statements, root, ref.sha256, bytes);
          return await nameContent(statements, NAMES_KNOWN, values);
        });
    if (stored !== "absent") return stored === "named";
  }
}

const naming = (stored: string): string => `
  with owner as (select id from {dr}.run where id = $1 and claim_epoch = $2),
       stored as (${stored}),
       named as (insert into {dr}.file as f (run, path, root, sha256, size, epoch)
         select owner.id, $3, $5, $4, $6::int8, $2 from owner, stored
         on conflict (run, path) do update set sha256 = excluded.sha256, size = excluded.size, epoch = excluded.epoch
         where f.epoch <= excluded.epoch returning 1)
  select (select count(*)::int from owner) as owned, (select count(*)::int from named) as named,
         (select count(*)::int from stored) as stored`;

const NAMES_KNOWN = naming("select 1 from {dr}.content where root = $5 and sha256 = $4");
const STORES_AND_NAMES = naming(
  `insert into {dr}.content (root, sha256, bytes) select $5, $4, $7::bytea from owner
    on conflict do nothing returning 1`,
);

async function nameContent(
  statements: Statements,
  text: string,
  values: readonly unknown[],
): Promise<"named" | "absent" | "lost"> {
  const [done] = await statements.rows<{ owned: number; named: number; stored: number }>(text, values);
  if (done === undefined || done.owned === 0) return "lost";
  if (done.named > 0) return "named";
  return done.stored === 0 ? "absent" : "lost";
}

/** Reads a file of a run and checks it. Errors: `NOT_FOUND`, `MISSING_ARTIFACT`, `INTEGRITY_ERROR`. */
export async function readNamed(
  database: Database,
  contents: Contents,
  runRoot: string,
  ref: Pick<ContentRef, "path" | "sha256">,
): Promise<Uint8Array> {
  refuseOutside(ref.path);
  const kept = contents.kept(ref.sha256);
  const place = placeOf(runRoot);
  const [file] = await database.rows<{ sha256: string | null; size: string; bytes: Uint8Array | null }>(
    `select f.sha256, f.size, case when $4 then null else c.bytes end as bytes
      from {dr}.run r left join {dr}.file f on f.run = r.id and f.path = $3
        left join {dr}.content c on c.root = f.root and c.sha256 = f.sha256
      where r.root = $1 and r.name = $2`,
    [place.root, place.name, ref.path, kept !== null],
  );
  if (file === undefined) throw noRun(runRoot);
  if (file.sha256 === null) throw damaged("MISSING_ARTIFACT", runRoot, ref, "nothing");
  if (kept !== null && file.sha256 === ref.sha256) return kept;
  const entry = { sha256: file.sha256, size: Number(file.size) };
  const bytes = file.bytes === null ? await contents.read(place.root, entry) : new Uint8Array(file.bytes);
  if (bytes === null) throw damaged("MISSING_ARTIFACT", runRoot, ref, "nothing");
  const found = digestOfBytes(bytes);
  if (found !== ref.sha256) throw damaged("INTEGRITY_ERROR", runRoot, ref, found);
  contents.keep(ref.sha256, bytes);
  return bytes;
}

function damaged(
  code: "MISSING_ARTIFACT" | "INTEGRITY_ERROR",
  runRoot: string,
  { path, sha256 }: Pick<ContentRef, "path" | "sha256">,
  found: string,
): RunError {
  return new RunError(code, {
    reason: code === "MISSING_ARTIFACT" ? "a stored file is missing" : "a stored file was altered",
    run_root: runRoot,
    files: [{ path, expected: sha256, found }],
  });
}
