// Runs several extractors side by side. A document waits until one is free.
import os from "node:os";
import type { DocumentKind } from "../formats/formats.ts";
import type { OnPage } from "./extraction.ts";
import { Extractor, type Extraction } from "./extractor.ts";

/** More extractors would wait for the process that writes the index. */
const MOST_EXTRACTORS = 4;

export class ExtractorPool implements Disposable {
  /** The most documents that are read at once. */
  readonly size = Math.max(1, Math.min(MOST_EXTRACTORS, os.availableParallelism()));
  private readonly all: Extractor[] = [];
  private readonly free: Extractor[] = [];
  private readonly waiting: ((extractor: Extractor) => void)[] = [];
  private readonly signal: AbortSignal;
  private isEnded = false;

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** Throws the signal's reason when it fires. */
  async extract(kind: DocumentKind, bytes: Uint8Array, onPage?: OnPage): Promise<Extraction> {
    const extractor = await this.take();
    try {
      return await extractor.extract(kind, bytes, onPage);
    } finally {
      this.giveBack(extractor);
    }
  }

  [Symbol.dispose](): void {
    this.isEnded = true;
    for (const extractor of this.all) extractor[Symbol.dispose]();
  }

  private async take(): Promise<Extractor> {
    const free = this.free.pop();
    if (free !== undefined) return free;
    if (this.all.length >= this.size) return await new Promise((resolve) => this.waiting.push(resolve));
    const extractor = new Extractor(this.signal);
    this.all.push(extractor);
    // The pool may have been ended while a file was read, before its document came here.
    if (this.isEnded) extractor[Symbol.dispose]();
    return extractor;
  }

  private giveBack(extractor: Extractor): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free.push(extractor);
    else next(extractor);
  }
}
