// Reads a page as a model writes it, Markdown with marks, into blocks and statements. Nothing is judged here.
import { lexer, type Token, type Tokens } from "marked";
import { shortened } from "../../kernel/shortened.ts";
import { idsIn, type Block, type Cell } from "../../run/report.ts";
import { HAS_MARK, liftMarks, MARK_PLACE, withMarks, type Mark } from "./page-marks.ts";
import { cutSentences, withCode } from "./page-sentences.ts";
import { InlineWords, withoutTags } from "./page-words.ts";
import { unwrapped, type TakenOff } from "./page-wrapping.ts";

export const MAX_PAGE_LENGTH = 60_000;
/** Longer lines are cut at a space: reading one takes the square of its length. */
const MAX_LINE_LENGTH = 4_000;
const MAX_ROW_LENGTH = 20_000;
const MAX_STATEMENT_LENGTH = 4_000;
export const MAX_LABEL_LENGTH = 300;
const MAX_COLUMNS = 20;
const MAX_ROWS = 500;
/** The label of the page; all others are numbered. */
export const TITLE_ID = "title";
const EMPTY_CELL = /^(?:[-–—?]|n\/?a|k\. ?A\.)?$/iu;

export interface WrittenStatement {
  statement_id: string;
  text: string;
  /** What its marks say; `unmarked` has none. */
  kind: "cited" | "derived" | "gap" | "excerpt" | "unmarked";
  /** Ids in its marks, those of citations, statements and gaps apart. */
  citation_ids: string[];
  from: string[];
  gap_ids: string[];
  /** Citations that share its words, where it and what stands beside it name none. */
  near?: string[];
  /** Ids of statements that nobody was shown. */
  unlinked?: string[];
  expression?: string;
  /** It is code, a cell with its row and column, or a sentence. */
  place: { kind: "sentence" | "code" } | { kind: "cell"; row: string; column: string };
}

/** A title, a heading, a lead, the head of a column or of a row: what stands below it has to hold what it says. */
export interface WrittenLabel {
  label_id: string;
  text: string;
  below: string[];
  /** It names a row or a column. */
  isOfTable?: true;
  isHeading?: true;
}

export interface WrittenPage {
  title?: string;
  blocks: Block[];
  statements: Map<string, WrittenStatement>;
  labels: WrittenLabel[];
  /** What the writer wrote and what is not on the page. */
  taken: TakenOff[];
}

/** Titles by citation id: a mark may stand for the name of its source. */
export type Titles = ReadonlyMap<string, string>;

export interface Reading {
  /** The number of the first statement, 1 without it. */
  firstId?: number;
  /** What a section is called that the writer gave no heading; without it, a whole page is read. */
  section?: string;
}

export function readPage(source: string, titles: Titles, { firstId = 1, section }: Reading = {}): WrittenPage {
  const { page, taken } = unwrapped(shortened(source, MAX_PAGE_LENGTH));
  if (source.length > MAX_PAGE_LENGTH) taken.push({ what: "what goes beyond the length of a page", text: "" });
  const { text, marks } = liftMarks(page);
  const reader = new PageReader(marks, titles, taken, firstId);
  reader.read(tokensOf(text));
  return reader.page(section);
}

/** As `readPage`, for a writer who was shown the statements of an earlier one. */
export function readAnew(
  source: string,
  titles: Titles,
  shown: WrittenPage["statements"] = new Map(),
  reading: Reading = {},
): WrittenPage {
  const page = readPage(source, titles, reading);
  linkStatements(page.statements.values(), page.statements, shown);
  return page;
}

/**
 * `shown`: the statements that the writer saw last: their ids are those that what it hands in names. What of them stands no
 * longer among `all` lends its citations.
 */
