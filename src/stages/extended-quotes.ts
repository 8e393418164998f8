// Finds the recorded quote behind each quote of a draft that has one more sentence, by the stored bytes.
import { withNextSentence } from "../run/report/next-sentence.ts";
import type { Draft } from "../run/report/report.ts";
import { quotingOf } from "../run/report/statements.ts";
import type { Citation } from "../run/report/research.ts";
import { spanKey, type Quote } from "../run/report/source.ts";

/** The keys of recorded quotes by those of the longer ones. `textOf`: of a stored source; null for one that is not known. */
export async function recordedKeys(
  draft: Pick<Draft, "blocks" | "statements">,
  citations: readonly Pick<Citation, "quote">[],
  textOf: (digest: Quote["source_digest"]) => Promise<Uint8Array | null>,
): Promise<Map<string, string>> {
  const known = new Set(citations.map(({ quote }) => spanKey(quote)));
  const open = quotingOf(draft).flatMap(({ quotes }) => quotes.filter((quote) => !known.has(spanKey(quote))));
  const wanted = new Set(open.map(({ source_digest }) => source_digest));
  const keys = new Map<string, string>();
  for (const [digest, ofSource] of Map.groupBy(citations, ({ quote }) => quote.source_digest)) {
    const text = wanted.has(digest) ? await textOf(digest) : null;
    if (text === null) continue;
    for (const { quote } of ofSource) {
      const longer = withNextSentence(quote, text);
      if (longer !== null && !known.has(spanKey(longer))) keys.set(spanKey(longer), spanKey(quote));
    }
  }
  return keys;
}
