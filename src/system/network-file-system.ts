// Checks whether a folder is on a network file system, where appends are not atomic.
import { unlessThrown } from "../kernel/unless-thrown.ts";
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
  [0x0bd00bd0, "lustre"],
  [0x19830326, "beegfs"],
  [0x47504653, "gpfs"],
]);
/** For FUSE only the table of mounts says which program serves it. */
const FUSE = 0x65735546;
const MOUNTS = "/proc/self/mountinfo";

/** The name of the network file system that holds the path or its nearest parent that exists; undefined for a local one. */
export function networkFileSystemOf(path: string): string | undefined {
  for (let folder = path; folder !== ""; folder = folder.slice(0, folder.lastIndexOf("/"))) {
    const type = unlessThrown(() => fs.statfsSync(folder).type >>> 0, null);
    // The folder is not there yet.
    if (type === null) continue;
    return type === FUSE ? networkFuseAt(folder) : NETWORK_TYPES.get(type);
  }
  return undefined;
}

/** The folder, or null when it is on a network file system, where SQLite may damage a database. */
export function unlessOnNetwork(folder: string | null, networkOf = networkFileSystemOf): string | null {
  return folder === null || networkOf(folder) !== undefined ? null : folder;
}

// --- FUSE -----------------------------------------------------------------------------------------------------------

/** Programs that serve what is elsewhere: another host, a cloud, the host of a virtual machine. */
const NETWORK_PROGRAMS: ReadonlySet<string> = new Set(
  (
    "afpfs alluxio-fuse blobfuse blobfuse2 ceph-fuse cephfs curlftpfs cvmfs2 davfs davfs2 gcsfuse geesefs glusterfs goofys " +
    "google-drive-ocamlfuse grpcfuse gvfsd-fuse hdfs httpfs2 ifuse jmtpfs juicefs kio-fuse lizardfs mfs moosefs mount-s3 " +
    "mountpoint-s3 onedriver ossfs osxfs quobyte rclone s3fs s3ql seaweedfs smbnetfs sshfs virtiofs vmhgfs-fuse weed xtreemfs"
  ).split(" "),
);
/** These join local folders, and name them with colons, as others name a host. */
const LOCAL_PROGRAMS: ReadonlySet<string> = new Set(["fuse-overlayfs", "mergerfs", "unionfs", "unionfs-fuse"]);
/** `host:path`, `//host/share`, `https://host`. */
const REMOTE_SOURCE = /^(?:[^/]+:|\/\/)/;

/** The name when nothing says which program serves it. The files may be elsewhere, so it counts as a network file system. */
const UNKNOWN_PROGRAM = "fuse";

export function networkFuseAt(folder: string, readMounts = () => fs.readFileSync(MOUNTS, "utf8")): string | undefined {
  return unlessThrown(() => networkFuseOf(readMounts(), deviceOf(folder)), UNKNOWN_PROGRAM);
}

/**
 * The name of the network file system of a device ("0:52") in the text of /proc/self/mountinfo. The program decides if it is
 * known, otherwise the source that it mounts: a device, a folder or a bare name is local.
 */
export function networkFuseOf(mounts: string, device: string): string | undefined {
  for (const line of mounts.split("\n")) {
    const [place = "", served = ""] = line.split(" - ");
    if (place.split(" ")[2] !== device) continue;
    const [type = "", source = ""] = served.split(" ");
    const program = type.replace(/^fuse\./, "");
    if (LOCAL_PROGRAMS.has(program)) return undefined;
    return NETWORK_PROGRAMS.has(program) || NETWORK_PROGRAMS.has(source) || REMOTE_SOURCE.test(source)
      ? program
      : undefined;
  }
  return UNKNOWN_PROGRAM;
}

/** Major and minor number, as the table of mounts writes them. */
function deviceOf(folder: string): string {
  const { dev } = fs.statSync(folder, { bigint: true });
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn & 0xffffffffn);
  return `${major}:${minor}`;
}
