// `search`: what the local index finds in folders, without a run.
import { RunError } from "../../kernel/errors.ts";
import { given } from "../../kernel/given.ts";
import type { Observer } from "../../ports/observer.ts";
import type { Ports } from "../../ports/ports.ts";
import { noCorpus, type Passage, type SkippedDocument } from "../../ports/provider.ts";
import { checkQuestion, namedCorpora } from "../make/first-settings.ts";
import type { Outcome } from "../outcome.ts";

export interface SearchOptions {
  query: string;
  /** Absolute. */
  corpora: readonly string[];
  limit: number;
  /** The most passages of one document. */
  perDocument: number;
  /** Says of each passage why it has its place. */
  explains?: boolean;
}

export type SearchedPassage = ReturnType<typeof shown>;
export interface SearchResult {
  passages: SearchedPassage[];
  corpora: { name: string; documents: number; skipped: SkippedDocument[] }[];
}

/** Errors: `INVALID_ARGS` for an empty query, no corpus, or one that cannot be read. */
export async function searchCorpus(
  ports: Ports,
  { query, corpora, limit, perDocument, explains = false }: SearchOptions,
  observer: Observer,
): Promise<Outcome<SearchResult>> {
  if (query.trim() === "") throw new RunError("INVALID_ARGS", { reason: "the query is empty" });
  checkQuestion(query);
  if (corpora.length === 0) throw noCorpus();
  const { signal } = new AbortController();
  const { provider, reports } = await ports.openCorpora(namedCorpora(corpora), {
    signal,
    ...(observer.onIndex === undefined ? {} : { onProgress: observer.onIndex }),
  });
  try {
    const request = [query, limit, signal, perDocument] as const;
    const isExplained = explains && provider.explain !== undefined;
    const passages = (await (isExplained ? provider.explain?.(...request) : provider.search(...request))) ?? [];
    const searched = reports.map(({ corpus: { name, documents }, skipped }) => ({ name, documents, skipped }));
    return { result: { passages: passages.map(shown), corpora: searched }, run: null, error: null };
  } finally {
    provider.close();
  }
}

/** The path is relative to its corpus. */
function shown({ origin, title, start, end, text, score, similar, why }: Passage) {
  const slash = origin.indexOf("/");
  const place = { path: origin.slice(slash + 1), corpus: origin.slice(0, slash) };
  return { ...place, title, start, end, text, score, ...given({ similar, why }) };
}
