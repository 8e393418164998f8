// Lines on their way to a reader: written one after the other, beside the work, so that a slow reader holds nothing up.
import type { Clock } from "../ports/clock.ts";

/** Beyond this many bytes in line the work waits for the reader, where it can wait: between two steps. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** The most bytes of one write. */
const MAX_WRITE_BYTES = 64 * 1024;
/** When a reader takes nothing for this long, a note says so. */
const STALLED_MS = 5000;

export interface QueueOptions {
  write: (text: string) => Promise<void>;
  clock: Pick<Clock, "every" | "uptimeMs">;
  /** Called once when the reader stalls. */
  onStall: () => void;
  maxWaitingBytes?: number;
}

export class EventQueue {
  /** Why a line could not be written; later ones are dropped. */
  lost: unknown = null;
  readonly #options: QueueOptions;
  #lines: string[] = [];
  #waitingBytes = 0;
  #draining: Promise<void> | null = null;
  #hasToldOfStall = false;
  #room = Promise.withResolvers<void>();

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  push(line: string): void {
    if (this.lost !== null) return;
    this.#lines.push(line);
    this.#waitingBytes += Buffer.byteLength(line);
    this.#draining ??= this.#drain();
  }

  /** Resolves when the reader has taken enough, at once in the usual case. */
  async whenRoom(): Promise<void> {
    while (this.#waitingBytes > (this.#options.maxWaitingBytes ?? MAX_WAITING_BYTES)) await this.#room.promise;
  }

  /** Resolves when every line was written, or cannot be. */
  async whenEmpty(): Promise<void> {
    while (this.#draining !== null) await this.#draining;
  }

  async #drain(): Promise<void> {
    const { write, clock } = this.#options;
    let movedAtMs = clock.uptimeMs();
    const watch = clock.every(STALLED_MS, () => {
      if (clock.uptimeMs() - movedAtMs >= STALLED_MS) this.#tellOfStall();
    });
    try {
      // The caller goes on first: it may be in the middle of a commit.
      await Promise.resolve();
      for (let text = this.#take(); text !== ""; text = this.#take()) {
        movedAtMs = clock.uptimeMs();
        await write(text);
        this.#waitingBytes -= Buffer.byteLength(text);
        this.#tellOfRoom();
      }
    } catch (error) {
      this.lost = error;
      this.#lines = [];
      this.#waitingBytes = 0;
    } finally {
      watch.stop();
      this.#draining = null;
      this.#tellOfRoom();
    }
  }

  #take(): string {
    let count = 0;
    for (let bytes = 0; count < this.#lines.length && (count === 0 || bytes < MAX_WRITE_BYTES); count++)
      bytes += Buffer.byteLength(this.#lines[count] ?? "");
    return this.#lines.splice(0, count).join("");
  }

  #tellOfRoom(): void {
    this.#room.resolve();
    this.#room = Promise.withResolvers<void>();
  }

  #tellOfStall(): void {
    if (this.#hasToldOfStall) return;
    this.#hasToldOfStall = true;
    this.#options.onStall();
  }
}
