// Finds the faults of form of a written page, all at once, and says what to do about each.
import { valueOf } from "../../../run/report/arithmetic.ts";
import {
  countsOf,
  showsResult,
  strangeLiterals,
  uncitedNumbers,
  withPlainNumbers,
} from "../../../run/report/claim-numbers.ts";
import { isPlaceholder, strangeAddresses } from "../../../run/report/shown-addresses.ts";
import { STATEMENTS_FOR_EACH } from "../../../run/report/suggestion-faults.ts";
import { shortened } from "../../../kernel/shortened.ts";
import { lineFaults, markLeftOut } from "./source-lines.ts";
import type { WrittenLabel, WrittenPage, WrittenStatement } from "./written-page.ts";

export interface Fault {
  /** The id of a statement or a label, or `page` for the page as a whole. */
  id: string;
  text: string;
}

/** What a page may name: words by id. */
export interface Named {
  question: string;
  /** The words of each quote. */
  citations: ReadonlyMap<string, string>;
  /** The words of each quote below its title and headings, in which numbers may stand, too. */
  underHeadings: ReadonlyMap<string, string>;
  /** What was looked for and not found. */
  gaps: ReadonlyMap<string, string>;
  /** Where the sources come from. */
  origins: readonly string[];
}

export const WHOLE_PAGE = "page";
/** The most statements of one writer. A page of sections by several writers may have more. */
const MAX_STATEMENTS = 1_000;
/** The limits of the format of reports. */
const MAX_FROM = 50;
const MAX_TEXT = 20_000;
const MAX_SHOWN = 160;
/** Shorter sentences may stand twice: "No." */
const LEAST_SAID = 20;

export function faultsOf(page: WrittenPage, named: Named): Fault[] {
  const statements = [...page.statements.values()];
  if (statements.length === 0) return [{ id: WHOLE_PAGE, text: "holds nothing: write the report" }];
  const { before = { statements: 0, blocks: 0 } } = page;
  const own = statements.length - before.statements;
  if (own > MAX_STATEMENTS || page.blocks.length - before.blocks > MAX_STATEMENTS)
    return [{ id: WHOLE_PAGE, text: `holds ${own} sentences, at most ${MAX_STATEMENTS}: write less` }];
  if (!statements.some(({ citation_ids }) => citation_ids.some((id) => named.citations.has(id))))
    return [{ id: WHOLE_PAGE, text: `names no quote anywhere: put a mark such as [c1] behind each sentence` }];
  const counts = countsOf(page.blocks);
  return [
    ...saidTwice(page),
    ...tooManyOurs(statements),
    ...statements.flatMap((statement) =>
      faultsOfStatement(statement, page, named, counts).map((text) => ({ id: statement.statement_id, text })),
    ),
    ...page.labels.flatMap((label) =>
      faultsOfLabel(label, page, named, counts).map((text) => ({ id: label.label_id, text })),
    ),
  ];
}

/** The sentences that say word for word what one before them says, unless something follows from them. */
function saidTwice({ statements }: WrittenPage): Fault[] {
  const grounds = new Set([...statements.values()].flatMap(({ from }) => from));
  const first = new Map<string, string>();
  return [...statements.values()].flatMap(({ statement_id, kind, place, text }) => {
    const words = squeezed(text).replace(/[.!?。！？ ]{1,3}$/u, "");
    if (kind === "excerpt" || place.kind !== "sentence" || words.length < LEAST_SAID) return [];
    const before = first.get(words);
    if (before === undefined) first.set(words, statement_id);
    return before === undefined || grounds.has(statement_id)
      ? []
      : [{ id: statement_id, text: `says word for word what ${before} says: leave one of them out` }];
  });
}

function tooManyOurs(statements: readonly WrittenStatement[]): Fault[] {
  const ours = statements.filter(({ kind }) => kind === "suggested");
  const most = Math.floor(statements.length / STATEMENTS_FOR_EACH);
  return ours.slice(most).map(({ statement_id }) => ({
    id: statement_id,
    text: `is suggestion ${most + 1} of a page whose ${statements.length} statements may hold ${most}: cite it, derive it or drop it`,
  }));
}

