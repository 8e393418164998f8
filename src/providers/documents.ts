// Holds documents that came from outside: their bytes, and the text that was read from them.
import { digestOfBytes, type Digest } from "../kernel/digest.ts";
import { shortened } from "../kernel/shortened.ts";
import type { FetchedDocument, FetchOutcome } from "../ports/provider.ts";
import { MAX_TITLE_LENGTH, type TextFrom } from "../run/report/source.ts";

/** Reads the text of a document by its media type. */
export type ExtractText = (
  bytes: Uint8Array,
  mediaType: string,
  signal: AbortSignal,
) => Promise<{ kind: "text"; text: string; textFrom: TextFrom; title?: string } | { kind: "unfit"; reason: string }>;

export interface ReadDocument {
  origin: string;
  title: string;
  media_type: string;
  /** The bytes as the server has them, without the compression of the transport. */
  bytes: Uint8Array;
  digest: Digest;
  text: string;
  textFrom: TextFrom;
}

export function readDocument(fields: Omit<ReadDocument, "digest">): ReadDocument {
  const title = shortened(fields.title.replace(/\s+/g, " ").trim(), MAX_TITLE_LENGTH);
  return {
    ...fields,
    // Half characters cannot be stored or sent.
    origin: fields.origin.toWellFormed(),
    title: title === "" ? shortened(fields.origin, MAX_TITLE_LENGTH) : title,
    // With half characters, byte offsets into the text would differ from string offsets.
    text: fields.text.toWellFormed(),
    digest: digestOfBytes(fields.bytes),
  };
}

export function fetchedDocument({ origin, title, media_type, bytes, text, textFrom }: ReadDocument): FetchedDocument {
  return { origin, title, media_type, bytes, text: new TextEncoder().encode(text), textFrom };
}

/** No document has the name, or it cannot be read for good. */
export type Gone = Extract<FetchOutcome, { kind: "gone" }>;

/** `wanted` is the digest that the document has to have, if any. */
export function outcomeOf(found: ReadDocument | Gone, wanted?: Digest): FetchOutcome {
  if ("kind" in found) return found;
  if (wanted !== undefined && found.digest !== wanted) return { kind: "changed" };
  return { kind: "document", document: fetchedDocument(found) };
}

/** Keeps the documents that were used last, up to a number of bytes. */
export class DocumentCache {
  readonly #maxBytes: number;
  readonly #documents = new Map<string, ReadDocument>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(origin: string): ReadDocument | undefined {
    const found = this.#documents.get(origin);
    if (found === undefined) return undefined;
    this.#documents.delete(origin);
    this.#documents.set(origin, found);
    return found;
  }

  keep(document: ReadDocument): void {
    this.#drop(document.origin);
    this.#documents.set(document.origin, document);
    this.#bytes += sizeOf(document);
    for (const origin of this.#documents.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(origin);
    }
  }

  #drop(origin: string): void {
    const found = this.#documents.get(origin);
    if (found === undefined) return;
    this.#documents.delete(origin);
    this.#bytes -= sizeOf(found);
  }
}

/** In bytes. A character of the text counts two, as in UTF-16. */
function sizeOf({ bytes, text }: ReadDocument): number {
  return bytes.byteLength + 2 * text.length;
}
