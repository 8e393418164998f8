// Makes the lines of an excerpt readable. Prose that its file wrapped is joined again, markup of Markdown and reST is removed,
// and the text of programs stays as it is.
import { isDirective, OPTION, withoutDirectiveName } from "../kernel/directives.ts";
import { lineGroups } from "../kernel/line-groups.ts";
import { shownLine } from "../kernel/shown-text.ts";

/** A piece of a line that is marked as a whole, or not at all. */
export interface Run {
  text: string;
  isMarked: boolean;
}

/** Origins whose text was extracted, with each paragraph on one line. */
const EXTRACTED = /^https?:|\.(html?|xhtml|pdf|docx|epub)(\.gz)?$/i;
const MARKDOWN_FILE = /\.(md|markdown|mdx)(\.gz)?$/i;
const PROGRAM_FILE =
  /\.([cm]?[jt]s|[jt]sx|cc?|cfg|conf|cpp|cs|css|csv|go|h|hpp|ini|java|json|kt|lua|php|pl|py|rb|rs|scala|sh|sql|swift|toml|tsv|vue|xml|ya?ml)(\.gz)?$/i;
/** Code, links, references and emphasis of Markdown. Code stays as it is, and of all others only the words stay. */
const MARKUP =
  /(`{1,20})[^`]+\1|!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\([^()\s]*(?:\s+"[^"]*")?\)|(?<![\p{L}\p{N}\])])!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\[[^[\]]*\]|(?<![\p{L}\p{N}*_\\])(\*\*|__|\*|_)(?=[^\s*_])(.{1,500}?)(?<=[^\s*_])\4(?![\p{L}\p{N}*_])/gu;

/** A reference needs a letter in its label: `[1][2]` is no link. */
const NAMES = /^[^\]]*\p{L}/u;

const REST_FILE = /\.rst(\.txt)?(\.gz)?$/i;
/** Roles, links, literals and emphasis of reST. Their words stay, without the target of a link. */
const REST_MARKUP =
  /(?:(?<![\p{L}\p{N}]):[a-z][\w:+.-]{0,40}:)?(?<![`\p{L}\p{N}])(`{1,2})(?=[^\s`])([^`]{1,500}?)(?:\s{0,3}<[^<>`]{0,500}>)?\1_{0,2}|(?<![\p{L}\p{N}*\\])(\*\*|\*)(?=[^\s*])([^*]{1,500}?)(?<=[^\s*])\3(?![\p{L}\p{N}*])/gu;
const REST_RULE = /^\s*([!-/:-@[-`{-~])\1{2,}\s*$/;

/** True for directives, options and rules of reST, which people do not read. */
export function isForPrograms(line: string, origin: string): boolean {
  return REST_FILE.test(origin) && (isDirective(line) || OPTION.test(line) || REST_RULE.test(line));
}

/** True when all text of an origin is code, or data in lines. */
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

/** Literals become code spans. */
function withoutRestMarkup(text: string): string {
  // Two colons announce a literal block. One of them is shown.
  const words = withoutDirectiveName(text).replace(/::\s{0,3}$/, ":");
  return words.replace(REST_MARKUP, (_all, ticks?: string, quoted?: string, _sign?: string, bold?: string) =>
    ticks === "``" ? `\`${quoted ?? ""}\`` : (quoted ?? bold ?? ""),
  );
}

/** The colon before a definition, in Markdown and in extracted text. */
const DEFINES = /^\s*:\s+(?=\S)/;

/** Replaces the colon in front of a definition by an indent below its term. */
export function withoutDefinitionSign(line: readonly Run[], origin: string): Run[] {
  const [first, ...others] = line;
  if (first === undefined || !isMarkdown(origin) || !DEFINES.test(textOf(line))) return [...line];
  return [{ ...first, text: first.text.replace(/^\s*:\s*/, "  ") }, ...others];
}

const ITEM_SIGN = /^(?:[-*+•–]|\d{1,9}[.)])\s+/u;

/** The sign of an item is none of its marked words. */
export function withPlainSign(line: readonly Run[]): Run[] {
  const at = line.findIndex(({ text }) => text.trim() !== "");
  const first = line[at];
  const [sign] = first?.isMarked === true ? (ITEM_SIGN.exec(first.text) ?? []) : [];
  if (first === undefined || sign === undefined) return [...line];
  const words = { ...first, text: first.text.slice(sign.length) };
  return [...line.slice(0, at), { text: sign, isMarked: false }, words, ...line.slice(at + 1)];
}

const QUOTES = /^\s*(?:>\s?)+/;

/** Removes the sign of a block quote, since the whole excerpt is shown as a quote. */
export function withoutQuoteSign(line: readonly Run[], origin: string): Run[] {
  const [first, ...others] = line;
  if (first === undefined || !isMarkdown(origin) || !QUOTES.test(first.text)) return [...line];
  const text = first.text.replace(QUOTES, "");
  return text === "" ? others : [{ ...first, text }, ...others];
}

/** White space in front of the colon of a definition. It begins behind a word, so that each blank is visited once. */
const BEFORE_DEFINITION = /(?<!\s)(\s+):(?=\s+\S)/g;

/** Joins all lines to one. A definition follows its term after a colon. */
export function onOneLine(text: string, origin: string): string {
  if (!isMarkdown(origin)) return shownLine(text);
  return shownLine(text.replace(BEFORE_DEFINITION, (all, gap: string) => (gap.includes("\n") ? ":" : all)));
}

function isMarkdown(origin: string): boolean {
  return MARKDOWN_FILE.test(origin) || EXTRACTED.test(origin);
}

/** Joins lines that were wrapped at one width. Others stay, as in code, lists, addresses and columns. */
export function unwrapped(lines: readonly Run[][], origin: string): Run[][] {
  if (EXTRACTED.test(origin)) return [...lines];
  return lineGroups(lines.map(textOf)).flatMap(({ from, to, isWrapped }) => {
    const own = lines.slice(from, to);
    return isWrapped ? [joined(own)] : own;
  });
}

/** A line end becomes a blank. It is marked when the words on both sides are marked. */
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

/** Joins neighbours that are both marked, or both not. */
function merged(runs: readonly Run[]): Run[] {
  const distinct: Run[] = [];
  for (const run of runs) {
    const last = distinct.at(-1);
    if (last?.isMarked === run.isMarked) distinct[distinct.length - 1] = { ...run, text: last.text + run.text };
    else distinct.push(run);
  }
  return distinct;
}

export function textOf(line: readonly Run[]): string {
  return line.map(({ text }) => text).join("");
}
