// Reads files of a corpus, and takes out their text in any format.
import { digestOfBytes, type Digest } from "../../kernel/digest.ts";
import type { OnPage } from "../extract/extraction.ts";
import { ExtractorPool } from "../extract/extractor-pool.ts";
import { documentKindOf, extensionOf, formatOf, isPacked } from "../formats/formats.ts";
import { isManualSource, unpacked, withoutOverstrikes } from "./packed.ts";
import type { Pacer } from "../../kernel/pacer.ts";
import { readCorpusFile, stampOf } from "./read-file.ts";
import type { Skipped, SkipReason } from "../formats/skipped.ts";
import type { TextFrom } from "../../run/report/source.ts";
import { textOf, type TextVerdict } from "./text.ts";
import { isMinified, unreadFormatOf } from "../extract/unread-formats.ts";

/** A file that was changed this recently may change again without another stamp, as clocks of file systems are coarse. */
const SETTLED_MS = 2_000;
const HASHED_AT_ONCE_BYTES = 1024 * 1024;

export interface FileState {
  /** "" when the next opening has to read the file again, even if it seems unchanged. */
  stamp: string;
  bytes: Buffer;
  digest: Digest;
}

/** The file may be read at another time. */
interface UnreadableFile {
  kind: "unreadable";
  skipped: Skipped;
}

/** `unfit` stays so until the file changes. */
type TextOfFile =
  | UnreadableFile
  | { kind: "unfit"; state: FileState; reason: SkipReason; detail?: string }
  | { kind: "document"; state: FileState; text: string; textFrom: TextFrom };

export type ReadFile = TextOfFile | { kind: "same"; state: FileState };

export interface DocumentReaderOptions {
  /** A real path. */
  root: string;
  pacer: Pacer;
  signal: AbortSignal;
}

export class DocumentReader implements Disposable {
  private readonly root: string;
  private readonly pacer: Pacer;
  private readonly extractors: ExtractorPool;

  constructor({ root, pacer, signal }: DocumentReaderOptions) {
    this.root = root;
    this.pacer = pacer;
    this.extractors = new ExtractorPool(signal);
  }

  /** The number of files to read at once: for each extractor one to work on, and the next. */
  get width(): number {
    return this.extractors.size * 2;
  }

  /** `known` is the last digest of the file. A file that still has it is `same`, and no text is taken out. */
  async read(path: string, known: Digest | null, onPage?: OnPage): Promise<ReadFile> {
    const file = await this.stateOf(path);
    if (file.kind === "unreadable") return file;
    return file.state.digest === known ? { kind: "same", state: file.state } : this.textOf(path, file.state, onPage);
  }

  async stateOf(path: string): Promise<UnreadableFile | { kind: "read"; state: FileState }> {
    const file = await readCorpusFile(this.root, path, this.pacer);
    if (file.kind === "skipped") return { kind: "unreadable", skipped: file.skipped };
    const { bytes, facts } = file;
    const isSettled = Date.now() - Number(facts.ctimeMs) >= SETTLED_MS;
    const stamp = isSettled ? stampOf(facts) : "";
    return { kind: "read", state: { stamp, bytes, digest: await this.digestOf(bytes) } };
  }

  /** Takes the text out of bytes that were read before. */
  async textOf(path: string, state: FileState, onPage?: OnPage): Promise<TextOfFile> {
    const file = unpacked(path, state.bytes);
    if (file.kind === "skipped") return { kind: "unfit", state, reason: file.reason };
    const kind = documentKindOf(path);
    const unread = unreadFormatOf(file.bytes, extensionOf(path) ?? "");
    if (unread !== null) return { kind: "unfit", state, reason: unread };
    if (kind === null || (kind === "manual" && !isManualSource(file.bytes)))
      return this.plainText(path, state, file.bytes);
    const extraction = await this.extractors.extract(kind, file.bytes, onPage);
    if (extraction.kind === "failed") {
      return { kind: "unreadable", skipped: { path, reason: "unreadable", detail: extraction.detail } };
    }
    if (extraction.kind === "unfit") return { kind: "unfit", state, reason: extraction.reason };
    return { kind: "document", state, text: extraction.text, textFrom: { text_from: "extracted" } };
  }

  private plainText(path: string, state: FileState, bytes: Uint8Array): TextOfFile {
    const verdict = textOf(bytes);
    if (verdict.kind === "skipped") {
      // A packed archive of files (`.tar.gz`) holds NUL bytes.
      const reason = verdict.reason === "binary" && isPacked(path) ? "compressed" : verdict.reason;
      return { ...verdict, kind: "unfit", state, reason };
    }
    if (isManualSource(bytes)) return { kind: "unfit", state, reason: "manual_source" };
    if (formatOf(path) === "code" && isMinified(verdict.text)) return { kind: "unfit", state, reason: "minified" };
    const text = withoutOverstrikes(verdict.text);
    const isExtracted = isPacked(path) || text !== verdict.text;
    return { kind: "document", state, text, textFrom: isExtracted ? { text_from: "extracted" } : textFromOf(verdict) };
  }

  [Symbol.dispose](): void {
    this.extractors[Symbol.dispose]();
  }

  private async digestOf(bytes: Buffer): Promise<Digest> {
    if (bytes.byteLength <= HASHED_AT_ONCE_BYTES) return digestOfBytes(bytes);
    const hasher = new Bun.CryptoHasher("sha256");
    for (let at = 0; at < bytes.byteLength; at += HASHED_AT_ONCE_BYTES) {
      hasher.update(bytes.subarray(at, at + HASHED_AT_ONCE_BYTES));
      await this.pacer.pause();
    }
    return `sha256:${hasher.digest("hex")}`;
  }
}

function textFromOf({ charset, replaced }: Extract<TextVerdict, { kind: "text" }>): TextFrom {
  if (charset === undefined) return { text_from: "bytes" };
  return { text_from: "decoded", charset, ...(replaced !== undefined && { replaced_bytes: replaced }) };
}
