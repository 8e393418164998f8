// A file's bytes twice: as every process sees them, and as the disk would give them back after a power cut.
import { GrowingBytes } from "./growing-bytes.ts";
import type { PowerCutChoices } from "./power-cut.ts";

interface UnsyncedWrite {
  position: number;
  bytes: Uint8Array;
}

interface LostRange {
  from: number;
  to: number;
}

export class FileNode {
  readonly kind = "file";
  number: number;
  links = 0;
  openHandles = 0;
  #volatile = new GrowingBytes();
  #durable = new GrowingBytes();
  #unsynced: UnsyncedWrite[] = [];
  /**
   * What a failed fsync lost. Pessimistic: rewriting these bytes in place does not bring them back either, as long as
   * the host runs; only another file does.
   */
  #lost: LostRange[] = [];

  constructor(number: number) {
    this.number = number;
  }

  get size(): number {
    return this.#volatile.length;
  }

  read(from?: number, to?: number): Uint8Array {
    return this.#volatile.slice(from, to);
  }

  write(position: number, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#volatile.write(position, bytes);
    // A copy: the caller may use its buffer again before the disk takes the bytes.
    this.#unsynced.push({ position, bytes: bytes.slice() });
  }

  sync(): void {
    for (const { position, bytes } of this.#unsynced) this.#makeDurable(position, bytes, position + bytes.length);
    this.#unsynced = [];
  }

  /** An fsync that failed: the bytes count as clean from now on, stay visible, and never reach the disk. */
  failSync(): void {
    for (const { position, bytes } of this.#unsynced) {
      this.#lost.push({ from: position, to: position + bytes.length });
    }
    this.#unsynced = [];
  }

  cutPower(choices: PowerCutChoices): void {
    for (const { position, bytes } of this.#unsynced) {
      const fate = choices.fateOfWrite(bytes.length);
      const kept = bytes.subarray(0, fate.keptBytes);
      this.#makeDurable(position, kept, position + (fate.sizeGrows ? bytes.length : kept.length));
    }
    for (const range of this.#lost) if (choices.growsOverLost()) this.#durable.growTo(range.to);
    this.#unsynced = [];
    this.#lost = [];
    this.#volatile = this.#durable.clone();
  }

  /** Replaces everything, durably: the hand of a test, not of a process. */
  plant(bytes: Uint8Array): void {
    this.#volatile = GrowingBytes.of(bytes);
    this.#durable = GrowingBytes.of(bytes);
    this.#unsynced = [];
    this.#lost = [];
  }

  clone(): FileNode {
    const copy = new FileNode(this.number);
    copy.links = this.links;
    copy.#volatile = this.#volatile.clone();
    copy.#durable = this.#durable.clone();
    copy.#unsynced = [...this.#unsynced];
    copy.#lost = [...this.#lost];
    return copy;
  }

  #makeDurable(position: number, bytes: Uint8Array, end: number): void {
    if (end > position) this.#durable.growTo(end);
    if (this.#lost.length === 0) {
      if (bytes.length > 0) this.#durable.write(position, bytes);
      return;
    }
    for (let index = 0; index < bytes.length; index++) {
      const at = position + index;
      if (!this.#lost.some((range) => range.from <= at && at < range.to)) {
        this.#durable.write(at, bytes.subarray(index, index + 1));
      }
    }
  }
}

/** What is neither file nor folder: never opened and never followed. */
export class OtherNode {
  readonly kind = "other";
  readonly what: "symlink" | "fifo";
  number: number;
  links = 0;

  constructor(number: number, what: "symlink" | "fifo") {
    this.number = number;
    this.what = what;
  }

  clone(): OtherNode {
    const copy = new OtherNode(this.number, this.what);
    copy.links = this.links;
    return copy;
  }
}