/** The texts of all that a statement names. */
export function textsNamedBy(
  { citation_ids, from, gap_ids = [] }: Pick<WrittenStatement, "citation_ids" | "from"> & { gap_ids?: string[] },
  page: WrittenPage,
  named: Named,
): string[] {
  return [
    ...citation_ids.flatMap((id) => (named.citations.has(id) ? (named.underHeadings.get(id) ?? []) : [])),
    ...from.flatMap((id) => page.statements.get(id)?.text ?? []),
    ...gap_ids.flatMap((id) => named.gaps.get(id) ?? []),
  ];
}

/** Removes the separators from the numbers of expressions, so that a reader can compute them again, and marks what code leaves out. */
export function readyToJudge(page: WrittenPage, named: Named): void {
  for (const statement of page.statements.values())
    if (statement.expression !== undefined)
      statement.expression = withPlainNumbers(statement.expression, [
        ...textsNamedBy(statement, page, named),
        named.question,
      ]);
  markLeftOut(page, named.citations);
}

function faultsOfStatement(
  statement: WrittenStatement,
  page: WrittenPage,
  named: Named,
  counts: readonly number[],
): string[] {
  const { kind, text, place, links = [] } = statement;
  if (kind === "unmarked" && place.kind === "cell")
    return [`is a cell without a mark (row “${place.row}”, column “${place.column}”): cite or derive it, or write –`];
  const faults = strangeIds(statement, page, named);
  if (text.length > MAX_TEXT) faults.push(`is ${text.length} characters long, at most ${MAX_TEXT}: show less`);
  if (statement.from.length > MAX_FROM)
    faults.push(`follows from ${statement.from.length} statements, at most ${MAX_FROM}: name those that matter`);
  if (kind === "excerpt") {
    const quote = named.citations.get(statement.citation_ids[0] ?? "") ?? "";
    if (faults.length === 0 && !squeezed(quote).includes(squeezed(text)))
      faults.push(`shows words that are not in ${statement.citation_ids[0]}: write the mark alone, > [c1]`);
    return faults;
  }
  const namesNothing = statement.citation_ids.length + statement.from.length === 0 && faults.length === 0;
  if (kind === "derived" && namesNothing)
    faults.push("follows from nothing: name what it follows from, as in [from c1, c2]");
  if (kind === "suggested" && namesNothing)
    faults.push("comes from nothing: name what it comes from, as in [ours; from c1]");
  const ours = statement.from.find((id) => page.statements.get(id)?.kind === "suggested");
  if (kind === "derived" && ours !== undefined)
    faults.push(`follows from ${ours}, which is a suggestion: mark it [ours; from …], too, or name what was found`);
  if (statement.against !== undefined && statement.citation_ids.every((id) => statement.against?.includes(id)))
    faults.push("names the same quotes on both sides, as in [c1 against c2]");
  return [
    ...faults,
    // The value that we suggest is ours.
    ...(kind === "suggested" ? [] : numberFaults(statement, page, named, counts)),
    ...lineFaults(statement, named.citations),
    ...addressFaults([text, ...links].join(" "), textsNamedBy(statement, page, named), named, kind === "suggested"),
  ];
}

function strangeIds(
  { citation_ids, from, gap_ids, unlinked = [] }: WrittenStatement,
  page: WrittenPage,
  named: Named,
): string[] {
  const strange = (ids: readonly string[], known: (id: string) => boolean, what: string): string[] =>
    ids.filter((id) => !known(id)).map((id) => `names ${id}, which is no ${what}`);
  // A quote that its paragraph ends with.
  const hasNoNext = (id: string): boolean =>
    id.endsWith("+") && !named.citations.has(id) && named.citations.has(id.slice(0, -1));
  return [
    ...citation_ids
      .filter(hasNoNext)
      .map((id) => `names ${id}, and no sentence follows ${id.slice(0, -1)} in its paragraph: name ${id.slice(0, -1)}`),
    ...strange(
      citation_ids.filter((id) => !hasNoNext(id)),
      (id) => named.citations.has(id),
      `quote that you were given (${span([...named.citations.keys()].filter((id) => !id.endsWith("+")))})`,
    ),
    ...strange(
      [...from.filter((id) => !page.statements.has(id)), ...unlinked],
      () => false,
      "statement that you were shown: name citations",
    ),
    ...strange(gap_ids, (id) => named.gaps.has(id), `gap that was noted (${span([...named.gaps.keys()])})`),
  ];
}