export function linkStatements(
  written: Iterable<WrittenStatement>,
  all: ReadonlyMap<string, WrittenStatement>,
  shown: ReadonlyMap<string, WrittenStatement>,
): void {
  const byText = new Map([...all.values()].map(({ text, statement_id }) => [text, statement_id]));
  const nowOf = ({ text, statement_id }: WrittenStatement): string | undefined =>
    all.get(statement_id)?.text === text ? statement_id : byText.get(text);
  for (const statement of written) {
    const { from, citation_ids, statement_id } = statement;
    if (from.length === 0) continue;
    const old = from.flatMap((id) => shown.get(id) ?? []);
    const lent = old.flatMap((one) => (nowOf(one) === undefined ? one.citation_ids : []));
    const unlinked = from.filter((id) => !shown.has(id));
    statement.from = old.flatMap((one) => nowOf(one) ?? []).filter((id) => id !== statement_id);
    statement.citation_ids = [...new Set([...citation_ids, ...lent])];
    if (unlinked.length > 0) statement.unlinked = unlinked;
  }
}

function tokensOf(text: string): Token[] {
  const lines = text.split("\n").flatMap(brokenLine);
  try {
    return lexer(lines.join("\n"));
  } catch {
    // Quotations in quotations, thousands deep: it is read as plain lines.
    return lexer(lines.map((line) => line.replace(/^[\s>*+#-]+/u, "")).join("\n"));
  }
}

/** Runs of one sign, and quotations in quotations, are shortened: a parser goes down a level at each. */
function brokenLine(line: string): string[] {
  const calm = line
    .replace(/^(?:\s*>){4,}/u, "> > >")
    .replace(/^(?:\s*[-*+]\s){4,}/u, "- - - ")
    .replace(/([^\p{L}\p{N}\s|:-])\1{20,}/gu, (run) => run.slice(0, 20));
  if (calm.length <= (calm.trimStart().startsWith("|") ? MAX_ROW_LENGTH : MAX_LINE_LENGTH)) return [calm];
  const pieces: string[] = [];
  for (let from = 0; from < calm.length;) {
    const space = calm.lastIndexOf(" ", from + MAX_LINE_LENGTH);
    const most = wholeUntil(calm, from + MAX_LINE_LENGTH);
    const end = calm.length - from <= MAX_LINE_LENGTH ? calm.length : space > from ? space : most;
    pieces.push(calm.slice(from, end), "");
    from = end;
  }
  return pieces;
}

/** Before `at`, where a character of two units would be cut in half. */
function wholeUntil(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}

class PageReader {
  readonly #marks: readonly Mark[];
  readonly #titles: Titles;
  readonly #taken: TakenOff[];
  readonly #blocks: Block[] = [];
  readonly #statements = new Map<string, WrittenStatement>();
  readonly #firstId: number;
  #title: string | undefined;

  constructor(marks: readonly Mark[], titles: Titles, taken: TakenOff[], firstId: number) {
    this.#marks = marks;
    this.#titles = titles;
    this.#taken = taken;
    this.#firstId = firstId;
  }

  read(tokens: readonly Token[]): void {
    for (const token of tokens as Tokens.Generic[]) this.#block(token);
  }

  page(section: string | undefined): WrittenPage {
    // A title that nothing but text follows heads the answer, and one of a section heads it.
    if (this.#title !== undefined && (section !== undefined || this.#blocks[0]?.kind !== "heading")) {
      if (this.#blocks.length > 0) this.#blocks.unshift({ kind: "heading", level: 2, text: this.#title });
      this.#title = undefined;
    }
    const blocks = section === undefined ? withAnswer(this.#blocks) : asSection(this.#blocks, section);
    return {
      ...(this.#title === undefined ? {} : { title: this.#title }),
      blocks,
      statements: this.#statements,
      labels: labelsOf(blocks, this.#title),
      taken: this.#taken,
    };
  }

  // --- blocks -----------------------------------------------------------------------------------------------------

  #block(token: Tokens.Generic): void {
    switch (token.type) {
      case "space":
      case "hr":
        return;
      case "heading":
        return this.#heading(token as Tokens.Heading);
      case "list":
        return this.#list(token as Tokens.List);
      case "table":
        return this.#table(token as Tokens.Table);
      case "code":
        return this.#code(token["text"] as string);
      case "blockquote":
        return this.#quotation(token.tokens ?? []);
      case "html":
        return this.#running(withoutTags(token["text"] as string), []);
      case "def":
        this.#taken.push({ what: "a definition of a link", text: token.raw });
        return;
      default:
        return this.#paragraph(token.tokens ?? [token]);
    }
  }

  #heading({ depth, tokens }: Tokens.Heading): void {
    const text = this.#label(tokens);
    if (text === "") return;
    if (depth === 1 && this.#blocks.length === 0 && this.#title === undefined) this.#title = text;
    else this.#blocks.push({ kind: "heading", level: Math.min(Math.max(depth, 2), 4), text });
  }

  /** Words without marks: those of a label are dropped with a note. */
  #label(tokens: readonly Token[]): string {
    const words = new InlineWords(this.#marks);
    const text = words.of(tokens);
    for (const [place] of text.matchAll(MARK_PLACE))
      this.#taken.push({ what: "a mark of a heading", text: withMarks(place, this.#marks).trim() });
    return this.#short(withCode(text.replace(MARK_PLACE, ""), words.codes).replace(/\s+/gu, " ").trim());
  }

  #short(label: string): string {
    const end = wholeUntil(label, MAX_LABEL_LENGTH);
    if (label.length > MAX_LABEL_LENGTH)
      this.#taken.push({ what: "the rest of a long heading", text: label.slice(end) });
    return label.slice(0, end);
  }

  #paragraph(tokens: readonly Token[]): void {
    const [only] = tokens as Tokens.Generic[];
    if (tokens.length === 1 && only?.type === "strong" && !HAS_MARK.test(only.raw)) {
      const text = this.#label(only.tokens ?? []);
      if (text !== "") this.#blocks.push({ kind: "heading", level: 3, text });
      return;
    }
    const { lead, rest } = this.#leadOf(tokens);
    const words = new InlineWords(this.#marks);
    this.#running(words.of(rest), words.codes, lead);
  }

  #running(text: string, codes: readonly string[], lead?: string): void {
    if (text.replace(MARK_PLACE, "").trim() === "") return this.#serve(text);
    const statements = this.#sentences(text, codes);
    if (statements.length > 0)
      this.#blocks.push({ kind: "paragraph", ...(lead === undefined ? {} : { lead }), statements });
  }

  #quotation(tokens: readonly Token[]): void {
    for (const token of tokens as Tokens.Generic[]) {
      const words = new InlineWords(this.#marks);
      const text = token.type === "paragraph" || token.type === "text" ? words.of(token.tokens ?? []) : "";
      const ids = this.#marksIn(text).flatMap((mark) => (mark.kind === "cited" ? mark.ids : []));
      const bare = withCode(text.replace(MARK_PLACE, ""), words.codes).replace(/\s+/gu, " ").trim();
      if (ids.length === 0 || (bare !== "" && ids.length > 1)) this.#block(token);
      else
        for (const id of ids)
          this.#blocks.push({
            kind: "excerpt",
            statement: this.#add("excerpt", bare, { citation_ids: [id] }),
            marks: [],
          });
    }
  }

  #code(text: string): void {
    const shown = withMarks(text, this.#marks);
    if (shown.trim() === "") return;
    this.#blocks.push({ kind: "code", text: shown, statement: this.#add("unmarked", shown, {}, { kind: "code" }) });
  }

  // --- lists ------------------------------------------------------------------------------------------------------

  #list({ ordered, items }: Tokens.List): void {
    for (const item of items) {
      const inner = item.tokens as Tokens.Generic[];
      for (const token of inner) {
        if (token.type !== "text" && token.type !== "paragraph") {
          this.#block(token);
          continue;
        }
        const { lead, rest } = this.#leadOf(token.tokens ?? [token]);
        const words = new InlineWords(this.#marks);
        const text = words.of(rest);
        if (text.replace(MARK_PLACE, "").trim() === "") this.#serve(text);
        else this.#item(ordered, this.#sentences(text, words.codes), lead);
      }
    }
  }

  #item(ordered: boolean, statements: string[], lead?: string): void {
    if (statements.length === 0) return;
    const item = { ...(lead === undefined ? {} : { lead }), statements };
    const last = this.#blocks.at(-1);
    if (last?.kind === "list" && last.ordered === ordered) last.items.push(item);
    else this.#blocks.push({ kind: "list", ordered, items: [item] });
  }

  /** A bold label that runs in: `**Costs:** …`, `**Costs**: …`, `**Costs.** …`. */
  #leadOf(tokens: readonly Token[]): { lead?: string; rest: readonly Token[] } {
    const [first, second, ...others] = tokens as Tokens.Generic[];
    if (first?.type !== "strong" || second === undefined || HAS_MARK.test(first.raw)) return { rest: tokens };
    const isClosed = /[:.–—-]\s*$/u.test((first["text"] as string | undefined) ?? "");
    const opens = second.type === "text" ? /^\s*(?::|[–—-]\s)\s*/u.exec(second.raw)?.[0] : undefined;
    if (!isClosed && opens === undefined) return { rest: tokens };
    const cut = opens ?? "";
    const rest = [{ type: "text", raw: second.raw.slice(cut.length), text: String(second["text"]).slice(cut.length) }];
    const behind = cut === "" ? [second, ...others] : [...rest, ...others];
    const words = new InlineWords(this.#marks).of(behind);
    if (!/[\p{L}\p{N}\ue002]/u.test(words.replace(MARK_PLACE, ""))) return { rest: tokens };
    const lead = this.#label(first.tokens ?? []).replace(/\s*[:.–—-]\s*$/u, "");
    return lead === "" ? { rest: tokens } : { lead, rest: behind };
  }

  // --- tables -----------------------------------------------------------------------------------------------------

  #table({ header, rows }: Tokens.Table): void {
    const columns = header.map(({ tokens }) => this.#label(tokens));
    const all = rows.map((row) =>
      row.map(({ tokens }) => {
        const words = new InlineWords(this.#marks);
        const text = words.of(tokens);
        const plain = withCode(text.replace(MARK_PLACE, ""), words.codes).replace(/\s+/gu, " ").trim();
        return { text: plain, marks: this.#marksIn(text) };
      }),
    );
    const read = all.slice(0, MAX_ROWS);
    if (all.length > MAX_ROWS) this.#takeCells("the rows of a table that is too long", all.slice(MAX_ROWS).flat());
    const isSource = columns.map(
      (_, column) =>
        read.some((row) => (row[column]?.marks.length ?? 0) > 0) &&
        read.every((row) => EMPTY_CELL.test(row[column]?.text ?? "")),
    );
    const wide = columns.map((_, column) => column).filter((column) => isSource[column] !== true);
    const shown = wide.slice(0, MAX_COLUMNS);
    const lost = wide.slice(MAX_COLUMNS);
    if (lost.length > 0) {
      const cells = read.flatMap((row) => lost.flatMap((column) => row[column] ?? []));
      const heads = lost.map((column) => ({ text: columns[column] ?? "" }));
      this.#takeCells("the columns of a table that is too wide", [...heads, ...cells]);
    }
    for (const [column, title] of columns.entries())
      if (isSource[column] === true) this.#taken.push({ what: "the head of a column of sources", text: title });
    if (shown.length === 0) return;
    const cells = read.map((row) => {
      const marked = row.flatMap(({ marks }, column) => (marks.length > 0 ? [column] : []));
      const [only] = marked;
      const isEdge = marked.length === 1 && only !== undefined && (only === shown[0] || only === shown.at(-1));
      const serving = row.flatMap(({ marks }, column) => (isSource[column] === true || isEdge ? marks : []));
      const label = row[shown[0] ?? 0]?.text ?? "";
      return shown.map((column, index): Cell => {
        const { text = "", marks = [] } = row[column] ?? {};
        if (EMPTY_CELL.test(text)) return text === "" && index === 0 ? "" : "–";
        const own = marks.length > 0 ? marks : index === 0 ? [] : serving;
        // The first cell names its row; what it says stands in the others.
        if (index === 0 && own.length === 0 && shown.length > 1) return this.#short(text);
        const place = { kind: "cell" as const, row: index === 0 ? "" : label, column: columns[column] ?? "" };
        return [this.#statement(text, own, place)];
      });
    });
    this.#blocks.push({ kind: "table", columns: shown.map((column) => columns[column] ?? ""), rows: cells });
  }

  #takeCells(what: string, cells: readonly { text: string }[]): void {
    this.#taken.push({ what, text: cells.map(({ text }) => text).join(" ") });
  }

  // --- statements -------------------------------------------------------------------------------------------------

  #sentences(text: string, codes: readonly string[]): string[] {
    const titleOf = (mark: number): string | null => this.#titles.get(this.#marks[mark]?.ids[0] ?? "") ?? null;
    return cutSentences(text, titleOf).flatMap(({ text: words, marks }) => {
      const own = marks.flatMap((index) => this.#marks[index] ?? []);
      return [this.#statement(withCode(words, codes), own, { kind: "sentence" })];
    });
  }

  #statement(text: string, marks: readonly Mark[], place: WrittenStatement["place"]): string {
    const { kind, ...named } = namedBy(marks);
    return this.#add(kind, text, named, place);
  }

  #add(
    kind: WrittenStatement["kind"],
    text: string,
    named: Partial<WrittenStatement>,
    place: WrittenStatement["place"] = { kind: "sentence" },
  ): string {
    const statement_id = `s${this.#firstId + this.#statements.size}`;
    const cut = place.kind === "code" ? text : text.slice(0, wholeUntil(text, MAX_STATEMENT_LENGTH));
    if (cut.length < text.length)
      this.#taken.push({ what: "the rest of a long sentence", text: text.slice(cut.length) });
    this.#statements.set(statement_id, {
      statement_id,
      text: cut,
      kind,
      citation_ids: [],
      from: [],
      gap_ids: [],
      place,
      ...named,
    });
    return statement_id;
  }

  #marksIn(text: string): Mark[] {
    return [...text.matchAll(MARK_PLACE)].flatMap(([, index]) => this.#marks[Number(index)] ?? []);
  }

  /** Marks that stand alone serve what stands before them: code, cells without their own, or the last sentence. */
  #serve(text: string): void {
    const marks = this.#marksIn(text);
    const last = this.#blocks.at(-1);
    const served = last === undefined ? [] : last.kind === "table" ? idsIn(last) : idsIn(last).slice(-1);
    for (const id of served) {
      const statement = this.#statements.get(id);
      if (statement === undefined || (last?.kind === "table" && statement.kind !== "unmarked")) continue;
      const { kind, citation_ids, from, gap_ids } = statement;
      const own = { raw: "", kind: kind === "derived" ? kind : ("cited" as const) };
      const named = namedBy([{ ...own, ids: [...citation_ids, ...from, ...gap_ids] }, ...marks]);
      Object.assign(statement, named, kind === "excerpt" ? { kind } : {});
    }
    if (served.length === 0 && text.trim() !== "")
      this.#taken.push({ what: "a mark that serves nothing", text: withMarks(text, this.#marks) });
  }
}

