// Changes single statements, labels and sections of a written page, and adds some. All others stay as they are.
import { shortened } from "../../../kernel/shortened.ts";
import { blocksWith, blockWith } from "../../../run/report/changed-blocks.ts";
import { withoutEmptyHeadings } from "../../../run/report/contradicted-apart.ts";
import type { Block } from "../../../run/report/report.ts";
import { idsIn } from "../../../run/report/statements.ts";
import type { Directive } from "../../../run/report/research.ts";
import { MAX_LABEL_LENGTH } from "./page-reader.ts";
import { inserted, type Insertion } from "./insertion.ts";
import { readCode, readPage } from "./read-page.ts";
import {
  cellText,
  labelsOf,
  linkStatements,
  nextId,
  placeCells,
  TITLE_ID,
  type Titles,
  type WrittenLabel,
  type WrittenPage,
  type WrittenStatement,
} from "./written-page.ts";

export type Change = Rewriting | Insertion;

interface Rewriting {
  /** The id of a statement or a label. */
  statement_id: string;
  /** Markdown with marks. Empty text leaves it out. For a heading, several lines are its whole section. */
  text: string;
}

export function isInsertion(change: Change): change is Insertion {
  return "after" in change;
}

/** The ids of all that a change replaces, or that it adds something to. */
export function idsChangedBy(change: Change, page: WrittenPage): string[] {
  if (isInsertion(change)) return [change.after];
  const label = sectionOf(change, page);
  return label === null ? [change.statement_id] : [change.statement_id, ...label.below];
}

/** The heading whose section is written again. Null for a change of one statement or label. */
function sectionOf({ statement_id, text }: Rewriting, { labels }: WrittenPage): WrittenLabel | null {
  const label = labels.find(({ label_id }) => label_id === statement_id);
  return label?.of === "heading" && text.trim().includes("\n") ? label : null;
}

/** The page with the changes. `unknown`: ids that the page does not have. When one sentence becomes several, they get new ids. */
export function revised(
  before: WrittenPage,
  changes: readonly Change[],
  titles: Titles,
): { page: WrittenPage; unknown: string[] } {
  const shown = before.statements;
  let page = before;
  const placeOf = ({ statement_id }: Rewriting): number =>
    before.labels.findIndex(({ label_id }) => label_id === statement_id);
  const rewritings = changes.filter((change): change is Rewriting => !isInsertion(change));
  // From the last label to the first, so that the numbers of the others stay.
  const ofLabels = rewritings.filter((change) => placeOf(change) !== -1);
  for (const change of ofLabels.toSorted((a, b) => placeOf(b) - placeOf(a)))
    page = sectionOf(change, before) === null ? withLabel(page, change) : withSection(page, change, titles);
  const ofSentences = rewritings.filter((change) => !ofLabels.includes(change));
  const rewritten = withSentences(page, ofSentences, titles, shown);
  const unknown = [...rewritten.unknown];
  ({ page } = rewritten);
  // The last first, so that several behind one statement stay in their order.
  for (const change of changes.filter(isInsertion).toReversed()) {
    const longer = inserted(page, change, titles, shown);
    if (longer === null) unknown.push(change.after);
    else page = longer;
  }
  return { page, unknown };
}

/** The page with other words for one label, or without it. Its labels are not read anew. */
function withLabel(page: WrittenPage, { statement_id, text }: Rewriting): WrittenPage {
  const words = plainLabel(text);
  const isTitle = statement_id === TITLE_ID;
  const title = isTitle ? words || undefined : page.title;
  let number = 0;
  const label = (old: string): string => (`h${++number}` === statement_id ? words : old);
  const blocks = isTitle ? page.blocks : blocksWith(page.blocks, { ids: (id) => [id], label });
  return { ...page, title, blocks };
}

/**
 * The page with one section written again, under the same heading or another one. A statement in the same words keeps its id, so
 * that what follows from it still does. Its labels are not read anew.
 */
function withSection(page: WrittenPage, { statement_id, text }: Rewriting, titles: Titles): WrittenPage {
  const headings = labelsOf(page.blocks, page.title).filter(({ of }) => of === "heading");
  const nth = headings.findIndex(({ label_id }) => label_id === statement_id);
  const at = page.blocks.flatMap((block, index) => (block.kind === "heading" ? [index] : []))[nth];
  const heading = at === undefined ? undefined : page.blocks[at];
  if (at === undefined || heading?.kind !== "heading") return page;
  const behind = page.blocks.findIndex(
    (block, index) => index > at && block.kind === "heading" && block.level <= heading.level,
  );
  const end = behind === -1 ? page.blocks.length : behind;
  const gone = new Set(page.blocks.slice(at, end).flatMap(idsIn));
  const read = withOldIds(readPage(text, titles, { firstId: nextId(page), section: heading.text }), page, gone);
  const kept = [...page.statements].flatMap(([id, one]) => (gone.has(id) ? [] : [[id, { ...one }] as const]));
  const statements = new Map([...kept, ...read.statements]);
  linkStatements(statements.values(), statements, page.statements);
  const deeper = heading.level - 2;
  const own = read.blocks.map((block, index) =>
    block.kind !== "heading"
      ? block
      : index === 0
        ? { ...heading, text: block.text }
        : { ...block, level: Math.min(4, block.level + deeper) },
  );
  const blocks = withoutEmptyHeadings([...page.blocks.slice(0, at), ...own, ...page.blocks.slice(end)]);
  const taken = [...page.taken, ...read.taken];
  return { ...page, blocks, statements, taken };
}

