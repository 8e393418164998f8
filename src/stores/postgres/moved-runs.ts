// Runs that go from a folder into rows and back, byte for byte: the journal with what lies between its records, and every file.
import { RunError } from "../../kernel/errors.ts";
import type { Files } from "../../ports/files.ts";
import type { MovedRun } from "../../ports/store-server.ts";
import { wakesAt } from "../../ports/runs.ts";
import { decodeUtf8 } from "../../kernel/decoded-text.ts";
import { digestOfBytes } from "../../kernel/digest.ts";
import { foldAll } from "../../run/log/fold.ts";
import { scanJournal } from "../../run/log/journal.ts";
import {
  HEAD_FILE,
  JOURNAL_FILE,
  LOCK_FILE,
  MANIFEST_FILE,
  REQUESTS_FOLDER,
  TEMPORARY_PREFIX,
} from "../../run/log/layout.ts";
import { claimOf, readManifestText } from "../../run/log/manifest-text.ts";
import { MAX_CONTENT_BYTES } from "../disk/content-files.ts";
import {
  createFile,
  ensureAbsoluteFolder,
  ensureFolder,
  folderOf,
  nameOf,
  readWhole,
  withTypedErrors,
} from "../disk/durable-write.ts";
import type { Machine } from "../disk/machine.ts";
import { readJournal } from "../journal/stored-journal.ts";
import { judgeInForce, readLeases, viewpoint } from "../lease/lease-reading.ts";
import { readRequests, textOfRequest } from "../lease/request-files.ts";
import { inspectRun } from "../reading/inspection.ts";
import type { Contents } from "./contents.ts";
import type { Database, Statements } from "./database.ts";
import { insertLines, linesOf } from "./row-creation.ts";
import { RowFolder } from "./row-folder.ts";
import { requestsIn } from "./row-requests.ts";
import { placeOf, readRow } from "./run-row.ts";

interface Store {
  database: Database;
  contents: Contents;
}

// --- into a folder ------------------------------------------------------------------------------------------------

export async function exportRun(
  { database, contents }: Store,
  files: Files,
  runRoot: string,
  folder: string,
): Promise<MovedRun> {
  const row = await readRow(database, runRoot);
  const rows = new RowFolder({ statements: database, contents, row });
  const moved: MovedRun = { files: 0, bytes: 0, records: row.seq, problems: [] };
  return await withTypedErrors("WRITE_FAILED", folder, async () => {
    if ((await files.facts(folder)) !== null)
      throw new RunError("ALREADY_EXISTS", { reason: "something is where the run should go", path: folder });
    await ensureAbsoluteFolder(files, folder);
    const put = async (path: string, bytes: Uint8Array): Promise<void> => {
      if (path.includes("/")) await ensureFolder(files, folder, folderOf(path));
      const place = { temporary: `${folder}/${TEMPORARY_PREFIX}export`, path: `${folder}/${path}` };
      if (!(await createFile(files, place, bytes)))
        throw new RunError("ALREADY_EXISTS", { reason: "another process writes into the folder", path: place.path });
      moved.files++;
      moved.bytes += bytes.byteLength;
    };
    for (const request of requestsIn(row.waiting))
      await put(`${REQUESTS_FOLDER}/${request.request_id}.json`, textOfRequest(request));
    for (const path of row.files.keys()) {
      const bytes = await readWhole(rows, `${runRoot}/${path}`, MAX_CONTENT_BYTES);
      if (bytes !== null) await put(path, bytes);
    }
    for (const path of [MANIFEST_FILE, HEAD_FILE, JOURNAL_FILE]) {
      const bytes = await readWhole(rows, `${runRoot}/${path}`, Number.MAX_SAFE_INTEGER);
      if (bytes !== null) await put(path, bytes);
    }
    return { ...moved, problems: (await inspectRun(files, folder)).problems };
  });
}

// --- from a folder ------------------------------------------------------------------------------------------------

/** A run as it lies in a folder without an owner, and that verifies. */
interface FoundRun {
  journal: Uint8Array;
  manifest: string;
  /** By their paths. */
  files: string[];
  /** No claim of the folder is higher. */
  epoch: number;
}

export async function importRun(
  { database, contents }: Store,
  machine: Machine,
  folder: string,
  runRoot: string,
): Promise<MovedRun & { already: boolean }> {
  const { files } = machine;
  const found = await withTypedErrors("READ_FAILED", folder, () => findRun(machine, folder));
  const { root, name } = placeOf(runRoot);
  const { records, head, end } = scanJournal(found.journal);
  const state = foldAll(records);
  if (state === null || head.digest === null)
    throw new RunError("NOT_FOUND", { reason: "no run is here", run_root: folder });
  const requests = await withTypedErrors("READ_FAILED", folder, () => readRequests(files, folder));
  const moved: MovedRun = {
    files: found.files.length,
    bytes: found.journal.byteLength,
    records: head.seq,
    problems: [],
  };
  const maker = `import ${head.digest}`;
  const isNew = await database.together(async (statements) => {
    moved.bytes = found.journal.byteLength;
    const [made] = await statements.rows<{ id: string }>(
      `insert into {dr}.run (root, name, made_by, seq, epoch, digest, end_at, manifest, shown_seq, wakes_ms, claim_epoch, requests)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict (root, name) do nothing returning id`,
      [
        root,
        name,
        maker,
        head.seq,
        head.epoch,
        head.digest,
        Math.max(end, found.journal.byteLength),
        found.manifest,
        foldedIn(found.manifest),
        wakesAt(state),
        Math.max(found.epoch, head.epoch),
        requests.length,
      ],
    );
    if (made === undefined) return false;
    await insertLines(database, statements, made.id, linesOf(records, found.journal));
    for (const chunk of debrisOf(records, found.journal))
      await statements.rows("insert into {dr}.debris (run, at, bytes) values ($1, $2, $3)", [
        made.id,
        chunk.at,
        chunk.bytes,
      ]);
    for (const path of found.files) {
      const bytes = await readWhole(files, `${folder}/${path}`, MAX_CONTENT_BYTES);
      if (bytes === null)
        throw new RunError("MISSING_ARTIFACT", { reason: "a file went away", run_root: folder, path });
      moved.bytes += bytes.byteLength;
      await storeFile(contents, statements, { id: made.id, root, path, epoch: head.epoch }, bytes);
    }
    for (const request of requests)
      await statements.rows("insert into {dr}.request (run, request_id, body) values ($1, $2, $3)", [
        made.id,
        request.request_id,
        decodeUtf8(textOfRequest(request)),
      ]);
    return true;
  });
  if (!isNew) await requireSame(database, runRoot, { seq: head.seq, digest: head.digest });
  return { ...moved, already: !isNew };
}

