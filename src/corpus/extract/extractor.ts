// Takes the text out of documents in a child process, which is ended when a document takes too much time or memory.
import type { SkipReason } from "../formats/skipped.ts";
import { ExtractChild, type Reply } from "./extract-child.ts";
import type { OnPage, ReadingKind } from "./extraction.ts";
import { LIMITS } from "./limits.ts";

/** The cause of `unfit` is the document, that of `failed` is this machine. */
export type Extraction =
  { kind: "text"; text: string } | { kind: "unfit"; reason: SkipReason } | { kind: "failed"; detail: string };

/** A child that has grown so large is replaced, so that its memory does not count against the next document. */
const RETIRING_BYTES = 384 * 1024 * 1024;

export interface ExtractorOptions {
  /** The command that starts the child; by default this program. */
  command?: readonly string[];
  timeMs?: Readonly<Record<ReadingKind, number>>;
  memoryBytes?: number;
}

/** Reads one document at a time. The first one starts the child. After `Symbol.dispose` or the signal no child is started. */
export class Extractor implements Disposable {
  private child: ExtractChild | null = null;
  private isEnded = false;
  private readonly signal: AbortSignal;
  private readonly options: ExtractorOptions;

  constructor(signal: AbortSignal, options: ExtractorOptions = {}) {
    this.signal = signal;
    this.options = options;
  }

  /** Throws the signal's reason when it fires. */
  async extract(kind: ReadingKind, bytes: Uint8Array, onPage?: OnPage): Promise<Extraction> {
    this.signal.throwIfAborted();
    const isFirst = this.child === null;
    const reply = await this.ask(kind, bytes, onPage);
    // An earlier document may have harmed the child, so this one is tried again with a new child.
    const isDoubtful = !isFirst && (reply.kind === "too_large" || reply.kind === "ended");
    return extractionOf(isDoubtful ? await this.ask(kind, bytes, onPage) : reply);
  }

  private async ask(kind: ReadingKind, bytes: Uint8Array, onPage?: OnPage): Promise<Reply> {
    if (this.isEnded) return { kind: "not_started", detail: "the reader of documents has ended" };
    const { command, timeMs = LIMITS.timeMs, memoryBytes = LIMITS.memoryBytes } = this.options;
    this.child ??= new ExtractChild(this.signal, command);
    const reply = await this.child.ask(kind, bytes, { timeMs: timeMs[kind], memoryBytes }, onPage);
    if (reply.kind !== "answer" || (this.child.memoryBytes() ?? 0) > RETIRING_BYTES) this.endChild();
    this.signal.throwIfAborted();
    return reply;
  }

  [Symbol.dispose](): void {
    this.isEnded = true;
    this.endChild();
  }

  private endChild(): void {
    this.child?.kill();
    this.child = null;
  }
}

function extractionOf(reply: Reply): Extraction {
  switch (reply.kind) {
    case "answer":
      return reply.answer.kind === "text"
        ? { kind: "text", text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(reply.body) }
        : { kind: "unfit", reason: reply.answer.reason };
    case "too_long":
      return { kind: "unfit", reason: "took_too_long" };
    case "too_large":
      return { kind: "unfit", reason: "too_much_memory" };
    case "ended":
      // The child was killed from outside or never became ready, so the document is not to blame.
      return reply.wasReady && reply.signal !== "SIGKILL" && reply.signal !== "SIGTERM"
        ? { kind: "unfit", reason: "reader_crashed" }
        : { kind: "failed", detail: `the reader of documents ended (${reply.signal ?? `exit ${reply.exitCode}`})` };
    case "not_started":
      return { kind: "failed", detail: reply.detail };
  }
}
