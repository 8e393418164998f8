// A folder's names twice: as every process sees them, and as the disk would give them back after a power cut.
import type { FileNode, OtherNode } from "./inode.ts";

export type Node = FileNode | FolderNode | OtherNode;

/** One change of names in one folder: all of it survives a power cut or nothing. `null` takes a name away. */
export interface NameChange {
  readonly sequence: number;
  readonly folder: FolderNode;
  sets: [name: string, node: Node | null][];
  /**
   * A rename into another folder takes the old name away only once the new one is durable: at no time is the file
   * nameless. Until then the old name comes back at a power cut, even when its folder was synced.
   */
  readonly requires: NameChange | null;
  requiredBy: NameChange | null;
  wasSynced: boolean;
  isDurable: boolean;
}

export class FolderNode {
  readonly kind = "folder";
  number: number;
  links = 0;
  names = new Map<string, Node>();
  durableNames = new Map<string, Node>();
  unsynced: NameChange[] = [];

  constructor(number: number) {
    this.number = number;
  }

  change(sequence: number, sets: [string, Node | null][], requires: NameChange | null = null): NameChange {
    const change: NameChange = {
      sequence,
      folder: this,
      sets,
      requires,
      requiredBy: null,
      wasSynced: false,
      isDurable: false,
    };
    if (requires !== null) requires.requiredBy = change;
    this.unsynced.push(change);
    for (const [name, node] of sets) {
      const before = this.names.get(name);
      if (before !== undefined) before.links--;
      if (node === null) this.names.delete(name);
      else {
        this.names.set(name, node);
        node.links++;
      }
    }
    return change;
  }

  /** fsync: what it makes durable leaves `unsynced`, which is replaced and not changed meanwhile. */
  sync(): void {
    for (const change of this.unsynced) {
      if (change.requires === null || change.requires.isDurable) makeDurable(change);
      else change.wasSynced = true;
    }
  }
}

/** Writes one change to the disk; older changes of the same names that still wait are overtaken by it. */
export function makeDurable(change: NameChange): void {
  const { folder } = change;
  for (const [name, node] of change.sets) {
    if (node === null) folder.durableNames.delete(name);
    else folder.durableNames.set(name, node);
    for (const older of folder.unsynced) {
      if (older.sequence < change.sequence) older.sets = older.sets.filter(([olderName]) => olderName !== name);
    }
  }
  change.isDurable = true;
  folder.unsynced = folder.unsynced.filter((waiting) => waiting !== change);
  const follower = change.requiredBy;
  if (follower !== null && follower.wasSynced && !follower.isDurable) makeDurable(follower);
}
