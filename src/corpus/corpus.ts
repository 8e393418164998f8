// Opens a corpus, which is a folder of documents or one document: it is indexed, searched and read.
import type { Database } from "bun:sqlite";
import fs from "node:fs";
import path from "node:path";
import type { Digest } from "../kernel/digest.ts";
import { errnoOf, RunError } from "../kernel/errors.ts";
import type { DocumentExample, WordCounts } from "../ports/provider.ts";
import type { TextFrom } from "../run/report/source.ts";
import { DocumentReader, type FileState } from "./files/document-reader.ts";
import { extractedTextOf } from "./index/extracted-texts.ts";
import { mediaTypeOf } from "./formats/formats.ts";
import { nameOfDocument } from "./blocks/headings.ts";
import { kindsOf, subjectTitles } from "./blocks/subject-titles.ts";
import { condemnIndex, isDatabaseError } from "./index/index-database.ts";
import type { UpdateOptions } from "./index/index-update.ts";
import type { IndexedFile } from "./index/indexed-files.ts";
import { openIndex, type OpenIndex, type OpenIndexOptions } from "./index/open-index.ts";
import { Pacer } from "../kernel/pacer.ts";
import { Searcher, type FoundPassage, type SearchLimits } from "./search/search.ts";
import { skipText, type Skipped } from "./formats/skipped.ts";
import { byPath, walkCorpus, type CorpusRoot } from "./files/walk.ts";

interface OpenCorpusOptions {
  /** The name of the corpus, with which the origin of each document begins. */
  name: string;
  path: string;
  /** Null keeps the index in memory. */
  cacheFolder: string | null;
  signal: AbortSignal;
  onProgress?: UpdateOptions["onProgress"];
}

interface CorpusDocument {
  title: string;
  media_type: string;
  /** The document as it is on disk. */
  bytes: Buffer;
  /** The text of which passages are spans. For a text file it is the bytes. */
  text: Buffer;
  textFrom: TextFrom;
}

export type ReadDocument =
  { kind: "document"; document: CorpusDocument } | { kind: "changed" } | { kind: "gone"; reason: string };

export interface Corpus {
  readonly name: string;
  /** The digest over the sorted relative paths of its documents and their digests. */
  readonly digest: Digest;
  readonly documents: number;
  readonly skipped: readonly Skipped[];
  /** Documents of which parts have no text, those with the most such parts first. */
  readonly partlyRead: readonly { path: string; unread: string }[];
  search(query: string, limits: SearchLimits, signal: AbortSignal): Promise<FoundPassage[]>;
  /** The number of documents by the ending of their names. */
  kinds(): Record<string, number>;
  /** Documents whose titles show the subject of the corpus. */
  examples(): DocumentExample[];
  /** The number of passages that hold each word of a question. */
  countWords(question: string, signal: AbortSignal): Promise<WordCounts>;
  /** The title of a document, or its name when it has none. */
  titleOf(relativePath: string): string;
  /** Reads a document again. `changed` when its bytes no longer have the digest. */
  read(relativePath: string, digest: Digest, signal: AbortSignal): Promise<ReadDocument>;
  /** The digest of a document as it was indexed; null when it is not in the corpus. */
  digestOf(relativePath: string): Digest | null;
  /** True when a document of any path has these bytes. */
  holdsDigest(digest: Digest): boolean;
  close(): void;
}

const SKIPPED_IN_ERROR = 5;
const VANISHED = { reason: "the corpus vanished while it was read", vanished: true };

