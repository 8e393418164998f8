// What failed on a disk, in words: which file or folder, why, and what helps.
import type { ErrorFacts } from "../kernel/errors.ts";

/** What the operating system says, in words. */
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

/** Which file or folder, and why; null where the facts do not say both. */
export function diskSentence(facts: ErrorFacts, done: "written" | "read"): string | null {
  const { output, path, run_root, errno } = facts;
  const place = [output, path, run_root].find((one) => typeof one === "string");
  const words = typeof errno === "string" ? ERRNO_WORDS[errno] : undefined;
  return place === undefined || words === undefined ? null : `${place} could not be ${done}: ${words}`;
}

/** Commands that may put what they write elsewhere. */
const MAKES_RUNS: ReadonlySet<unknown> = new Set(["start", "init", "fork"]);

export function writeHint(facts: ErrorFacts): string {
  const elsewhere =
    facts["output"] !== undefined
      ? ", or name another --output"
      : facts["command"] === undefined || MAKES_RUNS.has(facts["command"])
        ? ", or choose another --runs-root"
        : "";
  if (facts["taken"] !== undefined)
    return "the disk is probably full: make room, then repeat; what was acknowledged is kept";
  switch (facts["errno"]) {
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
      return facts["output"] === undefined
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

export function readHint(facts: ErrorFacts): string {
  const isForbidden = facts["errno"] === "EACCES" || facts["errno"] === "EPERM";
  if (isForbidden) return "allow this user to read it, then repeat the command";
  if (facts["errno"] === "ENOTDIR" || facts["errno"] === "ENAMETOOLONG") return "name a folder: --runs-root DIR";
  return facts["errno"] === "EMFILE" || facts["errno"] === "ENFILE"
    ? "raise the limit of open files (ulimit -n), then repeat"
    : "see that the disk is well, then repeat the command";
}