/** What was read, where each statement in the words of one that is gone has the id of that one. */
function withOldIds(read: WrittenPage, { statements }: WrittenPage, gone: ReadonlySet<string>): WrittenPage {
  const free = new Map([...gone].toReversed().map((id) => [keyOf(statements.get(id)), id]));
  const ids = new Map<string, string>();
  for (const [id, statement] of read.statements) {
    const old = free.get(keyOf(statement));
    if (old === undefined) continue;
    ids.set(id, old);
    free.delete(keyOf(statement));
  }
  const idFor = (id: string): string => ids.get(id) ?? id;
  const renamed = [...read.statements].map(([id, one]) => [idFor(id), { ...one, statement_id: idFor(id) }] as const);
  return { ...read, statements: new Map(renamed), blocks: blocksWith(read.blocks, { ids: (id) => [idFor(id)] }) };
}

function keyOf(statement: WrittenStatement | undefined): string {
  return statement === undefined ? "" : JSON.stringify([statement.place.kind, cellText(statement)]);
}

function withSentences(
  page: WrittenPage,
  changes: readonly Rewriting[],
  titles: Titles,
  shown: WrittenPage["statements"],
): { page: WrittenPage; unknown: string[] } {
  const statements = new Map(page.statements);
  const replaced = new Map<string, string[]>();
  const unknown: string[] = [];
  const taken = [...page.taken];
  let next = nextId(page);
  for (const { statement_id, text } of changes) {
    const old = statements.get(statement_id);
    if (old === undefined) {
      unknown.push(statement_id);
      continue;
    }
    const read = readAgain(old, text, titles);
    taken.push(...read.taken);
    const ids = read.statements.map((one, index) => {
      const id = index === 0 ? statement_id : `s${next++}`;
      statements.set(id, { ...one, statement_id: id, place: old.place });
      return id;
    });
    if (ids.length === 0) statements.delete(statement_id);
    replaced.set(statement_id, ids);
  }
  const idsFor = (id: string): string[] => replaced.get(id) ?? [id];
  const changed = blocksWith(page.blocks, { ids: idsFor }, (block) => rewritten(block, idsFor, statements));
  const blocks = withoutEmptyHeadings(changed);
  const own = [...replaced.values()].flat().flatMap((id) => statements.get(id) ?? []);
  linkStatements(own, statements, shown);
  placeCells(blocks, statements);
  return { page: { ...page, blocks, statements, labels: labelsOf(blocks, page.title), taken }, unknown };
}

/** The block with its changed statements. An excerpt that is written again as prose becomes a paragraph. */
function rewritten(
  block: Block,
  idsFor: (id: string) => string[],
  statements: ReadonlyMap<string, WrittenStatement>,
): Block[] {
  if (block.kind === "excerpt") {
    const ids = idsFor(block.statement);
    if (ids.some((id) => statements.get(id)?.kind !== "excerpt")) return [{ kind: "paragraph", statements: ids }];
    return ids.map((statement) => ({ kind: "excerpt", statement, marks: [] }));
  }
  return blockWith(block, { ids: idsFor }).map((one) =>
    one.kind === "code" ? { ...one, text: statements.get(one.statement)?.text ?? one.text } : one,
  );
}

function readAgain(
  old: WrittenStatement,
  text: string,
  titles: Titles,
): { statements: WrittenStatement[]; taken: WrittenPage["taken"] } {
  // Dashes and blanks are no statement.
  if (/^[\s–—-]*$/u.test(text)) return { statements: [], taken: [] };
  if (old.place.kind === "code") {
    const { statement, taken } = readCode(text);
    // Without marks the code rests on what it rested on before.
    const rests = statement?.kind === "unmarked" ? { ...old, text: statement.text } : statement;
    return { statements: rests === null ? [] : [rests], taken };
  }
  const { statements, taken } = readPage(text, titles);
  const all = [...statements.values()];
  const [first] = all;
  if (first === undefined || all.length === 1 || old.place.kind === "sentence") return { statements: all, taken };
  // A cell is one statement.
  const { clauses: _clauses, ...head } = first;
  const joined = {
    ...head,
    text: all.map((one) => one.text).join(" "),
    citation_ids: [...new Set(all.flatMap((one) => one.citation_ids))],
    from: [...new Set(all.flatMap((one) => one.from))],
  };
  return { statements: [joined], taken };
}

function plainLabel(text: string): string {
  return shortened(text.replace(/^[\s#*>-]+|[\s#*:]+$/gu, ""), MAX_LABEL_LENGTH);
}

/** The ids that a directive wants written again: a statement, a heading with its section, or else the whole page. */
export function idsMeantBy({ target }: Pick<Directive, "target">, { statements, labels }: WrittenPage): string[] {
  if (statements.has(target)) return [target];
  const named = labels.filter(({ text, label_id }) => text === target && label_id !== TITLE_ID);
  if (named.length > 0) return named.flatMap(({ label_id, below }) => [label_id, ...below]);
  return [...labels.map(({ label_id }) => label_id), ...statements.keys()];
}