/**
 * Errors: `INVALID_ARGS` when the folder or file is missing, cannot be read, or holds no text; `READ_FAILED` when it vanishes
 * while it is read.
 */
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
  const vanished = (cause?: unknown): RunError | null =>
    fs.existsSync(corpusPath)
      ? null
      : new RunError("READ_FAILED.vanished", { ...VANISHED, path: options.path }, { cause });
  const { opened, ...read } = await indexOptions(options.cacheFolder).then(
    async (opened) => ({ opened, index: await openIndex(opened) }),
    (error: unknown) => {
      throw (errnoOf(error) === "ENOENT" ? vanished(error) : null) ?? error;
    },
  );
  let { index } = read;
  let searcher: Searcher | undefined;
  const documents = documentsOf(index);
  const skipped = allSkipped(index, opened.walk.skipped);
  // Without its folder, what was read before is a part of the corpus and nothing says which.
  const lost = skipped.some(({ reason }) => reason === "vanished") ? vanished() : null;
  if (lost !== null) {
    index.database.close();
    throw lost;
  }
  if (documents.size === 0) {
    index.database.close();
    const reason = skipped.length === 0 ? "the corpus is empty" : "the corpus holds nothing that can be read as text";
    const first = skipped.slice(0, SKIPPED_IN_ERROR).map((entry) => ({ path: entry.path, reason: skipText(entry) }));
    throw new RunError("INVALID_ARGS.unreadable_corpus", { reason, path: options.path, skipped: first });
  }

  const digests = new Set([...documents.values()].map((document) => document.digest));
  const titleOf = (relativePath: string): string =>
    documents.get(relativePath)?.first_heading || nameOfDocument(name, relativePath);

  const searched = async <T>(query: (searcher: Searcher) => T, querySignal: AbortSignal): Promise<T> => {
    querySignal.throwIfAborted();
    try {
      searcher ??= new Searcher(index.database);
      return query(searcher);
    } catch (error) {
      if (!isDatabaseError(error)) throw error;
      // The file is damaged or its disk fails, so an index in memory answers.
      condemnIndex(index.database);
      index = await openIndex(await indexOptions(null));
      searcher = new Searcher(index.database);
      return query(searcher);
    }
  };

  return {
    name,
    digest: await digestOfDocuments(documents, pacer),
    documents: documents.size,
    skipped,
    partlyRead: partlyReadOf(documents),
    search: async (query, limits, searchSignal) => await searched((open) => open.search(query, limits), searchSignal),
    countWords: async (question, countSignal) => await searched((open) => open.count(question), countSignal),
    kinds: () => kindsOf(documents.keys()),
    examples: () =>
      subjectTitles([...documents.keys()].toSorted().map((one) => ({ title: titleOf(one), origin: `${name}/${one}` }))),
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
      const { textFrom } = found;
      const text = textFrom.text_from === "bytes" ? facts.bytes : Buffer.from(found.text);
      return { kind: "document", document: { ...facts, text, textFrom } };
    },
    digestOf: (relativePath) => documents.get(relativePath)?.digest ?? null,
    holdsDigest: (digest) => digests.has(digest),
    close: () => index.database.close(),
  };
}

/** The text of a document from the index. If the index has lost it, it is taken out of the document again. */
async function textOf(
  database: Database,
  path: string,
  state: FileState,
  reader: DocumentReader,
): Promise<{ kind: "text"; text: string; textFrom: TextFrom } | { kind: "skipped"; skipped: Skipped }> {
  try {
    const kept = extractedTextOf(database, path, state.digest);
    if (kept !== null) return { kind: "text", text: kept, textFrom: { text_from: "extracted" } };
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
  }
  const file = await reader.textOf(path, state);
  if (file.kind === "document") return { ...file, kind: "text" };
  return { kind: "skipped", skipped: file.kind === "unfit" ? { ...file, path } : file.skipped };
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
      throw new RunError("INVALID_ARGS.unreadable_corpus", {
        reason: "the corpus is neither a folder nor a file",
        path: named,
      });
    fs.accessSync(real, fs.constants.R_OK);
    return { folder: path.dirname(real), file: path.basename(real) };
  } catch (cause) {
    if (cause instanceof RunError) throw cause;
    const errno = errnoOf(cause);
    const reason = errno === "ENOENT" ? "the corpus does not exist" : "the corpus cannot be read";
    throw new RunError("INVALID_ARGS.unreadable_corpus", { reason, path: named, errno }, { cause });
  }
}

type IndexedDocument = IndexedFile & { digest: Digest };

function documentsOf({ files }: OpenIndex): ReadonlyMap<string, IndexedDocument> {
  const isDocument = (entry: [string, IndexedFile]): entry is [string, IndexedDocument] => entry[1].digest !== null;
  return new Map([...files].filter(isDocument));
}

function allSkipped({ files, unreadable }: OpenIndex, walked: readonly Skipped[]): Skipped[] {
  const unfit = [...files.values()].flatMap(({ path: relativePath, skip_reason: reason, skip_detail: detail }) =>
    reason === null ? [] : [{ path: relativePath, reason, ...(detail !== null && { detail }) }],
  );
  return [...walked, ...unreadable, ...unfit].sort(byPath);
}

function partlyReadOf(documents: ReadonlyMap<string, IndexedDocument>): Corpus["partlyRead"] {
  return [...documents.values()]
    .sort((left, right) => right.unread_count - left.unread_count || byPath(left, right))
    .flatMap(({ path: relativePath, unread_words: unread }) =>
      unread === null ? [] : [{ path: relativePath, unread }],
    );
}

/** The digest of the canonical JSON `[[path, digest], ...]`, which is hashed in pieces. */
async function digestOfDocuments(documents: ReadonlyMap<string, IndexedDocument>, pacer: Pacer): Promise<Digest> {
  const hasher = new Bun.CryptoHasher("sha256");
  let separator = "[";
  for (const { path: relativePath, digest } of [...documents.values()].sort(byPath)) {
    await pacer.pause();
    hasher.update(`${separator}${JSON.stringify([relativePath, digest])}`);
    separator = ",";
  }
  return `sha256:${hasher.update("]").digest("hex")}`;
}
