// Searches local folders. Each folder is a corpus with its own index.
import path from "node:path";
import type { Digest } from "../kernel/digest.ts";
import { RunError } from "../kernel/errors.ts";
import { openCorpus, type Corpus } from "../corpus/corpus.ts";
import type { SearchLimits } from "../corpus/search/search.ts";
import { spread } from "../corpus/search/spread.ts";
import { given } from "../kernel/given.ts";
import { isMissed, reasonText, skipText, type Skipped } from "../corpus/formats/skipped.ts";
import type {
  CorpusReport,
  DocumentCollection,
  FetchOutcome,
  OpenCorpora,
  Passage,
  Provider,
  WordCounts,
} from "../ports/provider.ts";
import { MAX_PARTLY_READ, type LeftOut } from "../run/settings/settings.ts";

interface FilesystemOptions {
  /** The folder of the indexes, which may be deleted at any time. Null keeps them in memory. */
  cacheFolder: string | null;
}

export function openFilesystemCorpora({ cacheFolder }: FilesystemOptions): OpenCorpora {
  return async (folders, { signal, onProgress }) => {
    refuseRepeatedNames(folders.map((folder) => folder.name));
    const corpora: Corpus[] = [];
    const reports: CorpusReport[] = [];
    try {
      for (const { name, path: folder } of folders) {
        const corpus = await openCorpus({
          name,
          path: folder,
          cacheFolder,
          signal,
          onProgress: onProgress && ((event) => onProgress({ corpus: name, ...event })),
        });
        corpora.push(corpus);
        reports.push(reportOf(corpus, folder));
      }
    } catch (error) {
      for (const corpus of corpora) corpus.close();
      throw error;
    }
    return { provider: new FilesystemProvider(corpora), reports };
  };
}

class FilesystemProvider implements Provider {
  readonly id = "filesystem";
  private readonly corpora: readonly Corpus[];

  constructor(corpora: readonly Corpus[]) {
    this.corpora = corpora;
  }

  async search(query: string, limit: number, signal: AbortSignal, perDocument?: number): Promise<Passage[]> {
    return await this.found(query, { limit, perDocument }, signal);
  }

  async explain(query: string, limit: number, signal: AbortSignal, perDocument?: number): Promise<Passage[]> {
    return await this.found(query, { limit, perDocument, explains: true }, signal);
  }

  private async found(query: string, limits: SearchLimits, signal: AbortSignal): Promise<Passage[]> {
    const { limit, perDocument } = limits;
    const found: Passage[] = [];
    for (const [index, corpus] of this.corpora.entries()) {
      const earlier = this.corpora.slice(0, index);
      for (const passage of await corpus.search(query, limits, signal)) {
        if (earlier.some((other) => other.holdsDigest(passage.digest))) continue;
        found.push({
          origin: `${corpus.name}/${passage.path}`,
          title: passage.heading_path || corpus.titleOf(passage.path),
          document_digest: passage.digest,
          start: passage.start,
          end: passage.end,
          text: passage.text,
          ...(passage.columns === "" ? {} : { columns: passage.columns }),
          score: passage.score,
          ...given({ similar: passage.similar, why: passage.why }),
        });
      }
    }
    found.sort(byScore);
    return perDocument === undefined ? spread(found, limit, ({ origin }) => origin) : found.slice(0, limit);
  }

  async countWords(question: string, signal: AbortSignal): Promise<WordCounts> {
    const holding = new Map<string, number>();
    let passages = 0;
    for (const corpus of this.corpora) {
      const counts = await corpus.countWords(question, signal);
      passages += counts.passages;
      for (const [term, count] of counts.holding) holding.set(term, (holding.get(term) ?? 0) + count);
    }
    return { passages, holding };
  }

  async fetch(
    { origin, document_digest }: Pick<Passage, "origin" | "document_digest">,
    signal: AbortSignal,
  ): Promise<FetchOutcome> {
    signal.throwIfAborted();
    const place = this.placeOf(origin);
    if (place === null) return { kind: "gone", reason: "not a document of any corpus" };
    const outcome = await place.corpus.read(place.relativePath, document_digest, signal);
    return outcome.kind === "document" ? { kind: "document", document: { origin, ...outcome.document } } : outcome;
  }

  async open(origin: string, signal: AbortSignal): Promise<FetchOutcome> {
    const document_digest = this.placeOf(origin)?.digest;
    if (document_digest === undefined) return { kind: "gone", reason: "not a document of any corpus" };
    return await this.fetch({ origin, document_digest }, signal);
  }

  collections(): DocumentCollection[] {
    return this.corpora.map((corpus) => ({
      name: corpus.name,
      documents: corpus.documents,
      kinds: corpus.kinds(),
      examples: corpus.examples(),
    }));
  }

  close(): void {
    for (const corpus of this.corpora) corpus.close();
  }

  /** Names of corpora may hold slashes. The right corpus is the one that holds the rest of the origin as a document. */
  private placeOf(origin: string): { corpus: Corpus; relativePath: string; digest: Digest } | null {
    for (const corpus of this.corpora) {
      if (!origin.startsWith(`${corpus.name}/`)) continue;
      const relativePath = origin.slice(corpus.name.length + 1);
      const digest = corpus.digestOf(relativePath);
      if (digest !== null) return { corpus, relativePath, digest };
    }
    return null;
  }
}

function reportOf(corpus: Corpus, folder: string): CorpusReport {
  const { name, digest, documents } = corpus;
  const left_out = leftOutOf(corpus.skipped);
  return {
    corpus: {
      name,
      digest,
      documents,
      path: path.resolve(folder),
      ...(left_out.length === 0 ? {} : { left_out }),
      ...partlyReadOf(corpus),
    },
    skipped: corpus.skipped.map((entry) => ({ path: entry.path, reason: skipText(entry) })),
  };
}

/** The number of left out entries by reason, largest first. Hidden and empty files, names in .gitignore and runs do not count. */
function leftOutOf(skipped: readonly Skipped[]): LeftOut {
  const counts = new Map<string, number>();
  for (const entry of skipped) {
    if (!isMissed(entry.reason)) continue;
    const reason = reasonText(entry);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const leftOut = [...counts].map(([reason, count]) => ({ reason, count }));
  return leftOut.sort((left, right) => right.count - left.count || (left.reason < right.reason ? -1 : 1));
}

function partlyReadOf({ partlyRead }: Corpus): Pick<CorpusReport["corpus"], "partly_read"> {
  if (partlyRead.length === 0) return {};
  const most = partlyRead.slice(0, MAX_PARTLY_READ).map(({ path: document, unread }) => ({ document, unread }));
  return { partly_read: { documents: partlyRead.length, most } };
}

function byScore(left: Passage, right: Passage): number {
  if (left.score !== right.score) return right.score - left.score;
  if (left.origin !== right.origin) return left.origin < right.origin ? -1 : 1;
  return left.start - right.start;
}

function refuseRepeatedNames(names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new RunError("INVALID_ARGS", { reason: "two corpora have one name", name: repeated });
}
