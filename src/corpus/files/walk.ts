// Walks a corpus: lists each file that may be read, and each entry that is left out with the reason. Reads only .gitignore files.
import fs from "node:fs";
import path from "node:path";
import { RunError } from "../../kernel/errors.ts";
import { JOURNAL_FILE, LOCK_FILE, MANIFEST_FILE } from "../../run/log/layout.ts";
import { maxBytesOf } from "../formats/formats.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { Pacer } from "../../kernel/pacer.ts";
import { readCorpusFile, skippedBy, stampOf } from "./read-file.ts";
import type { Skipped, SkipReason } from "../formats/skipped.ts";
import { textOf } from "./text.ts";

const MAX_DEPTH = 64;
/** Longer paths do not fit into the origin of a source, which also has the name of the corpus. */
const MAX_PATH_LENGTH = 1_500;
const MAX_FILES = 500_000;

export interface WalkedFile {
  /** Relative to the root, with forward slashes. */
  path: string;
  stamp: string;
  bytes: number;
}

export interface Walk {
  files: WalkedFile[];
  skipped: Skipped[];
}

/** The place of a corpus, by real paths. */
export interface CorpusRoot {
  /** The paths of documents are relative to this folder. */
  folder: string;
  /** The name of the only document when the corpus is one file; null for a folder. */
  file: string | null;
}

interface Folder {
  /** "" for the root, else with a slash at the end. */
  path: string;
  depth: number;
  rules: IgnoreRules;
}

/** Both lists are sorted by path. Errors: `INVALID_ARGS` for more than 500,000 files. */
export async function walkCorpus({ folder: root, file }: CorpusRoot, signal: AbortSignal): Promise<Walk> {
  const walk: Walk = { files: [], skipped: [] };
  if (file !== null) {
    // The caller named this file, so no rule leaves it out.
    addFile(root, file, walk);
    return walk;
  }
  const pacer = new Pacer(signal);
  const open: Folder[] = [{ path: "", depth: 0, rules: new IgnoreRules() }];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = listFolder(root, folder.path, walk.skipped);
    // A run must not quote the report of an earlier one. The root itself may be a run, since the caller named it.
    if (folder.path !== "" && isRunRoot(entries)) {
      walk.skipped.push({ path: folder.path.slice(0, -1), reason: "own_run" });
      continue;
    }
    const rules = await rulesOf(root, folder, entries, pacer);
    for (const entry of entries) {
      await pacer.pause();
      const relativePath = folder.path + entry.name;
      const reason = judgeEntry(relativePath, entry, rules, folder.depth);
      if (reason !== null) walk.skipped.push({ path: relativePath, reason });
      else if (entry.isDirectory()) open.push({ path: `${relativePath}/`, depth: folder.depth + 1, rules });
      else addFile(root, relativePath, walk);
    }
    if (walk.files.length > MAX_FILES) {
      throw new RunError("INVALID_ARGS.too_many_files", {
        reason: "the corpus holds too many files",
        path: root,
        max_files: MAX_FILES,
      });
    }
  }
  const sources = pageSources(walk.files.map((one) => one.path));
  for (const source of sources) walk.skipped.push({ path: source, reason: "page_source" });
  return {
    files: walk.files.filter((one) => !sources.has(one.path)).sort(byPath),
    skipped: walk.skipped.sort(byPath),
  };
}

/** `guide/_sources/setup/disks.rst.txt` is the source of `guide/setup/disks.html`. */
const SOURCE = /^(?<root>.*\/)?_sources\/(?<name>.+?)(?:\.(?:rst|md|ipynb))?\.txt$/u;

/** The sources among the paths that Sphinx puts next to the pages it makes of them: each says what its page says, in markup. */
function pageSources(paths: readonly string[]): ReadonlySet<string> {
  const all = new Set(paths);
  return new Set(
    paths.filter((path) => {
      const { root = "", name } = SOURCE.exec(path)?.groups ?? {};
      return name !== undefined && (all.has(`${root}${name}.html`) || all.has(`${root}${name}/index.html`));
    }),
  );
}

function listFolder(root: string, folder: string, skipped: Skipped[]): fs.Dirent[] {
  try {
    return fs.readdirSync(path.join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (folder === "") throw error;
    skipped.push(skippedBy(folder.slice(0, -1), error));
    return [];
  }
}

function isRunRoot(entries: readonly fs.Dirent[]): boolean {
  const names = new Set(entries.map((entry) => entry.name));
  return names.has(JOURNAL_FILE) && (names.has(MANIFEST_FILE) || names.has(LOCK_FILE));
}

async function rulesOf(
  root: string,
  folder: Folder,
  entries: readonly fs.Dirent[],
  pacer: Pacer,
): Promise<IgnoreRules> {
  if (!entries.some((entry) => entry.name === ".gitignore" && entry.isFile())) return folder.rules;
  const file = await readCorpusFile(root, `${folder.path}.gitignore`, pacer);
  if (file.kind === "skipped") return folder.rules;
  const verdict = textOf(file.bytes);
  return verdict.kind === "text" ? folder.rules.with(folder.path, verdict.text) : folder.rules;
}

function judgeEntry(relativePath: string, entry: fs.Dirent, rules: IgnoreRules, depth: number): SkipReason | null {
  // A name that is not UTF-8 comes with replacement characters, and no file has the name with these.
  if (entry.name.includes("\uFFFD") || !entry.name.isWellFormed()) return "name_not_utf8";
  if (relativePath.length > MAX_PATH_LENGTH) return "path_too_long";
  const reason = rules.judge(relativePath, entry.name, entry.isDirectory());
  if (reason !== null) return reason;
  if (entry.isSymbolicLink()) return "symbolic_link";
  if (entry.isDirectory()) return depth >= MAX_DEPTH ? "too_deep" : null;
  return entry.isFile() ? null : "not_regular";
}

function addFile(root: string, relativePath: string, walk: Walk): void {
  try {
    const facts = fs.lstatSync(path.join(root, relativePath), { bigint: true });
    const reason = judgeFacts(facts, maxBytesOf(relativePath));
    if (reason !== null) walk.skipped.push({ path: relativePath, reason });
    else walk.files.push({ path: relativePath, stamp: stampOf(facts), bytes: Number(facts.size) });
  } catch (error) {
    walk.skipped.push(skippedBy(relativePath, error));
  }
}

function judgeFacts(facts: fs.BigIntStats, maxBytes: number): SkipReason | null {
  if (facts.isSymbolicLink()) return "symbolic_link";
  if (!facts.isFile()) return "not_regular";
  if (facts.size === 0n) return "empty";
  return facts.size > BigInt(maxBytes) ? "oversized" : null;
}

export function byPath(left: { path: string }, right: { path: string }): number {
  return left.path < right.path ? -1 : left.path > right.path ? 1 : 0;
}
