// The tree of folders and files, with the errors and the name changes of the real system calls; no faults, no processes.
import { assert } from "../../src/kernel/assert.ts";
import type { FileFacts } from "../../src/ports/files.ts";
import { errnoError } from "./faults.ts";
import { FolderNode, makeDurable, type NameChange, type Node } from "./folder.ts";
import { FileNode, OtherNode } from "./inode.ts";
import type { PowerCutChoices } from "./power-cut.ts";

const DEVICE = 1;
const MAX_NAME_BYTES = 255;

interface Place {
  folder: FolderNode;
  name: string;
  node: Node | undefined;
}

export class FileTree {
  #root = new FolderNode(1);
  #sequence = 0;
  #highestNumber = 1;
  #freeNumbers: number[] = [];

  // --- looking ----------------------------------------------------------------------------------------------------

  facts(node: Node): FileFacts {
    const size = node.kind === "file" ? node.size : 0;
    return { kind: node.kind, size, identity: `${DEVICE}:${node.number}`, links: node.links };
  }

  /** The node at a path, or undefined when nothing is there; the way to it must exist. */
  find(path: string, syscall: string): Node | undefined {
    return path === "/" ? this.#root : this.#place(path, syscall).node;
  }

  require(path: string, syscall: string): Node {
    const node = this.find(path, syscall);
    if (node === undefined) throw errnoError("ENOENT", syscall, path);
    return node;
  }

  requireFolder(path: string, syscall: string): FolderNode {
    const node = this.require(path, syscall);
    if (node.kind !== "folder") throw errnoError("ENOTDIR", syscall, path);
    return node;
  }

  requireFile(path: string, syscall: string): FileNode {
    const node = this.require(path, syscall);
    if (node.kind === "folder") throw errnoError("EISDIR", syscall, path);
    if (node.kind === "other") throw errnoError(node.what === "symlink" ? "ELOOP" : "ENXIO", syscall, path);
    return node;
  }

  /** Every visible path with its node, folders before what is in them, by name. */
  *walk(folder: FolderNode = this.#root, prefix = ""): Generator<[path: string, node: Node]> {
    for (const name of [...folder.names.keys()].sort()) {
      const node = folder.names.get(name);
      if (node === undefined) continue;
      yield [`${prefix}/${name}`, node];
      if (node.kind === "folder") yield* this.walk(node, `${prefix}/${name}`);
    }
  }

  // --- changing ---------------------------------------------------------------------------------------------------

  makeFolder(path: string): void {
    const { folder, name } = this.#freePlace(path, "mkdir");
    this.#change(folder, [[name, new FolderNode(this.#takeNumber())]]);
  }

