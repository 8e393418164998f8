// Tells whether a folder lies on a network file system, where appends are not atomic.
import fs from "node:fs";

/** Magic numbers of statfs(2), from linux/magic.h and fs/smb/common. */
const NETWORK_TYPES = new Map<number, string>([
  [0x6969, "nfs"],
  [0x517b, "smb"],
  [0xff534d42, "cifs"],
  [0xfe534d42, "smb2"],
  [0x01021997, "9p"],
  [0x00c36400, "ceph"],
  [0x5346414f, "afs"],
  [0x73757245, "coda"],
]);

/** The name of the network file system that holds the path or its nearest parent that exists; undefined for a local one. */
export function networkFileSystemOf(path: string): string | undefined {
  for (let folder = path; folder !== ""; folder = folder.slice(0, folder.lastIndexOf("/"))) {
    try {
      return NETWORK_TYPES.get(fs.statfsSync(folder).type >>> 0);
    } catch {
      // Not there yet: ask its parent.
    }
  }
  return undefined;
}
