// Words for a disk that refuses: which file or folder failed and why, and what a person does.

import type { DiskFacts } from "../kernel/errors.ts";

/** Words for the error of the operating system. */
const ERRNO_WORDS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "this user has no room left on the disk",
  EROFS: "the file system is read-only",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EIO: "the disk failed",
  ENOENT: "its folder is not there",
  ENOTDIR: "a part of its path is no folder",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EFBIG: "a file may not grow that large here",
};

/** Says which file or folder failed and why; null where the facts do not say both. */
export function diskSentence(
  { output, path, run_root, errno }: DiskFacts & { run_root?: string | undefined },
  done: "written" | "read",
): string | null {
  const place = output ?? path ?? run_root;
  const words = errno === undefined ? undefined : ERRNO_WORDS[errno];
  return place === undefined || words === undefined ? null : `${place} could not be ${done}: ${words}`;
}

/** Commands that may put what they write elsewhere. */
const MAKES_RUNS: ReadonlySet<string> = new Set(["start", "init", "fork", "ask"]);

/** What to do where a command could not write. */
export function writeHint({ errno, output, taken, command }: DiskFacts & { command?: string | undefined }): string {
  const mayMove = command === undefined || MAKES_RUNS.has(command);
  const elsewhere =
    output !== undefined ? ", or name another --output" : mayMove ? ", or choose another --runs-root" : "";
  if (taken !== undefined) return "the disk is probably full: make room, then repeat; what was acknowledged is kept";
  switch (errno) {
    case "ENOSPC":
    case "EDQUOT":
      return `make room on the disk${elsewhere}, then repeat the command; what was acknowledged is kept`;
    case "EACCES":
    case "EPERM":
      return `allow this user to write there${elsewhere}; then repeat`;
    case "EROFS":
      return `mount it so that it can be written${elsewhere}; then repeat`;
    case "ENOENT":
    case "ENOTDIR":
      return output === undefined
        ? "choose another --runs-root, in a folder that is there; then repeat"
        : "make the folder first, or name a file in one that is there";
    case "EMFILE":
    case "ENFILE":
      return "raise the limit of open files (ulimit -n), then repeat";
    case "EPIPE":
      return "the reader of the output went away; what was stored is kept";
    default:
      return "see that the disk is well, then repeat the command; what was acknowledged is kept";
  }
}

export function readHint({ errno }: DiskFacts): string {
  switch (errno) {
    case "EACCES":
    case "EPERM":
      return "allow this user to read it, then repeat the command";
    case "ENOTDIR":
    case "ENAMETOOLONG":
      return "name a folder: --runs-root DIR";
    case "EMFILE":
    case "ENFILE":
      return "raise the limit of open files (ulimit -n), then repeat";
    default:
      return "see that the disk is well, then repeat the command";
  }
}
