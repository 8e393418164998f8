// Lines of an excerpt as they are read: prose that was wrapped by its file is one line again, the text of a Markdown file
// has no signs for links and emphasis, and that of a program is code.
import { isDirective, OPTION, withoutDirectiveName } from "../kernel/directives.ts";
import { lineGroups } from "../kernel/line-groups.ts";
import { shownLine } from "../kernel/shown-text.ts";

/** Words that are all marked, or all not. */
export interface Run {
  text: string;
  isMarked: boolean;
}

/** Text that was taken out of these has a paragraph on one line. */
const EXTRACTED = /^https?:|\.(html?|xhtml|pdf|docx|epub)(\.gz)?$/i;
const MARKDOWN_FILE = /\.(md|markdown|mdx)(\.gz)?$/i;
const PROGRAM_FILE =
  /\.([cm]?[jt]s|[jt]sx|cc?|cfg|conf|cpp|cs|css|csv|go|h|hpp|ini|java|json|kt|lua|php|pl|py|rb|rs|scala|sh|sql|swift|toml|tsv|vue|xml|ya?ml)(\.gz)?$/i;
/** Code is left as it is; of a link its words are kept, and of what is bold or slanted. */
const MARKUP =
  /(`{1,20})[^`]+\1|!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\([^()\s]*(?:\s+"[^"]*")?\)|(?<![\p{L}\p{N}\])])!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\[[^[\]]*\]|(?<![\p{L}\p{N}*_\\])(\*\*|__|\*|_)(?=[^\s*_])(.{1,500}?)(?<=[^\s*_])\4(?![\p{L}\p{N}*_])/gu;

/** Two numbers in brackets are no link. */
const NAMES = /^[^\]]*\p{L}/u;

const REST_FILE = /\.rst(\.txt)?(\.gz)?$/i;
/** Roles, links and literals of reST, and what is bold or slanted: the words of each, without the target of a link. */
const REST_MARKUP =
  /(?:(?<![\p{L}\p{N}]):[a-z][\w:+.-]{0,40}:)?(?<![`\p{L}\p{N}])(`{1,2})(?=[^\s`])([^`]{1,500}?)(?:\s{0,3}<[^<>`]{0,500}>)?\1_{0,2}|(?<![\p{L}\p{N}*\\])(\*\*|\*)(?=[^\s*])([^*]{1,500}?)(?<=[^\s*])\3(?![\p{L}\p{N}*])/gu;
const REST_RULE = /^\s*([!-/:-@[-`{-~])\1{2,}\s*$/;

/** A line of a file that its programs read and people do not. */
export function isForPrograms(line: string, origin: string): boolean {
  return REST_FILE.test(origin) && (isDirective(line) || OPTION.test(line) || REST_RULE.test(line));
}

/** True where all text of an origin is code, or data that is laid out like code. */
export function isProgram(origin: string): boolean {
  return PROGRAM_FILE.test(origin);
}

export function withoutMarkup(text: string, origin: string): string {
  if (REST_FILE.test(origin)) return withoutRestMarkup(text);
  if (!MARKDOWN_FILE.test(origin)) return text;
  return text.replace(MARKUP, (...[all, _code, link, named, _sign, bold]: [string, ...(string | undefined)[]]) => {
    const words = link ?? named ?? bold;
    return words === undefined || (words === named && !NAMES.test(words)) ? all : withoutMarkup(words, origin);
  });
}

/** Literals become code. */
function withoutRestMarkup(text: string): string {
  // Two colons introduce what stands as it is written; one is shown.
  const words = withoutDirectiveName(text).replace(/::\s{0,3}$/, ":");
  return words.replace(REST_MARKUP, (_all, ticks?: string, quoted?: string, _sign?: string, bold?: string) =>
    ticks === "``" ? `\`${quoted ?? ""}\`` : (quoted ?? bold ?? ""),
  );
}

/** Before what a term means, as Markdown and texts that were taken out of documents write it. */
const DEFINES = /^\s*:\s+(?=\S)/;

/** Removes the colon in front of a definition, which stands below its term, further in. */
export function withoutDefinitionSign(line: readonly Run[], origin: string): Run[] {
  const [first, ...others] = line;
  if (first === undefined || !isMarkdown(origin) || !DEFINES.test(textOf(line))) return [...line];
  return [{ ...first, text: first.text.replace(/^\s*:\s*/, "  ") }, ...others];
}

const QUOTES = /^\s*(?:>\s?)+/;

/** A block quote is shown as its words: the whole excerpt is a quote. */
export function withoutQuoteSign(line: readonly Run[], origin: string): Run[] {
  const [first, ...others] = line;
  if (first === undefined || !isMarkdown(origin) || !QUOTES.test(first.text)) return [...line];
  const text = first.text.replace(QUOTES, "");
  return text === "" ? others : [{ ...first, text }, ...others];
}

/** Joins all lines to one; a term and its meaning stand side by side. */
export function onOneLine(text: string, origin: string): string {
  return shownLine(isMarkdown(origin) ? text.replace(/\s*\n\s*:\s+(?=\S)/g, ": ") : text);
}

function isMarkdown(origin: string): boolean {
  return MARKDOWN_FILE.test(origin) || EXTRACTED.test(origin);
}

/** Joins lines that are about as long as each other; others stay, as in code, lists, addresses and columns. */
export function unwrapped(lines: readonly Run[][], origin: string): Run[][] {
  if (EXTRACTED.test(origin)) return [...lines];
  return lineGroups(lines.map(textOf)).flatMap(({ from, to, isWrapped }) => {
    const own = lines.slice(from, to);
    return isWrapped ? [joined(own)] : own;
  });
}

/** The blank that takes the place of a line end is marked where both its neighbours are. */
function joined(lines: readonly Run[][]): Run[] {
  const runs = lines.flatMap((line, at) => {
    if (at === 0) return line;
    const own = trimmedStart(line);
    const isMarked = lines[at - 1]?.at(-1)?.isMarked === true && own[0]?.isMarked === true;
    return [{ text: " ", isMarked }, ...own];
  });
  return merged(runs);
}

function trimmedStart([first, ...others]: readonly Run[]): Run[] {
  if (first === undefined) return [];
  const text = first.text.trimStart();
  return text === "" ? trimmedStart(others) : [{ ...first, text }, ...others];
}

/** Neighbours that are both marked, or both not, are one. */
function merged(runs: readonly Run[]): Run[] {
  const distinct: Run[] = [];
  for (const run of runs) {
    const last = distinct.at(-1);
    if (last?.isMarked === run.isMarked) distinct[distinct.length - 1] = { ...run, text: last.text + run.text };
    else distinct.push(run);
  }
  return distinct;
}

function textOf(line: readonly Run[]): string {
  return line.map(({ text }) => text).join("");
}
