// Content of runs by digest, shared within a runs root: stored once, in pieces where it is large, and kept while it is used.
import { digestOfBytes } from "../../kernel/digest.ts";
import type { Database, Statements } from "./database.ts";
import type { FileEntry } from "./run-row.ts";

/** Content above this is stored in pieces of this size, so that no statement takes long. */
const PIECE_BYTES = 4 * 1024 * 1024;
/** What is kept in memory; a single content at most a quarter of it. */
const KEPT_BYTES = 32 * 1024 * 1024;

export class Contents {
  readonly #database: Database;
  readonly #kept = new Map<string, Uint8Array>();
  #keptBytes = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The bytes as they are stored, whatever their digest; null where there are none. */
  async read(root: string, { sha256, size }: FileEntry): Promise<Uint8Array | null> {
    const [row] = await this.#database.rows<{ bytes: Uint8Array | null }>(
      "select bytes from {dr}.content where root = $1 and sha256 = $2",
      [root, sha256],
    );
    if (row === undefined) return null;
    if (row.bytes !== null) return new Uint8Array(row.bytes);
    const whole = new Uint8Array(size);
    let at = 0;
    for (let number = 0; at < size; number++) {
      const [piece] = await this.#database.rows<{ bytes: Uint8Array }>(
        "select bytes from {dr}.piece where root = $1 and sha256 = $2 and number = $3",
        [root, sha256, number],
      );
      if (piece === undefined) break;
      whole.set(piece.bytes.subarray(0, size - at), at);
      at += piece.bytes.byteLength;
    }
    return whole.subarray(0, at);
  }

  /** Stores bytes under their digest. Those that are there are left as they are. */
  async store(statements: Statements, root: string, sha256: string, bytes: Uint8Array): Promise<void> {
    if (bytes.byteLength <= PIECE_BYTES) {
      await statements.rows(
        "insert into {dr}.content (root, sha256, bytes) values ($1, $2, $3) on conflict do nothing",
        [root, sha256, bytes],
      );
      return;
    }
    const { count } = await statements.rows(
      "insert into {dr}.content (root, sha256) values ($1, $2) on conflict do nothing",
      [root, sha256],
    );
    if (count === 0) return;
    for (let number = 0; number * PIECE_BYTES < bytes.byteLength; number++) {
      const piece = bytes.subarray(number * PIECE_BYTES, (number + 1) * PIECE_BYTES);
      await statements.rows("insert into {dr}.piece (root, sha256, number, bytes) values ($1, $2, $3, $4)", [
        root,
        sha256,
        number,
        piece,
      ]);
    }
  }

  /** Content fits one statement with others. */
  isSmall(bytes: Uint8Array): boolean {
    return bytes.byteLength <= PIECE_BYTES;
  }

  // --- what is kept -----------------------------------------------------------------------------------------------

  /** A copy of bytes that were read or stored before, and fitted their digest. */
  kept(sha256: string): Uint8Array | null {
    const bytes = this.#kept.get(sha256);
    if (bytes === undefined) return null;
    this.#kept.delete(sha256);
    this.#kept.set(sha256, bytes);
    return bytes.slice();
  }

  keep(sha256: string, bytes: Uint8Array): void {
    if (this.#kept.has(sha256) || bytes.byteLength > KEPT_BYTES / 4 || digestOfBytes(bytes) !== sha256) return;
    this.#kept.set(sha256, bytes.slice());
    this.#keptBytes += bytes.byteLength;
    for (const [oldest, { byteLength }] of this.#kept) {
      if (this.#keptBytes <= KEPT_BYTES) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= byteLength;
    }
  }
}
