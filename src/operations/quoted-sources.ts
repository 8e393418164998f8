// The stored texts of the sources that a report quotes, and when they were fetched.
import type { RunStore } from "../ports/run-store.ts";
import { sourceFiles } from "../run/layout.ts";
import { claimsOf, type Report } from "../run/report.ts";
import { unlessDamaged } from "./damage.ts";

/** By the digest of the source; without those that cannot be read or were altered, which `verify` names. */
export async function quotedTexts(store: RunStore, runRoot: string, report: Report): Promise<Map<string, Uint8Array>> {
  const quoted = new Set(claimsOf(report).flatMap(({ quotes }) => quotes.map(({ source_digest }) => source_digest)));
  const texts = new Map<string, Uint8Array>();
  for (const { record } of (await unlessDamaged(store.records(runRoot))) ?? []) {
    if (record.kind !== "source.stored") continue;
    const { source_digest, text_digest } = record.data.source;
    if (!quoted.has(source_digest)) continue;
    const path = sourceFiles(source_digest).text;
    const text = await unlessDamaged(store.readContent(runRoot, { path, sha256: text_digest }));
    if (text !== null) texts.set(source_digest, text);
  }
  return texts;
}

/** When each source was fetched, by its digest, as far as the journal can be read. */
export async function fetchTimes(store: RunStore, runRoot: string): Promise<Map<string, string>> {
  const records = (await unlessDamaged(store.records(runRoot))) ?? [];
  return new Map(
    records.flatMap(({ record }): [string, string][] => {
      if (record.kind !== "source.stored") return [];
      const { source_digest, retrieved_at } = record.data.source;
      return [[source_digest, retrieved_at]];
    }),
  );
}
