// Finds the entries of a reference: a term, and what explains it. A passage is cut before one, and not inside of it, and
// when the query is for the term, it comes before those that only mention the term.
import type { Block } from "./block-cutter.ts";
import { indentOf } from "./plain-entries.ts";
import { termsOf } from "../words/terms.ts";

export const MAX_PASSAGE_LENGTH = 1_200;

/** A block, or an entry from its first block to `end`. `isOwn`: nothing is before it in its passage. */
interface Unit {
  block: Block;
  end: number;
  isOwn: boolean;
}

/** A name that is set apart at the start of a paragraph or item, before what says what it means: `**term**:`, "- `term` - ". */
const NAMED =
  /^(?:[-*+•]\s+|\d{1,3}[.)]\s+)?(?:(\*\*|__)([^*_\n]{1,80})\1|`([^`\n]{1,80})`)(?::|\s*(?:[:–—]|-)\s|:?\s*\n)|^(?:[-*+•]\s+)?(\*\*|__)([^*_\n]{1,80})[:.]\4\s/;
const NAMED_LINES = new RegExp(NAMED.source, "gm");
/** At the start of a passage: the lines above a definition or an indented line. */
const ABOVE_DEFINITION = /^((?:[^\n|]{1,120}\n){1,4}?)(?:: |[ \t]+\S)/;
/** A line of one to three names as programs have them, perhaps with arguments: "hard-stop-after <time>", "daemon". */
const KEYWORD =
  /^(?:(?=[^\n]*\p{L}[-._]\p{L}|[^\n]*[<[])[\p{Ll}_][\p{L}\p{N}_.-]*(?: [\p{Ll}_][\p{L}\p{N}_.-]*){0,2}(?:[ \t]+[<[({][^\n]*[>\])}])?|\p{Ll}[\p{L}\p{N}_]*)(?:[ \t]*:?[ \t]*\n|[ \t]+[-–—][ \t]|\t|[ \t]*$)/u;
const FIRST_CELL = /^\|([^|\n]{1,120})\|/;
/** Many rows say something else about what is in their first cell. */
const ROW_SHARE = 0.5;
/** Behind a name: its arguments, as in "bindkey [ -lv ]", "claim (of a lease)", `--depth=<n>`. */
const ARGUMENTS = /[[(<{=].*$/s;

/**
 * `isPlain`: the text has no marks, so a line at the margin with indented lines below begins an entry, as in references of
 * keywords.
 */
export function* unitsOf(text: string, blocks: Iterable<Block>, isPlain: boolean): Generator<Unit> {
  let open: Unit | null = null;
  for (const [block, next] of withNext(blocks)) {
    const isEntry = isPlain ? hangs(text, block, next) : beginsEntry(text, block);
    if (
      open !== null &&
      !isEntry &&
      isInside(text, block, isPlain) &&
      block.end - open.block.start <= MAX_PASSAGE_LENGTH
    ) {
      open.end = block.end;
      continue;
    }
    if (open !== null) yield open;
    open = null;
    const unit = { block, end: block.end, isOwn: block.kind === "term" || (isPlain && isEntry) };
    if (isEntry) open = unit;
    else yield unit;
  }
  if (open !== null) yield open;
}

function* withNext<T>(items: Iterable<T>): Generator<[T, T | null]> {
  let held: { item: T } | null = null;
  for (const item of items) {
    if (held !== null) yield [held.item, item];
    held = { item };
  }
  if (held !== null) yield [held.item, null];
}

const ENDS_ENTRY: ReadonlySet<Block["kind"]> = new Set(["heading", "table", "term", "markup", "data"]);

function isInside(text: string, block: Block, isPlain: boolean): boolean {
  return !ENDS_ENTRY.has(block.kind) && (!isPlain || indentOf(text, block.start) > 0);
}

/** True for the first block of an entry whose term is set apart. */
export function beginsEntry(text: string, block: Block): boolean {
  return block.kind === "term" || isNamed(text, block);
}

/** True for the first block of an entry of a reference of keywords, whose marks a reader of HTML has left out. */
export function beginsKeyword(text: string, { kind, start, end }: Block): boolean {
  return kind === "paragraph" && KEYWORD.test(text.slice(start, Math.min(end, start + 200)));
}

function isNamed(text: string, { kind, start, end }: Block): boolean {
  return (kind === "paragraph" || kind === "list_item") && NAMED.test(text.slice(start, Math.min(end, start + 200)));
}

/** True for a paragraph at the margin whose second line, or the block behind it, is indented. */
function hangs(text: string, { kind, start, end }: Block, next: Block | null): boolean {
  if (kind !== "paragraph" || indentOf(text, start) > 0) return false;
  const second = text.indexOf("\n", start) + 1;
  if (second > 0 && second < end) return /[ \t]/.test(text[second] ?? "");
  return next !== null && !ENDS_ENTRY.has(next.kind) && next.kind !== "list_item" && indentOf(text, next.start) > 0;
}

/**
 * What the terms are worth that name an entry of the text, the most of one name; 0 where none does. Each word of a name has to be
 * in the query. `least`: how many words of the question it has to be, since a longer question is about more than what a term means.
 */
export function worthOfEntries(text: string, worth: ReadonlyMap<string, number>, least: number): number {
  const worthOfName = (name: string): number => {
    const terms = new Set(termsOf(name.replace(ARGUMENTS, "")));
    const known = [...terms].flatMap((term) => worth.get(term) ?? []);
    const isMatch = known.length === terms.size && terms.size >= least;
    return isMatch ? known.reduce((sum, one) => sum + one, 0) : 0;
  };
  const named = [...text.matchAll(NAMED_LINES)].map(([, , bold, code, , stopped]) => bold ?? code ?? stopped ?? "");
  const names = [...named, ABOVE_DEFINITION.exec(text)?.[1] ?? ""].flatMap((name) => name.split(/[,;\n]/));
  const ofRow = ROW_SHARE * worthOfName(FIRST_CELL.exec(text)?.[1] ?? "");
  return Math.max(ofRow, ...names.map(worthOfName));
}
