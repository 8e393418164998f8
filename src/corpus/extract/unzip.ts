// Unpacks single entries of a zip file in memory; no header is believed about how much that will be.
import { Inflate } from "fflate";
import { UnfitDocument } from "./extraction.ts";
import { LIMITS } from "./limits.ts";

interface Entry {
  method: number;
  isEncrypted: boolean;
  packedBytes: number;
  headerAt: number;
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const PIECE_BYTES = 16 * 1024;

/** Names are keys of a map and nothing else: they never touch a disk. */
export class ZipFile {
  private readonly bytes: Buffer;
  private readonly entries: ReadonlyMap<string, Entry>;
  private unpackedBytes = 0;

  /** Throws `UnfitDocument` when it is no zip file. */
  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.entries = entriesOf(this.bytes);
  }

  get names(): string[] {
    return [...this.entries.keys()];
  }

  /** Null when there is no such entry. */
  read(name: string): Uint8Array | null {
    const entry = this.entries.get(name);
    if (entry === undefined) return null;
    if (entry.isEncrypted) throw new UnfitDocument("encrypted");
    const at = entry.headerAt;
    if (at + LOCAL_BYTES > this.bytes.byteLength || this.bytes.readUInt32LE(at) !== LOCAL_SIGNATURE) {
      throw new UnfitDocument("damaged");
    }
    const dataAt = at + LOCAL_BYTES + this.bytes.readUInt16LE(at + 26) + this.bytes.readUInt16LE(at + 28);
    const packed = this.bytes.subarray(dataAt, dataAt + entry.packedBytes);
    if (packed.byteLength < entry.packedBytes) throw new UnfitDocument("damaged");
    if (entry.method === STORED) return this.counted(packed, packed.byteLength);
    if (entry.method !== DEFLATED) throw new UnfitDocument("damaged");
    return this.inflated(packed);
  }

  private inflated(packed: Buffer): Uint8Array {
    const pieces: Uint8Array[] = [];
    let size = 0;
    let isWhole = false;
    const inflate = new Inflate((piece, isLast) => {
      size += piece.byteLength;
      isWhole ||= isLast;
      pieces.push(this.counted(piece, size));
    });
    for (let at = 0; at < packed.byteLength; at += PIECE_BYTES) {
      inflate.push(packed.subarray(at, at + PIECE_BYTES), at + PIECE_BYTES >= packed.byteLength);
    }
    if (!isWhole) throw new UnfitDocument("damaged");
    return Buffer.concat(pieces);
  }

  private counted(piece: Uint8Array, entryBytes: number): Uint8Array {
    this.unpackedBytes += piece.byteLength;
    const ratio = Math.max(0, this.unpackedBytes - LIMITS.ratioFreeBytes) / this.bytes.byteLength;
    if (entryBytes > LIMITS.entryBytes || this.unpackedBytes > LIMITS.unpackedBytes || ratio > LIMITS.unpackedRatio) {
      throw new UnfitDocument("zip_bomb");
    }
    return piece;
  }
}

function entriesOf(bytes: Buffer): Map<string, Entry> {
  const end = endOf(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > LIMITS.zipEntries) throw new UnfitDocument("zip_bomb");
  const entries = new Map<string, Entry>();
  let at = bytes.readUInt32LE(end + 16);
  for (let number = 0; number < count; number++) {
    if (at + ENTRY_BYTES > bytes.byteLength || bytes.readUInt32LE(at) !== ENTRY_SIGNATURE) {
      throw new UnfitDocument("damaged");
    }
    const nameBytes = bytes.readUInt16LE(at + 28);
    const name = bytes.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    entries.set(name, {
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      method: bytes.readUInt16LE(at + 10),
      packedBytes: bytes.readUInt32LE(at + 20),
      headerAt: bytes.readUInt32LE(at + 42),
    });
    at += ENTRY_BYTES + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function endOf(bytes: Buffer): number {
  const lowest = Math.max(0, bytes.byteLength - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = bytes.byteLength - END_BYTES; at >= lowest; at--) {
    if (bytes.readUInt32LE(at) === END_SIGNATURE) return at;
  }
  throw new UnfitDocument("damaged");
}
