// Cuts a stream of bytes into lines, and never holds more than one line of the largest size.

const LF = 0x0a;

export class LineReader {
  readonly #maxBytes: number;
  readonly #onLine: (line: string) => void;
  #pending: Buffer[] = [];
  #length = 0;

  constructor(maxBytes: number, onLine: (line: string) => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
  }

  /** False: a line is too long, and nothing is read any more. */
  take(chunk: Buffer): boolean {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      if (!this.#add(chunk.subarray(start, end))) return false;
      this.#onLine(Buffer.concat(this.#pending).toString("utf8"));
      this.#pending = [];
      this.#length = 0;
      start = end + 1;
    }
    return this.#add(chunk.subarray(start));
  }

  #add(piece: Buffer): boolean {
    this.#length += piece.byteLength;
    if (this.#length > this.#maxBytes) return false;
    if (piece.byteLength > 0) this.#pending.push(piece);
    return true;
  }
}