type SaidByMarks = Pick<WrittenStatement, "kind" | "citation_ids" | "from" | "gap_ids" | "expression">;

function namedBy(marks: readonly Mark[]): SaidByMarks {
  const ids = new Set(marks.flatMap((mark) => mark.ids));
  const of = (letter: string): string[] => [...ids].filter((id) => id.startsWith(letter));
  const named = { citation_ids: of("c"), from: of("s"), gap_ids: of("g") };
  const follows = marks.some(({ kind }) => kind === "derived");
  const holds = named.citation_ids.length + named.from.length > 0;
  const kind = follows ? "derived" : holds ? "cited" : named.gap_ids.length > 0 ? "gap" : "unmarked";
  const expression = marks.find((mark) => mark.expression !== undefined)?.expression;
  return { kind, ...named, ...(expression === undefined ? {} : { expression }) };
}

// --- the page as a whole ------------------------------------------------------------------------------------------

/** The highest heading is of level 2; the first section answers, be it one without a heading. */
function withAnswer(blocks: readonly Block[]): Block[] {
  const levels = blocks.flatMap((block) => (block.kind === "heading" ? [block.level] : []));
  const raised = levels.length === 0 ? 0 : Math.min(...levels) - 2;
  const [first, ...rest] = blocks.map((block) =>
    block.kind === "heading" ? { ...block, level: block.level - raised } : block,
  );
  if (first === undefined) return [];
  return first.kind === "heading" && first.level === 2
    ? [{ ...first, role: "answer" as const }, ...rest]
    : [first, ...rest];
}

