// Compares code that is shown as the lines of a source with the lines of its quotes.
import type { WrittenPage, WrittenStatement } from "./written-page.ts";

const LEFT_OUT = "…";
/** A line that says that something is left out, also as a comment. */
const SAYS_LEFT_OUT = /^[^\p{L}\p{N}]{0,6}(?:\.{3}|…)[^\p{L}\p{N}]{0,6}$/u;
const IS_FENCE = /^(?:`{3,}|~{3,})/u;
const PROMPT = /^[$#%>]\s+/u;
const IS_PROSE = /`|[.:;!?]$/u;
/** A line was made of another when it has words in the order of that one: this share of its own, and of the other's. */
const [LEAST_OWN, LEAST_OTHER] = [0.6, 0.4];
/** More lines, and more words of a line, are not compared. */
const [MAX_LINES, MAX_WORDS] = [300, 60];

type Quotes = ReadonlyMap<string, string>;

interface Place {
  quote: number;
  line: number;
}

/** The faults of code that shows lines of its quotes and changed ones. Code of its writer's own words is left to the verifier. */
export function lineFaults(statement: WrittenStatement, quotes: Quotes): string[] {
  if (!isShownAsSource(statement)) return [];
  const quoted = linesOfQuotes(statement, quotes);
  const lines = linesOf(statement.text);
  const places = lines.map((line) => placeOf(line, quoted));
  const holdsLines = lines.some((line, at) => places[at] !== null && wordsOf(line).length > 1);
  const isChanged = (line: string, at: number): boolean =>
    places[at] === null &&
    !SAYS_LEFT_OUT.test(line) &&
    (holdsLines || quoted.flat().some((one) => !IS_PROSE.test(one) && isMadeOf(line, one)));
  const ids = statement.citation_ids.join(", ");
  return lines
    .filter(isChanged)
    .slice(0, 3)
    .map(
      (line) =>
        `shows the line “${line.slice(0, 120)}”, which no line of ${ids} is: write it as it is there, or mark the code as your own, [from ${ids}]`,
    );
}

/** Puts a line with … where code leaves out lines of its quote. */
export function markLeftOut(page: WrittenPage, quotes: Quotes): void {
  for (const statement of page.statements.values()) {
    if (!isShownAsSource(statement)) continue;
    const quoted = linesOfQuotes(statement, quotes);
    let last: Place | null = null;
    const shown = statement.text.split("\n").flatMap((line) => {
      const bare = squeezed(line);
      if (bare === "") return [line];
      const place = placeOf(bare, quoted);
      const isBehind = place !== null && last !== null && place.quote === last.quote && place.line > last.line + 1;
      last = place;
      return isBehind ? [`${/^\s*/u.exec(line)?.[0] ?? ""}${LEFT_OUT}`, line] : [line];
    });
    statement.text = shown.join("\n");
    for (const block of page.blocks)
      if (block.kind === "code" && block.statement === statement.statement_id) block.text = statement.text;
  }
}

function isShownAsSource({ kind, place, from }: WrittenStatement): boolean {
  return kind === "cited" && place.kind === "code" && from.length === 0;
}

function linesOfQuotes({ citation_ids }: WrittenStatement, quotes: Quotes): string[][] {
  return citation_ids.map((id) => linesOf(quotes.get(id) ?? "").filter((line) => !IS_FENCE.test(line)));
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map(squeezed)
    .filter((line) => line !== "")
    .slice(0, MAX_LINES);
}

function squeezed(line: string): string {
  return line.replace(/\s+/gu, " ").trim();
}

function placeOf(line: string, quoted: readonly string[][]): Place | null {
  for (const [quote, lines] of quoted.entries()) {
    const at = lines.findIndex((one) => one === line || one.replace(PROMPT, "") === line.replace(PROMPT, ""));
    if (at !== -1) return { quote, line: at };
  }
  return null;
}

function isMadeOf(line: string, other: string): boolean {
  const [own, others] = [wordsOf(line), wordsOf(other)];
  const common = longestCommon(own, others);
  return common > 1 && common >= own.length * LEAST_OWN && common >= others.length * LEAST_OTHER;
}

function wordsOf(line: string): string[] {
  return line.split(" ", MAX_WORDS).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/** How many words both have in the same order. */
function longestCommon(one: readonly string[], other: readonly string[]): number {
  let row = [0, ...other.map(() => 0)];
  for (const word of one) {
    const next = [0];
    for (const [at, second] of other.entries())
      next.push(word === second ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}
