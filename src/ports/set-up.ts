// Facts about the set-up of this machine, for the check of `doctor`.

export interface FolderFacts {
  /** The path itself, or the nearest above it that is there. */
  nearest: string;
  exists: boolean;
  /** True when `nearest` is a folder. */
  isFolder: boolean;
  isWritable: boolean;
  /** The network file system it lies on. */
  network: string | null;
  /** Null when the file system does not say. */
  freeBytes: number | null;
}

export interface SetUp {
  /** The version of Bun that runs this, and the one that this program is tested with. */
  bun: { version: string; pinned: string; is: "older" | "pinned" | "newer" };
  folder(path: string): FolderFacts;
  /** The folder that this program is installed from; null for a compiled one. */
  home: string | null;
  /** The path of the program that this name starts, or null. */
  program(name: string): string | null;
  /** Names of the folders in a folder, sorted; none when it cannot be read. */
  foldersIn(path: string): string[];
}