/** One heading of level 2 stands above all; the others are smaller. */
function asSection(blocks: readonly Block[], heading: string): Block[] {
  const [first, second] = blocks;
  if (first === undefined) return [];
  const isTwice = first.kind === "heading" && second?.kind === "heading" && first.text === second.text;
  const rest = blocks.slice(first.kind === "heading" ? (isTwice ? 2 : 1) : 0);
  return [
    { kind: "heading", level: 2, text: first.kind === "heading" ? first.text : heading },
    ...rest.map((block) => (block.kind === "heading" ? { ...block, level: Math.max(3, block.level) } : block)),
  ];
}

/** The first cell of a row, when it is plain words. */
export function isRowLabel(cell: Cell | undefined): cell is string {
  return typeof cell === "string" && cell !== "" && cell !== "–";
}

export function labelsOf(blocks: readonly Block[], title = ""): WrittenLabel[] {
  const labels: Omit<WrittenLabel, "label_id">[] = [];
  blocks.forEach((block, at) => {
    if (block.kind === "heading") {
      const below: string[] = [];
      for (let next = at + 1; next < blocks.length; next++) {
        const other = blocks[next] as Block;
        if (other.kind === "heading" && other.level <= block.level) break;
        below.push(...idsIn(other));
      }
      labels.push({ text: block.text, below, isHeading: true });
    } else if (block.kind === "table") {
      const below = (cells: readonly (Cell | undefined)[]): string[] =>
        cells.flatMap((cell) => (typeof cell === "string" ? [] : (cell ?? [])));
      for (const [column, text] of block.columns.entries()) {
        const cells = below(block.rows.map((row) => row[column]));
        // A column of plain words names what the others tell of.
        if (text !== "")
          labels.push(cells.length === 0 ? { text, below: idsIn(block) } : { text, below: cells, isOfTable: true });
      }
      for (const row of block.rows)
        if (isRowLabel(row[0])) labels.push({ text: row[0], below: below(row), isOfTable: true });
    } else {
      const running = block.kind === "paragraph" ? [block] : block.kind === "list" ? block.items : [];
      for (const { lead, statements } of running)
        if (lead !== undefined) labels.push({ text: lead, below: [...statements] });
    }
  });
  const whole = title === "" ? [] : [{ label_id: TITLE_ID, text: title, below: blocks.flatMap(idsIn) }];
  return [...whole, ...labels.map((label, index) => ({ label_id: `h${index + 1}`, ...label }))];
}
