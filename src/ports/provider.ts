// A provider of evidence finds passages, and hands out the documents behind them.
import type { Digest } from "../kernel/digest.ts";
import { RunError } from "../kernel/errors.ts";
import type { BlockedUrl } from "../run/report/blocked-urls.ts";
import type { GiverId, ProviderId } from "../run/common.ts";
import type { Provenance } from "../run/log/provenance.ts";
import type { EngineAnswer } from "../run/report/engine-answer.ts";
import type { ToolDeclaration } from "../run/model/tool-declaration.ts";
import type { CorpusSetting, Sensitivity, Settings } from "../run/settings/settings.ts";
import type { TextFrom } from "../run/report/source.ts";

/** A passage that was found. `start` and `end` are byte offsets into the document's extracted text. */
export interface Passage {
  /** `<corpus name>/<path>`. */
  origin: string;
  title: string;
  /** Digest of the document's bytes as they were when it was indexed. */
  document_digest: Digest;
  start: number;
  end: number;
  text: string;
  /** The names of the columns, when the passage is a row of a table. */
  columns?: string;
  /** Higher is better. Comparable within one answer only. */
  score: number;
  /** How many passages were left out because they say nearly the same. */
  similar?: number;
  /** Why it has its place; set by `explain`. */
  why?: PassageReason;
}

/** Why a search put a passage where it is. Weights and the parts of a score are comparable within one answer only. */
export interface PassageReason {
  /** They add up to its score: its own words, those of its section, words near each other, an entry whose term is queried. */
  score: { words: number; section: number; nearness: number; entry: number };
  /** A form or a compound of a word counts by its share. */
  holds: { word: string; weight: number; in_text: number; in_headings: number }[];
  lacks: { word: string; weight: number }[];
  /** Passages that say nearly the same, and were left out for it. */
  folded: { path: string; start: number; end: number }[];
}

export interface FetchedDocument {
  origin: string;
  title: string;
  media_type: string;
  /** As received. */
  bytes: Uint8Array;
  /** UTF-8. */
  text: Uint8Array;
  textFrom: TextFrom;
  /** Who gave it, when it was not the provider of the query. */
  provider_id?: GiverId;
}

/** A document that a person or an agent outside attaches. */
export interface AttachedSource {
  /** A plain file name, whose ending says what it is, or the address of a page. */
  name: string;
  bytes: Uint8Array;
  /** The media type of a page; by default it follows from its address, or from its first character. */
  media_type?: string;
  /** By default its first heading. */
  title?: string;
}

/** Reads a public page that the caller names by its address, if the sensitivity of the run allows it. Throws a `ProviderFailure`. */
export type ReadAttachedPage = (url: string, sensitivity: Sensitivity, signal: AbortSignal) => Promise<AttachedSource>;

/** Where documents are needed and none are named. */
export function noCorpus(): RunError {
  return new RunError("INVALID_ARGS.no_corpus", {
    reason: "no corpus was given",
    option: "--corpus",
    missing: "corpus",
  });
}

export function isPageName(name: string): boolean {
  return /^https?:\/\//i.test(name) && URL.canParse(name);
}

/** Extracts the text of an attached document, as of a file of a corpus or a page of the web. */
export type ReadAttached = (
  document: AttachedSource,
  signal: AbortSignal,
) => Promise<Exclude<FetchOutcome, { kind: "changed" }>>;

/** How many passages there are, and how many hold each word of a question, by the term of the word in the index. */
export interface WordCounts {
  passages: number;
  holding: ReadonlyMap<string, number>;
}

/** `changed`: the document is no longer what was indexed. `gone`: it cannot be read, for the `reason`. */
export type FetchOutcome =
  { kind: "document"; document: FetchedDocument } | { kind: "changed" } | { kind: "gone"; reason: string };

export interface SkippedDocument {
  path: string;
  reason: string;
}

export interface CorpusReport {
  corpus: CorpusSetting;
  skipped: SkippedDocument[];
}

/** Provenance without counts, since sources and quotes are counted where they are kept. */
export type ProviderAnswer = Omit<Provenance, "source_count" | "quote_count">;

export interface Declarations {
  tools: ToolDeclaration[];
  /** False when a server could not say what its tools do. */
  isComplete: boolean;
}

/** What a planner should know about the documents that can be searched. */
export interface DocumentCollection {
  name: string;
  documents: number;
  /** How many of each kind, by the ending of their names. */
  kinds: Record<string, number>;
  /** First titles that several documents have, then some documents from everywhere. */
  examples: DocumentExample[];
}

/** `origin`: of the document, when only one has the title. */
export interface DocumentExample {
  title: string;
  origin?: string;
}

export interface Provider {
  readonly id: ProviderId;
  /** At most `perDocument` passages of one document; by default a few, or more when there is nothing else. */
  search(query: string, limit: number, signal: AbortSignal, perDocument?: number): Promise<Passage[]>;
  /** The same passages, each with why it has its place. */
  explain?(query: string, limit: number, signal: AbortSignal, perDocument?: number): Promise<Passage[]>;
  /** Null when there is no index that could count words. */
  countWords?(question: string, signal: AbortSignal): Promise<WordCounts | null>;
  fetch(passage: Pick<Passage, "origin" | "document_digest">, signal: AbortSignal): Promise<FetchOutcome>;
  /** Reads a document by its name alone, for a person or a model. */
  open?(origin: string, signal: AbortSignal): Promise<FetchOutcome>;
  /**
   * What the tools say about themselves now that a search, or reading the document of that origin, may call. Tools that the
   * user calls safe are left out.
   */
  declaredTools?(origin: string | undefined, signal: AbortSignal): Promise<Declarations>;
  /** Absent when that is not known before it is searched. */
  collections?(): DocumentCollection[];
  /** Every way in which answers came so far. Absent: this provider was queried and has answered. */
  answers?(): ProviderAnswer[];
  /** Pages, search engines and servers that gave nothing since this was last called. */
  takeBlocked?(): BlockedUrl[];
  /** Answers of search engines since this was last called. */
  takeAnswered?(): EngineAnswer[];
  close(): void;
}

/** How far a corpus has been read into its index, or why that waits. */
export type IndexProgress =
  | {
      kind: "reading";
      /** Files that are done, of all that have to be read. */
      read: number;
      total: number;
      /** The file that is being read. */
      path: string;
      bytes_read: number;
      bytes_total: number;
      /** The page of the file, when its pages are counted. */
      page?: number;
      pages?: number;
    }
  | { kind: "writing" }
  /** Another process reads the same corpus. */
  | { kind: "waiting"; most_ms: number };

export type CorpusProgress = (event: IndexProgress & { corpus: string }) => void;

/** What a run asks for beside its folders. */
export interface EvidenceWanted {
  providers: Settings["providers"];
  sensitivity: Sensitivity;
  /** How often search engines may be queried; without a limit by default. */
  mostQueries?: number;
  /** Earlier answers of engines to this run. They count as queries, and are not repeated. */
  answered?: readonly EngineAnswer[];
  /** What the run could not reach before. Pages that failed for good are not read again. */
  unreached?: readonly BlockedUrl[];
}

/**
 * Brings the index of each folder up to date, and opens it for search together with the other providers that are wanted.
 * Errors: `INVALID_ARGS` when a folder is missing, unreadable or holds nothing that can be read.
 */
export type OpenCorpora = (
  corpora: readonly { name: string; path: string }[],
  options: { signal: AbortSignal; onProgress?: CorpusProgress; wanted?: EvidenceWanted },
) => Promise<{ provider: Provider; reports: CorpusReport[] }>;
