// A corpus: one folder of documents, or one document, indexed and open for search.
import type { Database } from "bun:sqlite";
import fs from "node:fs";
import path from "node:path";
import type { Digest } from "../kernel/digest.ts";
import { errnoOf, RunError } from "../kernel/errors.ts";
import type { DocumentExample, WordCounts } from "../ports/provider.ts";
import type { TextFrom } from "../run/source.ts";
import { DocumentReader, type FileState } from "./document-reader.ts";
import { extractedTextOf } from "./extracted-texts.ts";
import { mediaTypeOf } from "./formats.ts";
import { nameOfDocument } from "./headings.ts";
import { kindsOf, tellingTitles } from "./telling-titles.ts";
import { condemnIndex, isDatabaseError } from "./index-database.ts";
import type { UpdateOptions } from "./index-update.ts";
import { openIndex, type OpenIndex, type OpenIndexOptions } from "./open-index.ts";
import { Pacer } from "./pacer.ts";
import { Searcher, type FoundPassage, type SearchLimits } from "./search.ts";
import { skipText, type Skipped } from "./skipped.ts";
import { byPath, walkCorpus, type CorpusRoot } from "./walk.ts";

export interface OpenCorpusOptions {
  /** What the corpus is called; begins the origin of each of its documents. */
  name: string;
  path: string;
  /** Null keeps the index in memory. */
  cacheFolder: string | null;
  signal: AbortSignal;
  onProgress?: UpdateOptions["onProgress"];
}

export interface CorpusDocument {
  title: string;
  media_type: string;
  /** The document as it is on disk. */
  bytes: Buffer;
  /** The text that passages are spans of: of a text file the bytes themselves. */
  text: Buffer;
  textFrom: TextFrom;
}

export type ReadDocument =
  { kind: "document"; document: CorpusDocument } | { kind: "changed" } | { kind: "gone"; reason: string };

export interface Corpus {
  readonly name: string;
  /** The digest over the sorted paths and digests of its documents; the same wherever they lie. */
  readonly digest: Digest;
  readonly documents: number;
  readonly skipped: readonly Skipped[];
  search(query: string, limits: SearchLimits, signal: AbortSignal): Promise<FoundPassage[]>;
  /** How many documents there are of each kind, by the ending of their names. */
  kinds(): Record<string, number>;
  /** Documents that tell by their titles what the corpus is about. */
  examples(): DocumentExample[];
  /** How many passages hold each word of a question. */
  countWords(question: string, signal: AbortSignal): Promise<WordCounts>;
  /** The first heading of a document, or what it is called when it has none. */
  titleOf(relativePath: string): string;
  /** Reads a document again and says whether it is still the one that was indexed. */
  read(relativePath: string, digest: Digest, signal: AbortSignal): Promise<ReadDocument>;
  /** Of the document as it was indexed; null for one that is not in the corpus. */
  digestOf(relativePath: string): Digest | null;
  /** True when a document with these bytes is in the corpus, under whatever path. */
  holdsDigest(digest: Digest): boolean;
  close(): void;
}

const SKIPPED_IN_ERROR = 5;

/** Errors: `INVALID_ARGS` when the folder or file is missing, unreadable or holds nothing that can be read as text. */
export async function openCorpus(options: OpenCorpusOptions): Promise<Corpus> {
  const { name, signal } = options;
  const corpusRoot = realRoot(options.path);
  const { folder: root, file } = corpusRoot;
  const corpusPath = file === null ? root : path.join(root, file);
  const pacer = new Pacer(signal);
  const indexOptions = async (cacheFolder: string | null): Promise<OpenIndexOptions> => {
    const walk = await walkCorpus(corpusRoot, signal);
    return { root, corpusPath, cacheFolder, signal, pacer, onProgress: options.onProgress, walk };
  };
  const opened = await indexOptions(options.cacheFolder);
  let index = await openIndex(opened);
  let searcher: Searcher | undefined;
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

  const asked = async <T>(ask: (searcher: Searcher) => T, askSignal: AbortSignal): Promise<T> => {
    askSignal.throwIfAborted();
    try {
      searcher ??= new Searcher(index.database);
      return ask(searcher);
    } catch (error) {
      if (!isDatabaseError(error)) throw error;
      // The file is damaged, or its disk fails: an index in memory answers instead.
      condemnIndex(index.database);
      index = await openIndex(await indexOptions(null));
      searcher = new Searcher(index.database);
      return ask(searcher);
    }
  };

  return {
    name,
    digest: await digestOfDocuments(documents, pacer),
    documents: documents.size,
    skipped,
    search: async (query, limits, searchSignal) => await asked((open) => open.search(query, limits), searchSignal),
    countWords: async (question, countSignal) => await asked((open) => open.count(question), countSignal),
    kinds: () => kindsOf(documents.keys()),
    examples: () =>
      tellingTitles([...documents.keys()].toSorted().map((one) => ({ title: titleOf(one), origin: `${name}/${one}` }))),
    titleOf,
    async read(relativePath, digest, readSignal) {
      if (!documents.has(relativePath)) return { kind: "gone", reason: "not a document of the corpus" };
      using reader = new DocumentReader({ root, pacer: new Pacer(readSignal), signal: readSignal });
      const file = await reader.stateOf(relativePath);
      if (file.kind === "unreadable") return { kind: "gone", reason: skipText(file.skipped) };
      if (file.state.digest !== digest) return { kind: "changed" };
      const facts = { title: titleOf(relativePath), media_type: mediaTypeOf(relativePath), bytes: file.state.bytes };
      const found = await textOf(index.database, relativePath, file.state, reader);
      if (found.kind === "skipped") return { kind: "gone", reason: skipText(found.skipped) };
      const text = found.isExtracted ? Buffer.from(found.text) : facts.bytes;
      const textFrom = { text_from: found.isExtracted ? "extracted" : "bytes" } as const;
      return { kind: "document", document: { ...facts, text, textFrom } };
    },
    digestOf: (relativePath) => documents.get(relativePath)?.digest ?? null,
    holdsDigest: (digest) => digests.has(digest),
    close: () => index.database.close(),
  };
}

/** What was taken out of a document as the index keeps it; taken out again when the index has lost it. */
async function textOf(
  database: Database,
  path: string,
  state: FileState,
  reader: DocumentReader,
): Promise<{ kind: "text"; text: string; isExtracted: boolean } | { kind: "skipped"; skipped: Skipped }> {
  try {
    const kept = extractedTextOf(database, path, state.digest);
    if (kept !== null) return { kind: "text", text: kept, isExtracted: true };
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
  }
  const file = await reader.textOf(path, state);
  if (file.kind === "document") return { ...file, kind: "text" };
  return { kind: "skipped", skipped: file.kind === "unfit" ? { path, reason: file.reason } : file.skipped };
}

function realRoot(named: string): CorpusRoot {
  try {
    const real = fs.realpathSync.native(named);
    const facts = fs.statSync(real);
    if (facts.isDirectory()) {
      fs.accessSync(real, fs.constants.R_OK | fs.constants.X_OK);
      return { folder: real, file: null };
    }
    if (!facts.isFile())
      throw new RunError("INVALID_ARGS", { reason: "the corpus is neither a folder nor a file", path: named });
    fs.accessSync(real, fs.constants.R_OK);
    return { folder: path.dirname(real), file: path.basename(real) };
  } catch (cause) {
    if (cause instanceof RunError) throw cause;
    const errno = errnoOf(cause);
    const reason = errno === "ENOENT" ? "the corpus does not exist" : "the corpus cannot be read";
    throw new RunError("INVALID_ARGS", { reason, path: named, errno }, { cause });
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
