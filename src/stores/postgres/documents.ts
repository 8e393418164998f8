// Documents in the store: a list of files by digest, which a worker unpacks once into a folder of its cache.
import { canonicalJson } from "../../kernel/canonical-json.ts";
import { digestOfBytes, hexOf } from "../../kernel/digest.ts";
import { RunError } from "../../kernel/errors.ts";
import { z } from "../../kernel/zod.ts";
import type { PushedDocuments, StoredDocuments } from "../../ports/documents.ts";
import type { Files } from "../../ports/files.ts";
import type { Random } from "../../ports/random.ts";
import { relativePathSchema } from "../../run/common.ts";
import { readStoredDocuments, storedDocumentsPath } from "../../run/settings/stored-documents.ts";
import { refuseLargeContent } from "../disk/content-files.ts";
import {
  createFile,
  ensureAbsoluteFolder,
  ensureFolder,
  folderOf,
  readWhole,
  withTypedErrors,
} from "../disk/durable-write.ts";
import type { Contents } from "./contents.ts";
import type { Database } from "./database.ts";

/** The root that their content is stored under; no runs root has this name, since those begin with a slash. */
const ROOT = "documents";
const DIGEST_LENGTH = 16;
const MAX_FILES = 100_000;

const filesSchema = z.array(z.object({ path: relativePathSchema, sha256: z.string(), size: z.int() }));
type StoredFile = z.infer<typeof filesSchema>[number];

interface DocumentsParts {
  database: Database;
  contents: Contents;
  files: Files;
  random: Random;
  /** Where they are unpacked; null where nothing says where. */
  folder: string | null;
}

interface Row {
  name: string;
  digest: string;
  files: string;
  pushed_ms: number;
}

export function storedDocuments(parts: DocumentsParts): StoredDocuments {
  const { database, contents, files } = parts;

  async function newest(name: string, digest?: string): Promise<Row | undefined> {
    const [row] = await database.rows<Row>(
      `select name, digest, files, pushed_ms from {dr}.document_set
        where name = $1 and ($2::text is null or digest = $2) order by pushed_ms desc limit 1`,
      [name, digest ?? null],
    );
    return row;
  }

  return {
    async push(name, folder) {
      if (readStoredDocuments(`documents:${name}`) === null || name.includes("@"))
        throw new RunError("INVALID_ARGS", {
          reason: "documents are named by small letters, digits, dots and dashes",
          found: name,
        });
      const paths = await withTypedErrors("READ_FAILED", folder, async () => {
        if ((await files.facts(folder))?.kind !== "folder")
          throw new RunError("INVALID_ARGS", { reason: "there is no such folder", path: folder });
        return await filesBelow(files, folder);
      });
      const stored: StoredFile[] = [];
      for (const path of paths.toSorted()) {
        const bytes = await withTypedErrors("READ_FAILED", folder, () =>
          readWhole(files, `${folder}/${path}`, Number.MAX_SAFE_INTEGER),
        );
        if (bytes === null) continue;
        refuseLargeContent(path, bytes);
        const sha256 = digestOfBytes(bytes);
        await database.together((statements) => contents.store(statements, ROOT, sha256, bytes));
        stored.push({ path, sha256, size: bytes.byteLength });
      }
      if (stored.length === 0)
        throw new RunError("INVALID_ARGS", { reason: "there is no file in the folder", path: folder });
      const text = canonicalJson(stored);
      const digest = hexOf(digestOfBytes(text)).slice(0, DIGEST_LENGTH);
      await database.rows(
        `insert into {dr}.document_set (name, digest, files, pushed_ms) values ($1, $2, $3, {dr}.now_ms())
          on conflict (name, digest) do update set pushed_ms = excluded.pushed_ms`,
        [name, digest, text],
      );
      const row = await newest(name, digest);
      return pushedOf(row ?? { name, digest, files: text, pushed_ms: 0 });
    },
    async list() {
      const rows = await database.rows<Row>(
        "select distinct on (name) name, digest, files, pushed_ms from {dr}.document_set order by name, pushed_ms desc",
      );
      return rows.map(pushedOf);
    },
    async unpack(path) {
      const named = readStoredDocuments(path);
      const row = named === null ? undefined : await newest(named.name, named.digest);
      if (row === undefined)
        throw new RunError("INVALID_ARGS", {
          reason: `the store has no ${path}; documents list says what it has`,
          option: "--corpus",
        });
      const pinned = storedDocumentsPath(row.name, row.digest);
      if (parts.folder === null)
        throw new RunError("INVALID_ARGS", {
          reason:
            "documents are unpacked in the cache, and nothing says where that is: set HOME or DEEP_RESEARCH_CACHE_DIR",
        });
      const folder = `${parts.folder}/${row.name}@${row.digest}`;
      await withTypedErrors("WRITE_FAILED", parts.folder, () => unpackOnce(parts, filesIn(row), folder));
      return { folder, path: pinned };
    },
  };
}

function filesIn({ files }: Row): StoredFile[] {
  return filesSchema.parse(JSON.parse(files));
}

function pushedOf(row: Row): PushedDocuments {
  const files = filesIn(row);
  const { name, digest, pushed_ms } = row;
  return { name, digest, files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0), pushed_ms };
}

/** A folder with the name is whole: it gets the name last. */
async function unpackOnce(
  { contents, files, random }: DocumentsParts,
  stored: readonly StoredFile[],
  folder: string,
): Promise<void> {
  if ((await files.facts(folder)) !== null) return;
  const aside = `${folder}.${random.bytes(6).toHex()}.tmp`;
  await ensureAbsoluteFolder(files, aside);
  const durable = new Set<string>();
  for (const { path, sha256, size } of stored) {
    const bytes = await contents.read(ROOT, { sha256, size });
    const found = bytes === null ? "nothing" : digestOfBytes(bytes);
    if (bytes === null || found !== sha256)
      throw new RunError("INTEGRITY_ERROR", {
        reason: "a stored document was altered",
        files: [{ path, expected: sha256, found }],
      });
    if (path.includes("/")) await ensureFolder(files, aside, folderOf(path), durable);
    await createFile(files, { temporary: `${aside}/.tmp-unpack`, path: `${aside}/${path}` }, bytes);
  }
  try {
    await files.rename(aside, folder);
  } catch (error) {
    // Another process was quicker.
    if ((await files.facts(folder)) === null) throw error;
  }
}

/** Of regular files; links lead elsewhere. Errors: `INVALID_ARGS` for too many. */
async function filesBelow(files: Files, folder: string, below = "", found: string[] = []): Promise<string[]> {
  for (const name of await files.list(below === "" ? folder : `${folder}/${below}`)) {
    const path = below === "" ? name : `${below}/${name}`;
    const facts = await files.facts(`${folder}/${path}`);
    if (facts?.kind === "folder") await filesBelow(files, folder, path, found);
    else if (facts?.kind === "file") found.push(path);
    if (found.length > MAX_FILES)
      throw new RunError("INVALID_ARGS", { reason: `more than ${MAX_FILES} files`, path: folder });
  }
  return found;
}
