// Text on its way to the reader of a stream. It is written in order next to the work, so that a slow reader holds nothing up.
import type { Clock } from "../../ports/clock.ts";
import type { Host } from "../host.ts";

/** With more bytes than this waiting, the work pauses between two steps until the reader has caught up. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
const MAX_WRITE_BYTES = 64 * 1024;
/** A reader stalls when it takes nothing for this long. */
const STALLED_MS = 5000;
/** Once the work was stopped, a reader that takes nothing for this long gets no more. */
const GIVEN_UP_MS = 2000;
const LOOK_MS = 200;

export interface QueueOptions {
  host: Pick<Host, "writeLater">;
  stream: "stdout" | "stderr";
  clock: Pick<Clock, "every" | "uptimeMs">;
  /** Called once when the reader stalls. */
  onStall?: () => void;
  maxWaitingBytes?: number;
}

/** Why nothing more is written: the reader stalls, and the process has to end. */
export class GivenUp {
  readonly unwritten: number;

  constructor(unwritten: number) {
    this.unwritten = unwritten;
  }
}

export class OutputQueue {
  /** Why text could not be written; later text is dropped. */
  lost: unknown = null;
  readonly #options: QueueOptions;
  #texts: string[] = [];
  #waitingBytes = 0;
  /** How many texts the write under way holds. */
  #underWay = 0;
  #movedAtMs = 0;
  #draining: Promise<void> | null = null;
  #hasReportedStall = false;
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

  get isGivenUp(): boolean {
    return this.lost instanceof GivenUp;
  }

  get hasRoom(): boolean {
    return this.#waitingBytes <= (this.#options.maxWaitingBytes ?? MAX_WAITING_BYTES);
  }

  /** Resolves when the reader has taken enough, at once in the usual case. */
  async whenRoom(): Promise<void> {
    while (!this.hasRoom) await this.#room.promise;
  }

  /** Resolves when everything was written, or cannot be. Once `stop` has fired, a reader that stalls is given up. */
  async whenEmpty(stop?: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const givenUp = Promise.withResolvers<void>();
    let stoppedAtMs: number | null = null;
    const watch = clock.every(LOOK_MS, () => {
      if (stop?.aborted !== true) return;
      stoppedAtMs ??= clock.uptimeMs();
      if (clock.uptimeMs() - Math.max(stoppedAtMs, this.#movedAtMs) < GIVEN_UP_MS) return;
      this.#giveUp(new GivenUp(this.#underWay + this.#texts.length));
      givenUp.resolve();
    });
    while (this.#draining !== null && this.lost === null) await Promise.race([this.#draining, givenUp.promise]);
    watch.stop();
  }

  #giveUp(why: unknown): void {
    this.lost ??= why;
    this.#texts = [];
    this.#waitingBytes = 0;
    this.#reportRoom();
  }

  async #drain(): Promise<void> {
    const { host, stream, clock } = this.#options;
    this.#movedAtMs = clock.uptimeMs();
    const watch = clock.every(STALLED_MS, () => {
      if (clock.uptimeMs() - this.#movedAtMs >= STALLED_MS) this.#reportStall();
    });
    try {
      // The caller continues first: it may be in the middle of a commit.
      await Promise.resolve();
      for (let text = this.#take(); text !== ""; text = this.#take()) {
        this.#movedAtMs = clock.uptimeMs();
        await host.writeLater(stream, text);
        this.#underWay = 0;
        if (this.lost === null) this.#waitingBytes -= Buffer.byteLength(text);
        this.#reportRoom();
      }
    } catch (error) {
      this.#giveUp(error);
    } finally {
      watch.stop();
      this.#draining = null;
      this.#reportRoom();
    }
  }

  #take(): string {
    let count = 0;
    for (let bytes = 0; count < this.#texts.length && (count === 0 || bytes < MAX_WRITE_BYTES); count++)
      bytes += Buffer.byteLength(this.#texts[count] ?? "");
    this.#underWay = count;
    return this.#texts.splice(0, count).join("");
  }

  #reportRoom(): void {
    this.#room.resolve();
    this.#room = Promise.withResolvers<void>();
  }

  #reportStall(): void {
    if (this.#hasReportedStall) return;
    this.#hasReportedStall = true;
    this.#options.onStall?.();
  }
}
