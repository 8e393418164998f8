// Reads the set-up of this machine from the operating system.
import { unlessThrown } from "../kernel/unless-thrown.ts";
import fs from "node:fs";
import path from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import type { FolderFacts, SetUp } from "../ports/set-up.ts";
import { networkFileSystemOf } from "./network-file-system.ts";

const PINNED = packageJson.packageManager.replace("bun@", "");
const ORDER = { [-1]: "older", 0: "pinned", 1: "newer" } as const;

export const realSetUp: SetUp = {
  bun: { version: Bun.version, pinned: PINNED, is: ORDER[Bun.semver.order(Bun.version, PINNED)] },
  folder(wanted): FolderFacts {
    const nearest = nearestOf(wanted);
    return {
      nearest,
      exists: nearest === wanted,
      isFolder: fs.statSync(nearest, { throwIfNoEntry: false })?.isDirectory() ?? false,
      isWritable: isWritable(nearest),
      network: networkFileSystemOf(wanted) ?? null,
      freeBytes: freeBytesAt(nearest),
    };
  },
  home: import.meta.dir.startsWith("/$bunfs") ? null : path.resolve(import.meta.dir, "../.."),
  program: (name) => Bun.which(name),
  foldersIn(folder) {
    const entries = unlessThrown(() => fs.readdirSync(folder, { withFileTypes: true }), []);
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
  },
};

function nearestOf(wanted: string): string {
  for (let folder = wanted; ; folder = path.dirname(folder)) {
    if (fs.existsSync(folder) || folder === path.dirname(folder)) return folder;
  }
}

function isWritable(folder: string): boolean {
  return unlessThrown(() => {
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
    return true;
  }, false);
}

function freeBytesAt(folder: string): number | null {
  const facts = unlessThrown(() => fs.statfsSync(folder), null);
  return facts === null ? null : facts.bavail * facts.bsize;
}
