// A run in rows, read as the folder that it would be. Code that reads runs in files reads these by the same rules, and with the same words.
import type { FileFacts, FileHandle, Files, OpenMode } from "../../ports/files.ts";
import { HEAD_FILE, JOURNAL_FILE, MANIFEST_FILE } from "../../run/log/layout.ts";
import { encodeHead } from "../journal/head-note.ts";
import type { Contents } from "./contents.ts";
import type { Statements } from "./database.ts";
import { readDebris, readLines, type JournalLine, type RunRow } from "./run-row.ts";

const FRAME = new TextEncoder().encode(" \n");
const LINE_FEED = 0x0a;

interface Chunk {
  at: number;
  bytes: Uint8Array;
}

interface RowFolderParts {
  statements: Statements;
  contents: Contents;
  row: RunRow;
  /** Content that is kept in memory need not be read again. A search for damage reads all. */
  keeps?: boolean;
}

/** Opened anew for each reading: it shows the run as its row was read. */
export class RowFolder implements Files {
  readonly #parts: RowFolderParts;
  readonly #row: RunRow;
  #whole: Promise<Uint8Array> | null = null;

  constructor(parts: RowFolderParts) {
    this.#parts = parts;
    this.#row = parts.row;
  }

  // --- files ------------------------------------------------------------------------------------------------------

  async open(path: string, mode: OpenMode): Promise<FileHandle> {
    if (mode !== "read") return refuse();
    const name = this.#nameOf(path);
    const facts = this.facts(path);
    if (facts === null) throw errno("ENOENT", path);
    if (facts.kind === "folder") throw errno("EISDIR", path);
    if (name === JOURNAL_FILE) return reading(facts, (at, length) => this.#readJournal(at, length));
    let bytes: Uint8Array | null = null;
    return reading(facts, async (at, length) => {
      bytes ??= await this.#bytesOf(name, path);
      return bytes.subarray(at, at + length);
    });
  }

  facts(path: string): FileFacts | null {
    const name = this.#nameOf(path);
    if (name === "") return { kind: "folder", size: 0, identity: this.#row.id, links: 1 };
    const size = this.#sizeOf(name);
    if (size !== null) return { kind: "file", size, identity: `${this.#row.id}/${name}`, links: 1 };
    const isFolder = [...this.#row.files.keys()].some((file) => file.startsWith(`${name}/`));
    return isFolder ? { kind: "folder", size: 0, identity: `${this.#row.id}/${name}`, links: 1 } : null;
  }

  list(folder: string): string[] {
    const name = this.#nameOf(folder);
    const above = name === "" ? "" : `${name}/`;
    const below = [...this.#own(), ...this.#row.files.keys()].filter((file) => file.startsWith(above));
    return [...new Set(below.map((file) => file.slice(above.length).split("/")[0] ?? ""))].toSorted();
  }

  listFolders(folder: string): string[] {
    return this.list(folder).filter((name) => this.facts(`${folder}/${name}`)?.kind === "folder");
  }

  makeFolder = refuse;
  link = refuse;
  rename = refuse;
  remove = refuse;
  removeFolder = refuse;
  syncFolder = refuse;

  #own(): string[] {
    return this.#row.manifest === "" ? [JOURNAL_FILE, HEAD_FILE] : [JOURNAL_FILE, HEAD_FILE, MANIFEST_FILE];
  }

  #sizeOf(name: string): number | null {
    if (name === JOURNAL_FILE) return this.#row.end;
    if (this.#own().includes(name)) return this.#text(name).byteLength;
    return this.#row.files.get(name)?.size ?? null;
  }

  #nameOf(path: string): string {
    return path.slice(this.#row.runRoot.length + 1);
  }

  async #bytesOf(name: string, path: string): Promise<Uint8Array> {
    if (this.#own().includes(name)) return this.#text(name);
    const entry = this.#row.files.get(name);
    if (entry === undefined) throw errno("ENOENT", path);
    const { contents, keeps = false } = this.#parts;
    const kept = keeps ? contents.kept(entry.sha256) : null;
    if (kept !== null) return kept;
    const bytes = await contents.read(this.#row.root, entry);
    if (bytes === null) throw errno("ENOENT", path);
    if (keeps) contents.keep(entry.sha256, bytes);
    return bytes;
  }

  #text(name: string): Uint8Array {
    const { seq, digest, manifest } = this.#row;
    return name === HEAD_FILE ? encodeHead(seq, digest) : new TextEncoder().encode(manifest);
  }

  // --- the journal ------------------------------------------------------------------------------------------------

  async #readJournal(at: number, length: number): Promise<Uint8Array> {
    const { tail, end, hasDebris } = this.#row;
    const from = (tail[0]?.at ?? end) - FRAME.length;
    if (!hasDebris && at >= from && tail.length > 0)
      return journalBytes(tail, [], { from, end }).subarray(at - from, at - from + length);
    this.#whole ??= this.#readWhole();
    return (await this.#whole).slice(at, at + length);
  }

  /** The bytes of journal.jsonl. */
  async #readWhole(): Promise<Uint8Array> {
    const { id, end, hasDebris } = this.#row;
    const lines = await readLines(this.#parts.statements, id);
    const debris = hasDebris ? await readDebris(this.#parts.statements, id) : [];
    return journalBytes(
      lines.filter((line) => line.at < end),
      debris,
      { from: 0, end },
    );
  }
}

/** Records and what lies between them, at their places. A place that nothing fills holds zeros, which count as debris. */
export function journalBytes(
  lines: readonly JournalLine[],
  debris: readonly Chunk[],
  { from, end }: { from: number; end: number },
): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, end - from));
  const put = ({ at, bytes: chunk }: Chunk): void => {
    if (at >= from && at + chunk.length <= end) bytes.set(chunk, at - from);
  };
  const encoder = new TextEncoder();
  for (const { at, line } of lines) {
    put({ at: at - FRAME.length, bytes: FRAME });
    const text = encoder.encode(line);
    put({ at, bytes: text });
    put({ at: at + text.length, bytes: Uint8Array.of(LINE_FEED) });
  }
  for (const chunk of debris) put(chunk);
  return bytes;
}

function reading(facts: FileFacts, readAt: FileHandle["readAt"]): FileHandle {
  return {
    readAt,
    facts: () => facts,
    write: refuse,
    writeAt: refuse,
    sync: () => undefined,
    close: () => undefined,
  };
}

/** A run in rows is written by statements. */
function refuse(): never {
  throw new Error("a run in rows is not written as a folder");
}

function errno(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path });
}
