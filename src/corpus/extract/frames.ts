// Writes and reads the frames between parent and child: the lengths of head and body, a small head of JSON, a body of bytes.
import { assert } from "../../kernel/assert.ts";

const LENGTHS_BYTES = 8;
const MAX_HEAD_BYTES = 4 * 1024;

export interface Frame {
  /** Parsed JSON that is not checked yet. */
  head: unknown;
  body: Uint8Array;
}

export function frameBytes(head: object, body: Uint8Array): Uint8Array[] {
  const encoded = Buffer.from(JSON.stringify(head));
  assert(encoded.byteLength <= MAX_HEAD_BYTES, "the head of a frame is small");
  const lengths = Buffer.alloc(LENGTHS_BYTES);
  lengths.writeUInt32BE(encoded.byteLength, 0);
  lengths.writeUInt32BE(body.byteLength, 4);
  return [Buffer.concat([lengths, encoded]), body];
}

/** Thrown for bytes that are no frame, and for a frame over its limit. */
export class BadFrame extends Error {}

/** Reads frames from the pieces of a stream. */
export class FrameReader {
  private pieces: Uint8Array[] = [];
  private size = 0;
  private readonly maxBodyBytes: number;

  constructor(maxBodyBytes: number) {
    this.maxBodyBytes = maxBodyBytes;
  }

  add(piece: Uint8Array): void {
    this.pieces.push(piece);
    this.size += piece.byteLength;
  }

  /** The next whole frame, or null. Throws `BadFrame`. */
  next(): Frame | null {
    if (this.size < LENGTHS_BYTES) return null;
    const lengths = this.peek(LENGTHS_BYTES);
    const headBytes = lengths.readUInt32BE(0);
    const bodyBytes = lengths.readUInt32BE(4);
    if (headBytes > MAX_HEAD_BYTES || bodyBytes > this.maxBodyBytes) throw new BadFrame("a frame over its limit");
    const total = LENGTHS_BYTES + headBytes + bodyBytes;
    if (this.size < total) return null;
    const whole = this.peek(total);
    this.pieces = [whole.subarray(total)];
    this.size -= total;
    const body = whole.subarray(LENGTHS_BYTES + headBytes, total);
    return { head: parsed(whole.toString("utf8", LENGTHS_BYTES, LENGTHS_BYTES + headBytes)), body };
  }

  /** The bytes so far, of which at least the first `bytes` are in one piece. */
  private peek(bytes: number): Buffer {
    const [first] = this.pieces;
    if (first === undefined || first.byteLength < bytes) this.pieces = [Buffer.concat(this.pieces)];
    const joined = this.pieces[0] ?? new Uint8Array();
    return Buffer.from(joined.buffer, joined.byteOffset, joined.byteLength);
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new BadFrame("the head of a frame is no JSON");
  }
}