function numberFaults(
  statement: WrittenStatement,
  page: WrittenPage,
  named: Named,
  counts: readonly number[],
): string[] {
  const { expression, kind, text } = statement;
  const faults: string[] = [];
  const texts = textsNamedBy(statement, page, named);
  if (expression !== undefined) {
    const value = valueOf(expression);
    const strange = strangeLiterals(expression, [...texts, named.question]);
    if (value === null) faults.push(`computes ${expression}, which is no expression of numbers, + - * / and brackets`);
    else if (strange.length > 0)
      faults.push(`computes with ${strange.join(", ")}, which is in nothing that it names, nor in the question`);
    else if (uncitedNumbers(text, []).length > 0 && !showsResult(text, expression) && !/\p{L}/u.test(text))
      faults.push(`shows another number than ${expression} = ${rounded(value)}`);
  }
  const quotes = texts.map((quote) => ({ text: quote }));
  const other = { question: named.question, counts, ...(expression === undefined ? {} : { expression }) };
  const uncited = uncitedNumbers(text, quotes, other);
  if (uncited.length === 0) return faults;
  const which = `asserts ${listed(uncited)}, which ${uncited.length === 1 ? "stands" : "stand"}`;
  const ids = [...statement.citation_ids, ...statement.from, ...statement.gap_ids];
  const computed = expression === undefined ? null : valueOf(expression);
  if (kind === "unmarked") faults.push(`${which} in no quote that it names: cite, derive or drop it`);
  else if (computed !== null)
    faults.push(`${which} neither in what it names nor for ${expression} = ${rounded(computed)}`);
  else faults.push(`${which} neither in ${ids.join(", ")} nor in the question`);
  return faults;
}

/** `isAdvice`: placeholders such as `registry.example.com` are no fault. */
function addressFaults(
  text: string,
  behind: readonly string[],
  { origins, question }: Named,
  isAdvice = false,
): string[] {
  const found = strangeAddresses(text, [...behind, ...origins, question]);
  const strange = isAdvice ? found.filter((one) => !isPlaceholder(one)) : found;
  if (strange.length === 0) return [];
  const where = "in no quote that it names, in no address of a source and not in the question";
  return [`names ${listed(strange)}, which ${strange.length === 1 ? "stands" : "stand"} ${where}: drop it`];
}

function faultsOfLabel(
  { text, below }: WrittenLabel,
  page: WrittenPage,
  named: Named,
  counts: readonly number[],
): string[] {
  const texts = below.flatMap((id) => {
    const statement = page.statements.get(id);
    if (statement === undefined) return [];
    const { expression = "" } = statement;
    const own = statement.kind === "suggested" ? [] : [statement.text, expression];
    return [...own, ...textsNamedBy(statement, page, named)];
  });
  const uncited = uncitedNumbers(
    text.replace(/^\s*\d+[.)]\s/u, ""),
    texts.map((one) => ({ text: one })),
    { question: named.question, counts },
  );
  return [
    ...(uncited.length === 0 ? [] : [`asserts ${listed(uncited)}, which stands nowhere below it`]),
    ...addressFaults(text, texts, named),
  ];
}

/** `least`: the share of the quotes that has to be used, 0 to 1. */
export function tooFewUsed(
  { ids, least }: { ids: readonly string[]; least: number },
  used: ReadonlySet<string>,
): Fault[] {
  const own = ids.filter((id) => used.has(id)).length;
  if (ids.length === 0 || own / ids.length >= least) return [];
  const text = `uses ${own} of ${ids.length} quotes, at least ${Math.round(least * 100)} % have to be`;
  return [{ id: WHOLE_PAGE, text }];
}

/** The faults with the words that each is about, as data for a model, since reasons of a verifier may repeat a document. */
export function withWords(
  faults: readonly Fault[],
  page: WrittenPage,
): { statement_id: string; text?: string; reason: string }[] {
  return faults.map(({ id, text: reason }) => {
    const words = page.statements.get(id)?.text ?? page.labels.find(({ label_id }) => label_id === id)?.text;
    return { statement_id: id, ...(words === undefined ? {} : { text: shortened(words, MAX_SHOWN) }), reason };
  });
}

function span(ids: readonly string[]): string {
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined) return "there is none";
  if (first === last) return `there is ${first} alone`;
  const isRow = Number(last?.slice(1)) - Number(first.slice(1)) === ids.length - 1;
  return isRow ? `${first} to ${last}` : ids.join(", ");
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function squeezed(text: string): string {
  return text
    .replace(/[\s"'“”„«»‘’-]+/gu, " ")
    .trim()
    .toLowerCase();
}
