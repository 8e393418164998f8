// Puts the title of a document above its text, as the one heading of the first level.

const MAX_TITLE_LENGTH = 300;
const HEADING = /^(#{1,6}) (.*)$/;
const FENCE = /^`{3,}/;

/** The ends of first pages without text. The title is on the page where the text begins. */
const EMPTY_PAGES = /^(?:\f[\f\n]*)?/;

/**
 * The other headings move below the title, and a first heading that repeats it is dropped. Notes come last, under a heading of
 * the highest level, so that they belong to no section. Without any heading they get none. "" for a document of only a title:
 * it has no text.
 */
export function withTitle(title: string, { text, notes = "" }: { text: string; notes?: string }): string {
  if (!/\S/.test(text) && !/\S/.test(notes)) return "";
  const name = title.replace(/\s+/g, " ").trim().slice(0, MAX_TITLE_LENGTH);
  const pages = EMPTY_PAGES.exec(text)?.[0] ?? "";
  const lines = text.slice(pages.length).split("\n");
  if (name === "") return together(text, notesUnder(highestOf(levelsOf(lines)), notes));
  const first = HEADING.exec(lines[0] ?? "");
  const body = first !== null && isSameTitle(first[2] ?? "", name) ? lines.slice(1) : lines;
  return `${pages}# ${name}\n\n${together(
    below(body)
      .join("\n")
      .replace(/^[^\S\f]+/, ""),
    notesUnder(2, notes),
  )}`;
}

function together(text: string, notes: string): string {
  return text === "" || notes === "" ? text + notes : `${text}\n\n${notes}`;
}

function notesUnder(level: number | null, notes: string): string {
  return notes === "" || level === null ? notes : `${"#".repeat(level)} Footnotes\n\n${notes}`;
}

/** The level of each line; 0 for a line that is no heading. */
function levelsOf(lines: readonly string[]): number[] {
  let fence: string | null = null;
  return lines.map((line) => {
    const mark = FENCE.exec(line)?.[0];
    if (mark !== undefined && (fence === null || fence === line)) fence = fence === null ? mark : null;
    return fence === null && mark === undefined ? (HEADING.exec(line)?.[1]?.length ?? 0) : 0;
  });
}

/** Null without any heading. */
function highestOf(levels: readonly number[]): number | null {
  return levels.reduce<number | null>(
    (highest, level) => (level > 0 ? Math.min(highest ?? level, level) : highest),
    null,
  );
}

/** Moves the headings so that the highest has the second level. */
function below(lines: readonly string[]): string[] {
  const levels = levelsOf(lines);
  const shift = 2 - (highestOf(levels) ?? 2);
  return lines.map((line, at) => {
    const level = levels[at] ?? 0;
    return level === 0 ? line : "#".repeat(Math.min(6, level + shift)) + line.slice(level);
  });
}

/** The separator between the title of a page and the name of its site. */
const SITE_BEHIND = /\s[-–—|·•»]\s/;

/** "7.", "Chapter 7 -": only one of heading and title may have a number, or they differ in it. */
const NUMBERED = /^(?:\p{L}+\s+)?\d+(?:\.\d+)*\s*[.:)–—-]\s*(?=\p{L})/u;

/** True when the heading repeats the title, which may also have a number and the name of the site. */
export function isSameTitle(heading: string, title: string): boolean {
  const [named, called] = [heading, title].map((text) => lettersOf(text.trim().replace(NUMBERED, "")));
  if (named !== "" && named === called) return true;
  const [short, long] = [lettersOf(heading), lettersOf(title)];
  if (short === "" || !long.startsWith(short)) return false;
  return short.length >= long.length / 3 || short === lettersOf(title.split(SITE_BEHIND)[0] ?? "");
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

const NO_TITLE =
  /^(untitled|unknown|document\d*|title|titel|slide \d+|microsoft \w+ - .*|.*\.(docx?|rtf|odt|tex|dvi|indd|qxd|pdf|pptx?))$/i;

/** The title in the properties of a document; "" for the names of files and the defaults that programs write there. */
export function titleOfMetadata(given: string): string {
  const title = given.replace(/[\s\u0000-\u001f]+/g, " ").trim();
  const letters = title.match(/\p{L}/gu)?.length ?? 0;
  return letters < 3 || letters < title.length / 3 || NO_TITLE.test(title) ? "" : title;
}
