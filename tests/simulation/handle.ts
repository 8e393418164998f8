// An open file of a simulated process.
import { assert } from "../../src/kernel/assert.ts";
import type { Awaitable } from "../../src/kernel/awaitable.ts";
import type { FileFacts, FileHandle, OpenMode } from "../../src/ports/files.ts";
import type { Effects } from "./effects.ts";
import { errnoError } from "./faults.ts";
import type { FileNode } from "./inode.ts";
import type { FileTree } from "./tree.ts";

export interface OpenFile {
  tree: FileTree;
  node: FileNode;
  mode: OpenMode;
  /** The name it was opened by; the file may have another by now. */
  path: string;
}

export class SimulatedHandle implements FileHandle {
  #file: OpenFile;
  #effects: Effects;
  #openHandles: Set<SimulatedHandle>;

  constructor(file: OpenFile, effects: Effects, openHandles: Set<SimulatedHandle>) {
    this.#file = file;
    this.#effects = effects;
    this.#openHandles = openHandles;
    file.node.openHandles++;
    openHandles.add(this);
  }

  write(bytes: Uint8Array): Awaitable<number> {
    const { node, mode, path } = this.#file;
    // The port promises an append; at the end of a file that is open for updates the real call would write at byte 0.
    assert(mode !== "update", `write on a handle opened for update: ${path}`);
    const apply = (limit = bytes.length) => {
      this.#requireOpen("write");
      if (mode === "read") throw errnoError("EBADF", "write", path);
      node.write(node.size, bytes.subarray(0, limit));
      return limit;
    };
    return this.#effects.run({ effect: "write", path, bytes: bytes.length, apply });
  }

  writeAt(bytes: Uint8Array, position: number): Awaitable<number> {
    const { node, mode, path } = this.#file;
    // Linux ignores the position on an append-only handle, other systems do not.
    assert(mode !== "append", `writeAt on a handle opened for append: ${path}`);
    const apply = (limit = bytes.length) => {
      this.#requireOpen("write");
      if (mode === "read") throw errnoError("EBADF", "write", path);
      node.write(position, bytes.subarray(0, limit));
      return limit;
    };
    return this.#effects.run({ effect: "writeAt", path, bytes: bytes.length, apply });
  }

  readAt(position: number, length: number): Awaitable<Uint8Array> {
    const { node, path } = this.#file;
    const apply = () => {
      this.#requireOpen("read");
      return node.read(position, position + length);
    };
    return this.#effects.run({ effect: "readAt", path, bytes: length, apply });
  }

  sync(): Awaitable<void> {
    const { node, path } = this.#file;
    const apply = () => {
      this.#requireOpen("fsync");
      node.sync();
    };
    return this.#effects.run({ effect: "sync", path, apply, onFailure: () => node.failSync() });
  }

  facts(): Awaitable<FileFacts> {
    const { tree, node, path } = this.#file;
    const apply = () => {
      this.#requireOpen("fstat");
      return tree.facts(node);
    };
    return this.#effects.run({ effect: "handleFacts", path, apply });
  }

  close(): Awaitable<void> {
    const apply = () => {
      this.#requireOpen("close");
      this.drop();
    };
    return this.#effects.run({ effect: "close", path: this.#file.path, apply });
  }

  /** Ends the handle without an effect: the kernel's work when its process dies. */
  drop(): void {
    if (!this.#openHandles.delete(this)) return;
    const { tree, node } = this.#file;
    node.openHandles--;
    tree.releaseNumber(node);
  }

  #requireOpen(syscall: string): void {
    if (!this.#openHandles.has(this)) throw errnoError("EBADF", syscall, this.#file.path);
  }
}
