// What reading the corpora came to, in a line for each.
import type { CorpusReport } from "../ports/provider.ts";
import { count } from "./text.ts";

/** `corpus  /docs: 12 documents, 3 skipped (2 binary, 1 empty)`, as rows for `pairs`; `where` says who names each. */
export function corpusRows(reports: readonly CorpusReport[], where = ""): [string, string][] {
  return reports.map(({ corpus, skipped }) => {
    const reasons = skipped.length === 0 ? "" : ` (${reasonsText(skipped)}${where})`;
    return ["corpus", `${corpus.path}: ${count(corpus.documents, "document")}, ${skipped.length} skipped${reasons}`];
  });
}

/** The commonest reasons first, without their details. */
function reasonsText(skipped: CorpusReport["skipped"]): string {
  const counts = new Map<string, number>();
  for (const { reason } of skipped) {
    const name = reason.split(/[:(]/)[0]?.trim().replaceAll("_", " ") ?? "";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.map(([name, times]) => `${times} ${name}`).join(", ");
}
