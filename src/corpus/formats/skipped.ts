// Lists the reasons why an entry of a corpus is left out, in the words that people see.
import path from "node:path";

const SKIP_REASONS = {
  hidden: "hidden: its name begins with a dot",
  ignored_by_default: "a folder of dependencies or build output",
  ignored_by_rule: "ignored by .gitignore",
  own_run: "a run of this tool",
  page_source: "the source of a page that is read",
  symbolic_link: "a symbolic link: links are never followed; give its target as another --corpus",
  not_regular: "not a regular file (device, pipe or socket)",
  oversized: "too large: over 8 MiB, or over 64 MiB as pdf, docx or epub; split it into parts",
  empty: "empty: it has no text",
  binary: "binary: it holds a NUL byte",
  compressed: "compressed: of such files only docx, epub and packed texts (.gz) are read",
  rtf: "RTF is not read: save it as .docx or .pdf",
  office_text: "a text of another office program is not read: save it as .docx or .pdf",
  presentation: "a presentation is not read: save it as .pdf",
  spreadsheet: "a spreadsheet is not read: save each sheet as .csv",
  mail: "a mail or web archive is not read: save it as .html, .pdf or .txt",
  postscript: "PostScript is not read: save it as .pdf",
  drawing: "a drawing is not read",
  minified: "minified: written by a program for programs",
  manual_source: "the source of a manual page under another name than `git.1`",
  not_utf8: "in another charset than UTF-8",
  name_not_utf8: "its name is not valid UTF-8",
  too_deep: "nested too deep",
  path_too_long: "its path is too long: over 1,500 characters",
  unreadable: "cannot be read",
  vanished: "vanished while it was read",
  changing: "kept changing while it was read",
  damaged: "damaged, or not what its name says",
  encrypted: "encrypted",
  scanned: "scanned: pages without text",
  unknown_characters: "its fonts do not say which characters they show",
  no_text: "it has no text",
  needs_script: "it has no text (needs JavaScript)",
  too_many_pages: "too long: over 5,000 pages",
  text_too_long: "too long: over 8 MiB of text; split it into parts",
  zip_bomb: "too large when it is unpacked",
  took_too_long: "took too long to read",
  too_much_memory: "took too much memory to read",
  reader_crashed: "the reader of documents crashed on it",
} as const;

export type SkipReason = keyof typeof SKIP_REASONS;

const EXPECTED: ReadonlySet<SkipReason> = new Set(["hidden", "ignored_by_rule", "own_run", "page_source", "empty"]);

/** True when a person may believe that the entry was read. */
export function isMissed(reason: SkipReason): boolean {
  return !EXPECTED.has(reason);
}

const DUE_TO_MACHINE: ReadonlySet<SkipReason> = new Set(["took_too_long", "too_much_memory", "reader_crashed"]);

/** True when the entry may be read once the machine has less to do. */
export function isWorthAnotherTry(reason: SkipReason): boolean {
  return DUE_TO_MACHINE.has(reason);
}

/** An entry that is left out. `path` is relative to the corpus root; a folder means everything below it. */
export interface Skipped {
  path: string;
  reason: SkipReason;
  /** The words of the system, such as the name of an errno. */
  detail?: string;
}

export function skipText(skipped: Skipped): string {
  const { detail } = skipped;
  return detail === undefined ? reasonText(skipped) : `${reasonText(skipped)} (${detail})`;
}

/** The reason without the words of the system: entries with one reason have one text. */
export function reasonText({ path: relativePath, reason }: Pick<Skipped, "path" | "reason">): string {
  const words = SKIP_REASONS[reason];
  // The folder was left out for its name alone, so the name is given.
  return reason === "ignored_by_default" ? `called ${path.posix.basename(relativePath)}: ${words}` : words;
}
