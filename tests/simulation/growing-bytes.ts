// A byte array that grows at its end and never shrinks; gaps read as zero bytes, as in a sparse file.

export class GrowingBytes {
  #buffer = new Uint8Array(256);
  #length = 0;

  static of(bytes: Uint8Array): GrowingBytes {
    const grown = new GrowingBytes();
    grown.write(0, bytes);
    return grown;
  }

  get length(): number {
    return this.#length;
  }

  write(position: number, bytes: Uint8Array): void {
    this.growTo(position + bytes.length);
    this.#buffer.set(bytes, position);
  }

  growTo(length: number): void {
    if (length <= this.#length) return;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, this.#buffer.length * 2));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#length = length;
  }

  /** A copy of the bytes from `from` up to `to` or the end. */
  slice(from = 0, to = this.#length): Uint8Array {
    return this.#buffer.slice(from, Math.min(to, this.#length));
  }

  clone(): GrowingBytes {
    return GrowingBytes.of(this.#buffer.subarray(0, this.#length));
  }
}
