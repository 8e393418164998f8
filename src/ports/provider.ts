// A provider of evidence: finds passages and hands out the bytes behind them.
import type { Digest } from "../kernel/digest.ts";
import type { BlockedUrl } from "../run/blocked-urls.ts";
import type { GiverId, ProviderId } from "../run/common.ts";
import type { Provenance } from "../run/provenance.ts";
import type { EngineAnswer } from "../run/engine-answer.ts";
import type { ToolDeclaration } from "../run/record.ts";
import type { CorpusSetting, Sensitivity, Settings } from "../run/settings.ts";
import type { TextFrom } from "../run/source.ts";

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
  /** The names of the columns, of a row of a table: without them it says nothing. */
  columns?: string;
  /** Higher is better; comparable within one answer only. */
  score: number;
  /** How many passages that say nearly the same were left out for this one. */
  similar?: number;
}

export interface FetchedDocument {
  origin: string;
  title: string;
  media_type: string;
  /** As received. */
  bytes: Uint8Array;
  /** UTF-8 text. */
  text: Uint8Array;
  /** How the text came from the bytes. */
  textFrom: TextFrom;
  /** Who gave it, when that was not the provider that was asked. */
  provider_id?: GiverId;
}

/** A document that nobody was asked for: a person or an agent outside brings it. */
export interface BroughtDocument {
  /** A plain file name, whose ending says what it is, or the address of the page that the bytes are of. */
  name: string;
  bytes: Uint8Array;
  /** Of a page; else its address tells, or its first character. */
  media_type?: string;
  /** Else its first heading. */
  title?: string;
}

/**
 * Reads a page of the web that somebody brings by its address: a public one, and no other than the sensitivity of the run
 * allows. Throws a `ProviderFailure`.
 */
export type ReadBroughtPage = (url: string, sensitivity: Sensitivity, signal: AbortSignal) => Promise<BroughtDocument>;

export function isPageName(name: string): boolean {
  return /^https?:\/\//i.test(name) && URL.canParse(name);
}

/** Takes the text out of a document that was brought, as out of a file of a corpus or a page of the web. */
export type ReadBrought = (
  document: BroughtDocument,
  signal: AbortSignal,
) => Promise<Exclude<FetchOutcome, { kind: "changed" }>>;

/** Of passages, how many there are and how many hold each word of a question, by the term that the index knows it by. */
export interface WordCounts {
  passages: number;
  holding: ReadonlyMap<string, number>;
}

/** `changed`: the document is not what was indexed any more. `gone`: it cannot be read; `reason` says why. */
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

/** Who was asked, who answered and for whom. Sources and quotes are counted where they are kept. */
export type ProviderAnswer = Omit<Provenance, "source_count" | "quote_count">;

/** What tools of servers say of themselves. */
export interface Declarations {
  tools: ToolDeclaration[];
  /** False when a server could not say what its tools do. */
  isComplete: boolean;
}

/** What a planner should know of the documents that can be searched. */
export interface DocumentCollection {
  name: string;
  documents: number;
  /** How many of each kind, by the ending of their names. */
  kinds: Record<string, number>;
  /** Titles that several documents have first, then some documents from everywhere. */
  examples: DocumentExample[];
}

/** `origin` is that of the one document that has the title. */
export interface DocumentExample {
  title: string;
  origin?: string;
}

export interface Provider {
  readonly id: ProviderId;
  /** Never more than `perDocument` passages of one document; without it a few, and more when there is nothing else. */
  search(query: string, limit: number, signal: AbortSignal, perDocument?: number): Promise<Passage[]>;
  /** Null, as without it, where there is no index that could tell how rare a word is. */
  countWords?(question: string, signal: AbortSignal): Promise<WordCounts | null>;
  fetch(passage: Pick<Passage, "origin" | "document_digest">, signal: AbortSignal): Promise<FetchOutcome>;
  /** Reads a document by its name alone, as a person or a model asks for one. */
  open?(origin: string, signal: AbortSignal): Promise<FetchOutcome>;
  /**
   * What the tools that a search, or reading the document of that origin, may call say of themselves now, but for those that
   * the user calls safe; without it there are none.
   */
  declaredTools?(origin: string | undefined, signal: AbortSignal): Promise<Declarations>;
  /** Without it, nobody knows what there is before it is searched. */
  collections?(): DocumentCollection[];
  /** Every way in which answers came so far; without it this very provider was asked and answered. */
  answers?(): ProviderAnswer[];
  /** Pages, search engines and servers that gave nothing since this was last asked. */
  takeBlocked?(): BlockedUrl[];
  /** What search engines answered since this was last asked. */
  takeAnswered?(): EngineAnswer[];
  close(): void;
}

/** How far a corpus is read into its index, or why that has to wait. */
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
      /** Of the file, where it has pages and they are counted. */
      page?: number;
      pages?: number;
    }
  | { kind: "writing" }
  /** Another process reads the same corpus. */
  | { kind: "waiting"; most_ms: number };

export type CorpusProgress = (event: IndexProgress & { corpus: string }) => void;

/** What a run asks for, beside its folders. */
export interface EvidenceWanted {
  providers: Settings["providers"];
  sensitivity: Sensitivity;
  /** How often search engines may be asked; without it, as often as somebody searches. */
  mostQueries?: number;
  /** What engines answered the run before: they are not asked again, and it counts as asked. */
  answered?: readonly EngineAnswer[];
  /** What the run could not reach before: pages that gave nothing for good are not read again. */
  unreached?: readonly BlockedUrl[];
}

/**
 * Brings the index of each folder up to date and opens it for search, with what else is wanted.
 * Errors: `INVALID_ARGS` when a folder is missing, unreadable or holds nothing that can be read.
 */
export type OpenCorpora = (
  corpora: readonly { name: string; path: string }[],
  options: { signal: AbortSignal; onProgress?: CorpusProgress; wanted?: EvidenceWanted },
) => Promise<{ provider: Provider; reports: CorpusReport[] }>;