async function storeFile(
  contents: Contents,
  statements: Statements,
  { id, root, path, epoch }: { id: string; root: string; path: string; epoch: number },
  bytes: Uint8Array,
): Promise<void> {
  const sha256 = digestOfBytes(bytes);
  await contents.store(statements, root, sha256, bytes);
  await statements.rows(
    "insert into {dr}.file (run, path, root, sha256, size, epoch) values ($1, $2, $3, $4, $5, $6)",
    [id, path, root, sha256, bytes.byteLength, epoch],
  );
}

/** Errors: `ALREADY_EXISTS` unless the run that is there is this one, or continues it. */
async function requireSame(
  database: Database,
  runRoot: string,
  { seq, digest }: { seq: number; digest: string },
): Promise<void> {
  const { root, name } = placeOf(runRoot);
  const [there] = await database.rows<{ line: string }>(
    "select l.line from {dr}.run r join {dr}.record l on l.run = r.id and l.seq = $3 where r.root = $1 and r.name = $2",
    [root, name, seq],
  );
  if (there?.line.includes(`"digest":"${digest}"`) === true) return;
  throw new RunError("ALREADY_EXISTS", {
    reason: "another run, or an earlier state of it, has its place",
    run_root: runRoot,
  });
}

/** Errors: `NOT_FOUND`, `LOCK_HELD`, `INTEGRITY_ERROR`. */
async function findRun(machine: Machine, folder: string): Promise<FoundRun> {
  const { files } = machine;
  if ((await files.facts(folder))?.kind !== "folder")
    throw new RunError("NOT_FOUND", { reason: "no run is here", run_root: folder });
  const leases = await readLeases(machine, folder);
  const judged = judgeInForce(machine, leases, viewpoint(machine));
  if (judged.kind === "held")
    throw new RunError("LOCK_HELD", {
      reason: "a process works on the run",
      run_root: folder,
      owner_id: judged.record.owner_id,
    });
  const { problems } = await inspectRun(files, folder);
  if (problems.length > 0)
    throw new RunError("INTEGRITY_ERROR", { reason: "the run does not verify", run_root: folder, files: problems });
  const journal = await readJournal(files, `${folder}/${JOURNAL_FILE}`);
  const manifest = await readWhole(files, `${folder}/${MANIFEST_FILE}`, MAX_CONTENT_BYTES);
  return {
    journal: journal ?? new Uint8Array(),
    manifest: manifest === null ? "" : decodeUtf8(manifest),
    files: await filesBelow(files, folder),
    epoch: leases.claims.at(-1) ?? 0,
  };
}

/** Of the machine alone, or written anew with the rest. */
const LEFT_OUT = new RegExp(
  `^(?:${LOCK_FILE.replace(".", "\\.")}(?:\\.\\d+)?|${TEMPORARY_PREFIX.replace(".", "\\.")}.*)$`,
);
const OWN = new Set([JOURNAL_FILE, MANIFEST_FILE, HEAD_FILE]);

async function filesBelow(files: Files, folder: string, below = ""): Promise<string[]> {
  const found: string[] = [];
  for (const name of await files.list(below === "" ? folder : `${folder}/${below}`)) {
    const path = below === "" ? name : `${below}/${name}`;
    if (below === "" && (OWN.has(name) || LEFT_OUT.test(name))) continue;
    const facts = await files.facts(`${folder}/${path}`);
    if (facts?.kind === "folder") found.push(...(await filesBelow(files, folder, path)));
    const isRequest = folderOf(path) === REQUESTS_FOLDER && nameOf(path).endsWith(".json");
    if (facts?.kind === "file" && !isRequest) found.push(path);
  }
  return found;
}

/** The record that the manifest folded last; 0 where it cannot be trusted. */
function foldedIn(text: string): number {
  return text === "" ? 0 : (claimOf(readManifestText(text))?.journal.seq ?? 0);
}

/** All bytes of a journal that are neither a record nor the plain line before one. */
function debrisOf(
  records: readonly { offset: number; end: number }[],
  journal: Uint8Array,
): { at: number; bytes: Uint8Array }[] {
  const debris: { at: number; bytes: Uint8Array }[] = [];
  let at = 0;
  for (const { offset, end } of [...records, { offset: journal.byteLength, end: journal.byteLength }]) {
    const between = journal.subarray(at, offset);
    const isPlain =
      offset < journal.byteLength && between.byteLength === 2 && between[0] === 0x20 && between[1] === 0x0a;
    if (between.byteLength > 0 && !isPlain) debris.push({ at, bytes: between });
    at = end;
  }
  return debris;
}
