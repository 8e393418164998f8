// The stored sources of a run: which there are, their texts, and one of them to be shown.
import { decodeUtf8 } from "../../kernel/decoded-text.ts";
import { unlessDamaged } from "../../kernel/damage.ts";
import { RunError } from "../../kernel/errors.ts";
import type { Ports } from "../../ports/ports.ts";
import { sourceFiles } from "../../run/log/layout.ts";
import type { Report } from "../../run/report/report.ts";
import { quotingOf } from "../../run/report/statements.ts";
import type { Source } from "../../run/report/source.ts";

/** None where the journal cannot be read. */
export async function storedSources({ store }: Pick<Ports, "store">, runRoot: string): Promise<Source[]> {
  const records = (await unlessDamaged(store.records(runRoot))) ?? [];
  return records.flatMap((record) => (record.kind === "source.stored" ? [record.data.source] : []));
}

/** Texts by the digest of their source. Those that cannot be read or were altered are left out: `verify` names them. */
export async function quotedTexts(ports: Ports, runRoot: string, report: Report): Promise<Map<string, Uint8Array>> {
  const quoted = new Set(quotingOf(report).flatMap(({ quotes }) => quotes.map(({ source_digest }) => source_digest)));
  const texts = new Map<string, Uint8Array>();
  for (const source of await storedSources(ports, runRoot)) {
    if (!quoted.has(source.source_digest)) continue;
    const text = await unlessDamaged(textOf(ports, runRoot, source));
    if (text !== null) texts.set(source.source_digest, text);
  }
  return texts;
}

/** A source with its text. Errors: `NOT_FOUND`, and `MISSING_ARTIFACT` or `INTEGRITY_ERROR` for a text that is not as stored. */
export async function readSource(
  ports: Pick<Ports, "store">,
  runRoot: string,
  sourceDigest: string,
): Promise<{ source: Source; text: string }> {
  const source = (await storedSources(ports, runRoot)).find(({ source_digest }) => source_digest === sourceDigest);
  if (source === undefined)
    throw new RunError("NOT_FOUND", { reason: "the run has stored no such source", run_root: runRoot });
  return { source, text: decodeUtf8(await textOf(ports, runRoot, source)) };
}

async function textOf(
  { store }: Pick<Ports, "store">,
  runRoot: string,
  { source_digest, text_digest }: Source,
): Promise<Uint8Array> {
  return await store.readContent(runRoot, { path: sourceFiles(source_digest).text, sha256: text_digest });
}
