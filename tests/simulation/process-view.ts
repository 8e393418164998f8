// One process's view of the simulated disk: the Files port, every call numbered, traced and open to faults.
import type { Awaitable } from "../../src/kernel/awaitable.ts";
import type { FileFacts, FileHandle, Files, OpenMode } from "../../src/ports/files.ts";
import { Effects, type TraceEntry } from "./effects.ts";
import type { Fault } from "./faults.ts";
import { SimulatedHandle } from "./handle.ts";
import { ProcessLife } from "./life.ts";
import type { FileTree } from "./tree.ts";

export class SimulatedProcess implements Files {
  readonly life: ProcessLife;
  #effects: Effects;
  #tree: FileTree;
  #handles = new Set<SimulatedHandle>();

  constructor(name: string, tree: FileTree, trace: TraceEntry[]) {
    this.life = new ProcessLife(name);
    this.#tree = tree;
    this.#effects = new Effects(this.life, trace);
    this.life.onChange((state) => {
      if (state !== "dead") return;
      for (const handle of this.#handles) handle.drop();
    });
  }

  get name(): string {
    return this.life.name;
  }

  /** Effects so far: the highest number that a fault could have struck. */
  get effects(): number {
    return this.#effects.count;
  }

  /** How many planned faults struck. */
  get fired(): number {
    return this.#effects.fired;
  }

  get openHandles(): number {
    return this.#handles.size;
  }

  /** Replaces what is planned; no fault at all clears it. */
  plan(...faults: Fault[]): this {
    this.#effects.faults = faults;
    return this;
  }

  kill(): void {
    this.life.kill();
  }

  freeze(): void {
    this.life.freeze();
  }

  thaw(): void {
    this.life.thaw();
  }

  whenFrozen(): Promise<void> {
    return this.life.whenFrozen();
  }

  // --- the port ---------------------------------------------------------------------------------------------------

  open(path: string, mode: OpenMode): Awaitable<FileHandle> {
    const apply = () => {
      const node = mode === "create" ? this.#tree.createFile(path) : this.#tree.requireFile(path, "open");
      return new SimulatedHandle({ tree: this.#tree, node, mode, path }, this.#effects, this.#handles);
    };
    return this.#effects.run({ effect: `open-${mode}`, path, apply });
  }

  facts(path: string): Awaitable<FileFacts | null> {
    const apply = () => {
      const node = this.#findOrNull(path);
      return node === null ? null : this.#tree.facts(node);
    };
    return this.#effects.run({ effect: "facts", path, apply });
  }

  list(folder: string): Awaitable<string[]> {
    const apply = () => [...this.#tree.requireFolder(folder, "scandir").names.keys()].sort();
    return this.#effects.run({ effect: "list", path: folder, apply });
  }

  listFolders(folder: string): Awaitable<string[]> {
    const apply = () => {
      const { names } = this.#tree.requireFolder(folder, "scandir");
      return [...names].flatMap(([name, node]) => (node.kind === "folder" ? [name] : [])).sort();
    };
    return this.#effects.run({ effect: "listFolders", path: folder, apply });
  }

  makeFolder(path: string): Awaitable<void> {
    return this.#effects.run({ effect: "makeFolder", path, apply: () => this.#tree.makeFolder(path) });
  }

  link(from: string, to: string): Awaitable<void> {
    return this.#effects.run({ effect: "link", path: `${from} -> ${to}`, apply: () => this.#tree.link(from, to) });
  }

  rename(from: string, to: string): Awaitable<void> {
    return this.#effects.run({ effect: "rename", path: `${from} -> ${to}`, apply: () => this.#tree.rename(from, to) });
  }

  remove(path: string): Awaitable<void> {
    return this.#effects.run({ effect: "remove", path, apply: () => this.#tree.remove(path) });
  }

  removeFolder(path: string): Awaitable<void> {
    return this.#effects.run({ effect: "removeFolder", path, apply: () => this.#tree.removeFolder(path) });
  }

  syncFolder(path: string): Awaitable<void> {
    return this.#effects.run({
      effect: "syncFolder",
      path,
      apply: () => this.#tree.requireFolder(path, "fsync").sync(),
    });
  }

  /** ENOENT on the way to the path is an answer too: nothing is there. */
  #findOrNull(path: string) {
    try {
      return this.#tree.find(path, "lstat") ?? null;
    } catch (error) {
      if ((error as { code?: unknown }).code === "ENOENT") return null;
      throw error;
    }
  }
}