  createFile(path: string): FileNode {
    const { folder, name } = this.#freePlace(path, "open");
    const node = new FileNode(this.#takeNumber());
    this.#change(folder, [[name, node]]);
    return node;
  }

  makeOther(path: string, what: "symlink" | "fifo"): void {
    const { folder, name } = this.#freePlace(path, "mknod");
    this.#change(folder, [[name, new OtherNode(this.#takeNumber(), what)]]);
  }

  link(from: string, to: string): void {
    const node = this.require(from, "link");
    if (node.kind === "folder") throw errnoError("EPERM", "link", from);
    const { folder, name } = this.#freePlace(to, "link");
    this.#change(folder, [[name, node]]);
  }

  rename(from: string, to: string): void {
    const source = this.#place(from, "rename");
    const target = this.#place(to, "rename");
    const { node } = source;
    if (node === undefined) throw errnoError("ENOENT", "rename", from);
    // Linux: two names of one file stay as they are.
    if (target.node === node) return;
    this.#refuseRename(node, target.node, from, to);
    if (source.folder === target.folder) {
      this.#change(source.folder, [
        [target.name, node],
        [source.name, null],
      ]);
    } else {
      const arrival = this.#change(target.folder, [[target.name, node]]);
      this.#change(source.folder, [[source.name, null]], arrival);
    }
    if (target.node !== undefined) this.releaseNumber(target.node);
  }

  remove(path: string): void {
    const { folder, name, node } = this.#place(path, "unlink");
    if (node === undefined) throw errnoError("ENOENT", "unlink", path);
    if (node.kind === "folder") throw errnoError("EISDIR", "unlink", path);
    this.#change(folder, [[name, null]]);
    this.releaseNumber(node);
  }

  removeFolder(path: string): void {
    const { folder, name, node } = this.#place(path, "rmdir");
    if (node === undefined) throw errnoError("ENOENT", "rmdir", path);
    if (node.kind !== "folder") throw errnoError("ENOTDIR", "rmdir", path);
    if (node.names.size > 0) throw errnoError("ENOTEMPTY", "rmdir", path);
    this.#change(folder, [[name, null]]);
    this.releaseNumber(node);
  }

  /** Inode numbers are used again as soon as ext4 would: when neither a name nor a handle is left. */
  releaseNumber(node: Node): void {
    if (node.links > 0 || (node.kind === "file" && node.openHandles > 0)) return;
    this.#freeNumbers.push(node.number);
  }

  // --- surviving --------------------------------------------------------------------------------------------------

  cutPower(choices: PowerCutChoices): void {
    const nodes = this.#allNodes();
    const folders = [...nodes].filter((node) => node.kind === "folder");
    const changes = folders.flatMap((folder) => folder.unsynced).sort((a, b) => a.sequence - b.sequence);
    for (const change of changes) {
      if (change.isDurable) continue;
      const mayGo = change.requires === null || change.requires.isDurable;
      if (mayGo && choices.keepsName()) makeDurable(change);
    }
    for (const folder of folders) {
      folder.unsynced = [];
      folder.names = new Map(folder.durableNames);
    }
    for (const node of nodes) {
      if (node.kind === "file") node.cutPower(choices);
    }
    this.#recount();
  }

  clone(): FileTree {
    const copies = new Map<Node, Node>();
    for (const node of this.#allNodes())
      copies.set(node, node.kind === "folder" ? new FolderNode(node.number) : node.clone());
    const copyOf = <T extends Node>(node: T): T => copies.get(node) as T;
    const changes = new Map<NameChange, NameChange>();
    for (const [node, copy] of copies) {
      if (node.kind !== "folder" || copy.kind !== "folder") continue;
      copy.links = node.links;
      copy.names = new Map([...node.names].map(([name, child]) => [name, copyOf(child)]));
      copy.durableNames = new Map([...node.durableNames].map(([name, child]) => [name, copyOf(child)]));
      copy.unsynced = node.unsynced.map((change) => {
        const sets = change.sets.map(([name, child]): [string, Node | null] => [name, child && copyOf(child)]);
        const twin = { ...change, folder: copy, sets };
        changes.set(change, twin);
        return twin;
      });
    }
    // A change that is durable already has no twin, and needs none: only its `isDurable` is still asked for.
    for (const [change, twin] of changes) {
      const requires = change.requires && (changes.get(change.requires) ?? change.requires);
      const requiredBy = change.requiredBy && (changes.get(change.requiredBy) ?? null);
      Object.assign(twin, { requires, requiredBy });
    }
    const tree = new FileTree();
    tree.#root = copyOf(this.#root);
    tree.#sequence = this.#sequence;
    tree.#highestNumber = this.#highestNumber;
    tree.#freeNumbers = [...this.#freeNumbers];
    return tree;
  }

  // --- inside -----------------------------------------------------------------------------------------------------

  #place(path: string, syscall: string): Place {
    assert(path.startsWith("/"), `the simulated disk knows absolute paths only: ${path}`);
    const names = path.split("/").filter((name) => name !== "" && name !== ".");
    assert(!names.includes(".."), `the simulated disk does not resolve "..": ${path}`);
    const last = names.pop();
    if (last === undefined) throw errnoError("EBUSY", syscall, path);
    let folder = this.#root;
    for (const name of names) {
      const next = folder.names.get(name);
      if (next === undefined) throw errnoError("ENOENT", syscall, path);
      if (next.kind === "other" && next.what === "symlink") throw errnoError("ELOOP", syscall, path);
      if (next.kind !== "folder") throw errnoError("ENOTDIR", syscall, path);
      folder = next;
    }
    if (Buffer.byteLength(last) > MAX_NAME_BYTES) throw errnoError("ENAMETOOLONG", syscall, path);
    return { folder, name: last, node: folder.names.get(last) };
  }

  #freePlace(path: string, syscall: string): Place {
    if (path === "/") throw errnoError("EEXIST", syscall, path);
    const place = this.#place(path, syscall);
    if (place.node !== undefined) throw errnoError("EEXIST", syscall, path);
    return place;
  }

  #refuseRename(node: Node, target: Node | undefined, from: string, to: string): void {
    if (node.kind === "folder" && `${to}/`.startsWith(`${from}/`)) throw errnoError("EINVAL", "rename", from);
    if (target === undefined) return;
    if (node.kind !== "folder" && target.kind === "folder") throw errnoError("EISDIR", "rename", to);
    if (node.kind === "folder" && target.kind !== "folder") throw errnoError("ENOTDIR", "rename", to);
    if (target.kind === "folder" && target.names.size > 0) throw errnoError("ENOTEMPTY", "rename", to);
  }

  #change(folder: FolderNode, sets: [string, Node | null][], requires: NameChange | null = null): NameChange {
    return folder.change(++this.#sequence, sets, requires);
  }

  #takeNumber(): number {
    return this.#freeNumbers.pop() ?? ++this.#highestNumber;
  }

  /** Everything that a name, durable, visible or waiting, still leads to. */
  #allNodes(): Set<Node> {
    const found = new Set<Node>();
    const queue: (Node | null)[] = [this.#root];
    for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
      if (node === null || found.has(node)) continue;
      found.add(node);
      if (node.kind !== "folder") continue;
      queue.push(...node.names.values(), ...node.durableNames.values());
      for (const change of node.unsynced) queue.push(...change.sets.map(([, child]) => child));
    }
    return found;
  }

  /** After a power cut: counts the links anew, and parts those who came back with a number that is taken. */
  #recount(): void {
    const nodes = this.#allNodes();
    for (const node of nodes) node.links = 0;
    for (const node of nodes) {
      if (node.kind === "folder") for (const child of node.names.values()) child.links++;
    }
    this.#freeNumbers = [];
    const taken = new Set<number>();
    for (const node of nodes) {
      if (taken.has(node.number)) node.number = ++this.#highestNumber;
      taken.add(node.number);
    }
  }
}
