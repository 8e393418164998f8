// A corpus: one folder of documents, walked, indexed and open for search.
import fs from "node:fs";
import { digestOfBytes, type Digest } from "../kernel/digest.ts";
import { errnoOf, RunError } from "../kernel/errors.ts";
import { mediaTypeOf } from "./formats.ts";
import { nameOfDocument } from "./headings.ts";
import { condemnIndex, isDamage } from "./index-database.ts";
import type { UpdateOptions } from "./index-update.ts";
import { openIndex, type OpenIndex, type OpenIndexOptions } from "./open-index.ts";
import { Pacer } from "./pacer.ts";
import { readCorpusFile } from "./read-file.ts";
import { searchIndex, type FoundPassage } from "./search.ts";
import { skipText, type Skipped } from "./skipped.ts";
import { byPath, walkCorpus } from "./walk.ts";

export interface OpenCorpusOptions {
  /** What the corpus is called; begins the origin of each of its documents. */
  name: string;
  path: string;
  /** Null keeps the index in memory. */
  cacheFolder: string | null;
  signal: AbortSignal;
  onRead?: UpdateOptions["onRead"];
}

export interface CorpusDocument {
  title: string;
  media_type: string;
  /** The document as it is on disk; its text is the same bytes. */
  bytes: Buffer;
}

export type ReadDocument =
  { kind: "document"; document: CorpusDocument } | { kind: "changed" } | { kind: "gone"; reason: string };

export interface Corpus {
  readonly name: string;
  /** The digest over the sorted paths and digests of its documents; the same wherever the folder lies. */
  readonly digest: Digest;
  readonly documents: number;
  readonly skipped: readonly Skipped[];
  search(query: string, limit: number, signal: AbortSignal): Promise<FoundPassage[]>;
  /** The first heading of a document, or what it is called when it has none. */
  titleOf(relativePath: string): string;
  /** Reads a document again and says whether it is still the one that was indexed. */
  read(relativePath: string, digest: Digest): ReadDocument;
  holds(relativePath: string): boolean;
  /** True when a document with these bytes is in the corpus, under whatever path. */
  holdsDigest(digest: Digest): boolean;
  close(): void;
}

const SKIPPED_IN_ERROR = 5;

/** Errors: `INVALID_ARGS` when the folder is missing, unreadable or holds nothing that can be read as text. */
export async function openCorpus(options: OpenCorpusOptions): Promise<Corpus> {
  const { name, signal } = options;
  const root = realFolder(options.path);
  const pacer = new Pacer(signal);
  const indexOptions = async (cacheFolder: string | null): Promise<OpenIndexOptions> => {
    return { root, cacheFolder, signal, pacer, onRead: options.onRead, walk: await walkCorpus(root, signal) };
  };
  const opened = await indexOptions(options.cacheFolder);
  let index = await openIndex(opened);
  const documents = documentsOf(index);
  const skipped = allSkipped(index, opened.walk.skipped);
  if (documents.size === 0) {
    index.database.close();
    const reason = skipped.length === 0 ? "the corpus is empty" : "the corpus holds nothing that can be read as text";
    const first = skipped.slice(0, SKIPPED_IN_ERROR).map((entry) => ({ path: entry.path, reason: skipText(entry) }));
    throw new RunError("INVALID_ARGS", { reason, path: options.path, skipped: first });
  }

  const digests = new Set([...documents.values()].map((document) => document.digest));
  const titleOf = (relativePath: string): string =>
    documents.get(relativePath)?.firstHeading || nameOfDocument(name, relativePath);

  return {
    name,
    digest: await digestOfDocuments(documents, pacer),
    documents: documents.size,
    skipped,
    async search(query, limit, searchSignal) {
      searchSignal.throwIfAborted();
      try {
        return searchIndex(index.database, query, limit);
      } catch (error) {
        if (!isDamage(error)) throw error;
        condemnIndex(index.database);
        index = await openIndex(await indexOptions(null));
        return searchIndex(index.database, query, limit);
      }
    },
    titleOf,
    read(relativePath, digest) {
      if (!documents.has(relativePath)) return { kind: "gone", reason: "not a document of the corpus" };
      const file = readCorpusFile(root, relativePath);
      if (file.kind === "skipped") return { kind: "gone", reason: skipText(file.skipped) };
      if (digestOfBytes(file.bytes) !== digest) return { kind: "changed" };
      const document = { title: titleOf(relativePath), media_type: mediaTypeOf(relativePath), bytes: file.bytes };
      return { kind: "document", document };
    },
    holds: (relativePath) => documents.has(relativePath),
    holdsDigest: (digest) => digests.has(digest),
    close: () => index.database.close(),
  };
}

function realFolder(folder: string): string {
  try {
    const root = fs.realpathSync.native(folder);
    if (!fs.statSync(root).isDirectory())
      throw new RunError("INVALID_ARGS", { reason: "the corpus is not a folder", path: folder });
    fs.accessSync(root, fs.constants.R_OK | fs.constants.X_OK);
    return root;
  } catch (cause) {
    if (cause instanceof RunError) throw cause;
    const errno = errnoOf(cause);
    const reason = errno === "ENOENT" ? "the corpus folder does not exist" : "the corpus folder cannot be read";
    throw new RunError("INVALID_ARGS", { reason, path: folder, errno }, { cause });
  }
}

interface KnownDocument {
  path: string;
  digest: Digest;
  firstHeading: string;
}

function documentsOf({ files }: OpenIndex): Map<string, KnownDocument> {
  const documents = new Map<string, KnownDocument>();
  for (const file of files.values()) {
    if (file.skip_reason !== null || file.digest === null) continue;
    documents.set(file.path, { path: file.path, digest: file.digest, firstHeading: file.first_heading });
  }
  return documents;
}

function allSkipped({ files, unreadable }: OpenIndex, walked: readonly Skipped[]): Skipped[] {
  const unfit: Skipped[] = [];
  for (const { path: relativePath, skip_reason } of files.values()) {
    if (skip_reason !== null) unfit.push({ path: relativePath, reason: skip_reason });
  }
  return [...walked, ...unreadable, ...unfit].sort(byPath);
}

/** The digest of the canonical JSON `[[path, digest], ...]`, made piece by piece. */
async function digestOfDocuments(documents: ReadonlyMap<string, KnownDocument>, pacer: Pacer): Promise<Digest> {
  const hasher = new Bun.CryptoHasher("sha256");
  let separator = "[";
  for (const { path: relativePath, digest } of [...documents.values()].sort(byPath)) {
    await pacer.pause();
    hasher.update(`${separator}${JSON.stringify([relativePath, digest])}`);
    separator = ",";
  }
  return `sha256:${hasher.update("]").digest("hex")}`;
}
