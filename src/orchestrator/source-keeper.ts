// Stores documents as sources of the run, each once: bytes, text, metadata, then the record that names them.
import { unlessThrown } from "../kernel/unless-thrown.ts";
import { canonicalJson } from "../kernel/canonical-json.ts";
import { digestOfBytes, type Digest } from "../kernel/digest.ts";
import { shortened } from "../kernel/shortened.ts";
import type { OwnedRun } from "../conversations/owned-run.ts";
import { timestamp } from "../ports/clock.ts";
import type { TaskTools } from "../ports/driver.ts";
import type { AttachedSource, FetchedDocument, FetchOutcome, Provider } from "../ports/provider.ts";
import type { Ports } from "../ports/ports.ts";
import { issuesOf, type GiverId } from "../run/common.ts";
import { sourceFiles } from "../run/log/layout.ts";
import { statedDate } from "../run/report/source-date.ts";
import { MAX_TITLE_LENGTH, sourceSchema, type Source } from "../run/report/source.ts";
import type { AnyRecord } from "../run/log/record.ts";
import type { Evidence } from "../stages/evidence.ts";
import { isOfCorpus } from "./drift.ts";
import { provenanceOfSource } from "./provenance.ts";

interface SourcesOwner extends Pick<OwnedRun, "view" | "writer"> {
  readonly ports: Pick<Ports, "clock" | "readAttached">;
  readonly evidence: Evidence;
}

export class SourceKeeper {
  readonly #owner: SourcesOwner;
  readonly #known = new Map<string, Promise<Source>>();
  #isLoaded: Promise<void> | null = null;

  constructor(owner: SourcesOwner) {
    this.#owner = owner;
  }

  /**
   * The source is durable when this resolves. `text` is the stored text: another version of this program, or another provider,
   * may take another text out of the same bytes, and quotes have to be in the stored one.
   */
  async keep(
    provider: Provider,
    passage: Parameters<TaskTools["keep"]>[0],
    signal: AbortSignal,
  ): ReturnType<TaskTools["keep"]> {
    await this.#load();
    return await this.#kept(provider.id, await provider.fetch(passage, signal));
  }

  /** Keeps an attached document. Bytes that the run has stored already stay the source that they are. */
  async take(document: AttachedSource, signal: AbortSignal): ReturnType<TaskTools["take"]> {
    await this.#load();
    return await this.#kept("operator", await this.#owner.ports.readAttached(document, signal));
  }

  /**
   * The source with this name: its origin, such as the address of a page, or its digest. Once changed documents were accepted,
   * an origin means the document as it is now, and not the source that was stored before.
   */
  async stored(name: string): Promise<Extract<Awaited<ReturnType<TaskTools["keep"]>>, { kind: "kept" }> | null> {
    await this.#load();
    const replaced = replacedIn(await this.#owner.view.records());
    for (const stored of this.#known.values()) {
      const source = await stored;
      if (source.source_digest === name || (source.origin === name && !replaced.has(source.source_digest)))
        return { kind: "kept", source, text: await this.#owner.evidence.sourceText(source) };
    }
    return null;
  }

  /** Reads a document by its name. */
  async open(provider: Provider, name: string, signal: AbortSignal): ReturnType<TaskTools["keep"]> {
    await this.#load();
    const outcome = await provider.open?.(name, signal);
    const unread = { kind: "gone", reason: "this run reads no documents by name" } as const;
    return outcome === undefined ? unread : await this.#kept(provider.id, outcome);
  }

  async #kept(giver: GiverId, outcome: FetchOutcome): ReturnType<TaskTools["keep"]> {
    if (outcome.kind !== "document") return outcome;
    const { document } = outcome;
    const digest = digestOfBytes(document.bytes);
    let stored = this.#known.get(digest);
    if (stored === undefined) {
      const source = this.#sourceOf(giver, document, digest);
      if (typeof source === "string") return { kind: "gone", reason: source };
      stored = this.#store(source, document);
      this.#known.set(digest, stored);
    }
    const source = await stored;
    const isStored = source.text_digest === digestOfBytes(document.text);
    return { kind: "kept", source, text: isStored ? document.text : await this.#owner.evidence.sourceText(source) };
  }

  async text(sourceDigest: string): Promise<Uint8Array> {
    return await this.#owner.evidence.sourceText(await this.#source(sourceDigest));
  }

  async bytes(sourceDigest: string): Promise<Uint8Array> {
    return await this.#owner.evidence.sourceBytes(await this.#source(sourceDigest));
  }

  async #source(sourceDigest: string): Promise<Source> {
    await this.#load();
    const source = await this.#known.get(sourceDigest);
    if (source === undefined) throw new Error("the source was never stored");
    return source;
  }

  #load(): Promise<void> {
    this.#isLoaded ??= this.#owner.evidence.sources().then((sources) => {
      for (const source of sources) this.#known.set(source.source_digest, Promise.resolve(source));
    });
    return this.#isLoaded;
  }

  /** Title, origin and media type come from outside. When they fit no source, a text says why the document is not kept. */
  #sourceOf(giver: GiverId, document: FetchedDocument, source_digest: Digest): Source | string {
    const { writer, ports } = this.#owner;
    const said = {
      schema_version: "source.v1",
      source_digest,
      text_digest: digestOfBytes(document.text),
      media_type: document.media_type,
      title: shortened(document.title, MAX_TITLE_LENGTH),
      origin: document.origin,
      ...provenanceOfSource(writer.manifest.settings, document.provider_id ?? giver),
      retrieved_at: timestamp(ports.clock.nowMs()),
      bytes: document.bytes.byteLength,
      ...document.textFrom,
      ...statedDate(document),
    };
    const parsed = sourceSchema.safeParse(said);
    if (!parsed.success) return `its description fits no source: ${issuesText(parsed.error)}`;
    const isCanonical = unlessThrown(() => canonicalJson(parsed.data), null) !== null;
    return isCanonical ? parsed.data : "its title, origin or media type holds half a character";
  }

  async #store(source: Source, document: FetchedDocument): Promise<Source> {
    const { writer } = this.#owner;
    const paths = sourceFiles(source.source_digest);
    const files = [
      await writer.storeContent(paths.bytes, document.bytes),
      await writer.storeContent(paths.text, document.text),
      await writer.storeContent(paths.meta, new TextEncoder().encode(`${canonicalJson(source)}\n`)),
    ];
    await writer.commit([{ kind: "source.stored", data: { source, files } }]);
    return source;
  }
}

/** The sources that were read before changed documents were accepted. */
function replacedIn(records: readonly AnyRecord[]): ReadonlySet<Digest> {
  const replaced = new Set<Digest>();
  const accepted = records.findLastIndex(
    (record) => record.kind === "drift.accepted" && record.data.differences.some(isOfCorpus),
  );
  for (const [at, record] of records.entries()) {
    if (record.kind !== "source.stored") continue;
    const { source_digest, provider_id } = record.data.source;
    // Attached documents are in no corpus, so they were not replaced.
    if (at < accepted && provider_id !== "operator") replaced.add(source_digest);
    else replaced.delete(source_digest);
  }
  return replaced;
}

function issuesText(error: Parameters<typeof issuesOf>[0]): string {
  return issuesOf(error)
    .map(({ at, message }) => `${at}: ${message}`)
    .join("; ");
}
