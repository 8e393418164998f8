// What reading the corpora came to, in a line for each.
import type { CorpusReport } from "../../ports/provider.ts";
import { count } from "../../surface/words.ts";

/**
 * `corpus  /docs: 12 documents, 2 not read (2 binary), 1 passed over (1 empty)`, as rows for `pairs`. The report counts the same
 * as not read; what is passed over nobody expects to be read. `where` says who names each.
 */
export function corpusRows(reports: readonly CorpusReport[], where = ""): [string, string][] {
  return reports.map(({ corpus, skipped }) => {
    const notRead = countsOf((corpus.left_out ?? []).map((entry): [string, number] => [entry.reason, entry.count]));
    const passedOver = countsOf(skipped.map(({ reason }): [string, number] => [reason, 1]));
    for (const reason of notRead.keys()) passedOver.delete(reason);
    const parts = [partText("not read", notRead), partText("passed over", passedOver)].filter((part) => part !== "");
    const names = parts.length === 0 ? "" : where;
    return ["corpus", `${corpus.path}: ${[count(corpus.documents, "document"), ...parts].join(", ")}${names}`];
  });
}

/** By the reason without its details. */
function countsOf(entries: readonly (readonly [string, number])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [reason, times] of entries) {
    const name = reason.split(/[:(]/)[0]?.trim() ?? "";
    counts.set(name, (counts.get(name) ?? 0) + times);
  }
  return counts;
}

/** The commonest reasons first. */
function partText(what: string, counts: ReadonlyMap<string, number>): string {
  if (counts.size === 0) return "";
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  const all = sorted.reduce((sum, [, times]) => sum + times, 0);
  return `${all} ${what} (${sorted.map(([name, times]) => `${times} ${name}`).join(", ")})`;
}
