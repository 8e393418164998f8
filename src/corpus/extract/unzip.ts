// Unpacks single entries of a zip file in memory, and never more than the sizes in its directory.
import { isUtf8 } from "node:buffer";
import { unzipSync, type UnzipFileInfo } from "fflate";
import { UnfitDocument } from "./extraction.ts";
import { LIMITS } from "./limits.ts";

/** Names of entries are only keys of a map, and never paths on a disk. */
export class ZipFile {
  readonly names: ReadonlySet<string>;
  readonly #bytes: Uint8Array;
  #unpackedBytes = 0;

  /** Throws for bytes that are no zip file. */
  constructor(bytes: Uint8Array) {
    const names = new Set<string>();
    unzipSync(bytes, {
      filter({ name }) {
        names.add(asWritten(name));
        if (names.size > LIMITS.zipEntries) throw new UnfitDocument("zip_bomb");
        return false;
      },
    });
    this.names = names;
    this.#bytes = bytes;
  }

  /** The entries that exist, by name. Throws `UnfitDocument` for a bomb. */
  read(names: Iterable<string>): ReadonlyMap<string, Uint8Array> {
    const wanted = new Set(names);
    const isWanted = (entry: UnzipFileInfo): boolean =>
      wanted.has(asWritten(entry.name)) && this.#isWithinLimits(entry);
    const files = Object.entries(unzipSync(this.#bytes, { filter: isWanted }));
    return new Map(files.map(([name, bytes]) => [asWritten(name), bytes]));
  }

  /** Null when there is no such entry. */
  text(name: string): string | null {
    const bytes = this.read([name]).get(name);
    return bytes === undefined ? null : Buffer.from(bytes).toString("utf8");
  }

  #isWithinLimits({ originalSize }: UnzipFileInfo): boolean {
    this.#unpackedBytes += originalSize;
    const ratio = Math.max(0, this.#unpackedBytes - LIMITS.ratioFreeBytes) / this.#bytes.byteLength;
    const { entryBytes, unpackedBytes, unpackedRatio } = LIMITS;
    if (originalSize > entryBytes || this.#unpackedBytes > unpackedBytes || ratio > unpackedRatio)
      throw new UnfitDocument("zip_bomb");
    return true;
  }
}

/** Many programs write names in UTF-8 without the flag for it. Such a name comes as one character for each byte. */
function asWritten(name: string): string {
  if (/[^\u0000-\u00FF]/.test(name)) return name;
  const bytes = Buffer.from(name, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : name;
}
