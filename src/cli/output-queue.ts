// Text on its way to the reader of a stream: written in order, beside the work, so that a slow reader holds nothing up.
import type { Clock } from "../ports/clock.ts";
import type { Host } from "./host.ts";

/** Beyond this many waiting bytes the work waits for the reader, where it can wait: between two steps. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** The most bytes of one write. */
const MAX_WRITE_BYTES = 64 * 1024;
/** A reader stalls when it takes nothing for this long. */
const STALLED_MS = 5000;

export interface QueueOptions {
  host: Pick<Host, "writeLater">;
  stream: "stdout" | "stderr";
  clock: Pick<Clock, "every" | "uptimeMs">;
  /** Called once when the reader stalls. */
  onStall?: () => void;
  maxWaitingBytes?: number;
}

export class OutputQueue {
  /** Why text could not be written; later text is dropped. */
  lost: unknown = null;
  readonly #options: QueueOptions;
  #texts: string[] = [];
  #waitingBytes = 0;
  #draining: Promise<void> | null = null;
  #hasToldOfStall = false;
  #room = Promise.withResolvers<void>();

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  push(text: string): void {
    if (this.lost !== null) return;
    this.#texts.push(text);
    this.#waitingBytes += Buffer.byteLength(text);
    this.#draining ??= this.#drain();
  }

  /** True when the reader has taken everything. */
  get isEmpty(): boolean {
    return this.#draining === null;
  }

  /** Resolves when the reader has taken enough, at once in the usual case. */
  async whenRoom(): Promise<void> {
    while (this.#waitingBytes > (this.#options.maxWaitingBytes ?? MAX_WAITING_BYTES)) await this.#room.promise;
  }

  /** Resolves when everything was written, or cannot be. */
  async whenEmpty(): Promise<void> {
    while (this.#draining !== null) await this.#draining;
  }

  async #drain(): Promise<void> {
    const { host, stream, clock } = this.#options;
    let movedAtMs = clock.uptimeMs();
    const watch = clock.every(STALLED_MS, () => {
      if (clock.uptimeMs() - movedAtMs >= STALLED_MS) this.#tellOfStall();
    });
    try {
      // The caller goes on first: it may be in the middle of a commit.
      await Promise.resolve();
      for (let text = this.#take(); text !== ""; text = this.#take()) {
        movedAtMs = clock.uptimeMs();
        await host.writeLater(stream, text);
        this.#waitingBytes -= Buffer.byteLength(text);
        this.#tellOfRoom();
      }
    } catch (error) {
      this.lost = error;
      this.#texts = [];
      this.#waitingBytes = 0;
    } finally {
      watch.stop();
      this.#draining = null;
      this.#tellOfRoom();
    }
  }

  #take(): string {
    let count = 0;
    for (let bytes = 0; count < this.#texts.length && (count === 0 || bytes < MAX_WRITE_BYTES); count++)
      bytes += Buffer.byteLength(this.#texts[count] ?? "");
    return this.#texts.splice(0, count).join("");
  }

  #tellOfRoom(): void {
    this.#room.resolve();
    this.#room = Promise.withResolvers<void>();
  }

  #tellOfStall(): void {
    if (this.#hasToldOfStall) return;
    this.#hasToldOfStall = true;
    this.#options.onStall?.();
  }
}
