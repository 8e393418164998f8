// A disk in memory, Linux ext4 seen pessimistically: what was not synced may be gone after a power cut.
import { assert } from "../../src/kernel/assert.ts";
import type { PowerCutChoices } from "./power-cut.ts";
import { SimulatedProcess } from "./process-view.ts";
import type { TraceEntry } from "./effects.ts";
import { FileTree } from "./tree.ts";

export { Crashed, type EffectName, type Fault } from "./faults.ts";
export { anyMixture, dropUnsynced, keepUnsynced, type PowerCutChoices, type WriteFate } from "./power-cut.ts";
export type { TraceEntry } from "./effects.ts";
export { SimulatedProcess } from "./process-view.ts";

export class SimulatedDisk {
  /** Every effect of every process, in order. */
  readonly trace: TraceEntry[] = [];
  #tree = new FileTree();
  #processes: SimulatedProcess[] = [];

  /** A new process; the name is for traces only. */
  process(name: string): SimulatedProcess {
    const process = new SimulatedProcess(name, this.#tree, this.trace);
    this.#processes.push(process);
    return process;
  }

  /** Kills every process; what they wrote stays visible, synced or not. */
  kill(): void {
    for (const process of this.#processes) process.kill();
    this.#processes = [];
  }

  /** Kills every process and leaves what is durable, and of the rest what the choices keep. */
  powerCut(choices: PowerCutChoices): void {
    this.kill();
    this.#tree.cutPower(choices);
  }

  /** An equal disk, what is unsynced included, with no process and no trace: to try many ends of one beginning. */
  clone(): SimulatedDisk {
    const copy = new SimulatedDisk();
    copy.#tree = this.#tree.clone();
    return copy;
  }

  // --- looking, without an effect ---------------------------------------------------------------------------------

  /** The visible files with their bytes, by path. */
  snapshot(): Map<string, Uint8Array> {
    const files = new Map<string, Uint8Array>();
    for (const [path, node] of this.#tree.walk()) if (node.kind === "file") files.set(path, node.read());
    return files;
  }

  /** Every visible path, folders too. */
  paths(): string[] {
    return [...this.#tree.walk()].map(([path]) => path);
  }

  /** The bytes of a visible file, or null when none is there. */
  read(path: string): Uint8Array | null {
    const node = this.#exists(path) ? this.#tree.find(path, "read") : undefined;
    return node?.kind === "file" ? node.read() : null;
  }

  /** The text of a visible file, or null when none is there. */
  text(path: string): string | null {
    const bytes = this.read(path);
    return bytes === null ? null : new TextDecoder().decode(bytes);
  }

  /** The last effects, one per line, for the message of a failed test. */
  describeTrace(last = 40): string {
    return this.trace
      .slice(-last)
      .map(({ process, number, effect, path, bytes, outcome }) => {
        return `${process} ${number} ${effect} ${path}${bytes > 0 ? ` (${bytes} bytes)` : ""}: ${outcome}`;
      })
      .join("\n");
  }

  // --- the hand of the test: durable at once, no effect -----------------------------------------------------------

  plantFolder(path: string): void {
    if (this.#exists(path)) return;
    const parent = parentOf(path);
    this.plantFolder(parent);
    this.#tree.makeFolder(path);
    this.#tree.requireFolder(parent, "plant").sync();
  }

  /** Makes a file with its folders, or replaces the bytes of the one that is there: also how a test damages one. */
  plantFile(path: string, content: Uint8Array | string): void {
    this.plantFolder(parentOf(path));
    const node = this.#exists(path) ? this.#tree.requireFile(path, "plant") : this.#tree.createFile(path);
    node.plant(typeof content === "string" ? new TextEncoder().encode(content) : content);
    this.#tree.requireFolder(parentOf(path), "plant").sync();
  }

  /** Something that is neither file nor folder, and that nobody may open or follow. */
  plantOther(path: string, what: "symlink" | "fifo"): void {
    this.plantFolder(parentOf(path));
    this.#tree.makeOther(path, what);
    this.#tree.requireFolder(parentOf(path), "plant").sync();
  }

  /** Takes a name away. */
  erase(path: string): void {
    this.#tree.remove(path);
    this.#tree.requireFolder(parentOf(path), "plant").sync();
  }

  #exists(path: string): boolean {
    if (path === "/") return true;
    const parent = parentOf(path);
    if (!this.#exists(parent)) return false;
    const folder = this.#tree.find(parent, "lstat");
    return folder?.kind === "folder" && this.#tree.find(path, "lstat") !== undefined;
  }
}

function parentOf(path: string): string {
  assert(path.startsWith("/") && path !== "/", `no parent: ${path}`);
  return path.slice(0, path.lastIndexOf("/")) || "/";
}
