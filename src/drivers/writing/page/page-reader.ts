// Reads the tokens of a page: its blocks, its title, and each statement with what its marks name.
import { languageIn } from "../../../kernel/code-language.ts";
import { given } from "../../../kernel/given.ts";
import type { Block, Cell } from "../../../run/report/report.ts";
import { idsIn } from "../../../run/report/statements.ts";
import { cutSentences, withCode } from "./cut-sentences.ts";
import { InlineWords } from "./inline-words.ts";
import { clausesIn, HAS_MARK, MARK_PLACE, namedBy, withMarks, type Mark } from "./marks.ts";
import { goingOn } from "./steps.ts";
import { readCells } from "./table-cells.ts";
import { wholeUntil } from "./tokens.ts";
import type { TakenOff } from "./wrapping.ts";
import type { Titles, WrittenStatement } from "./written-page.ts";
import type { Token, Tokens } from "marked";

export const MAX_LABEL_LENGTH = 300;
const MAX_STATEMENT_LENGTH = 4_000;

export class PageReader {
  readonly blocks: Block[] = [];
  readonly statements = new Map<string, WrittenStatement>();
  title: string | undefined;
  readonly #marks: readonly Mark[];
  readonly #words: InlineWords;
  readonly #titles: Titles;
  readonly #taken: TakenOff[];
  readonly #firstId: number;
  /** The ids of code that has the marks of the sentence above it. */
  readonly #lent = new Set<string>();

  /** Adds to `taken` what it leaves off the page. `firstId`: the number of the first statement. */
  constructor(marks: readonly Mark[], titles: Titles, taken: TakenOff[], firstId: number) {
    this.#marks = marks;
    this.#words = new InlineWords(marks);
    this.#titles = titles;
    this.#taken = taken;
    this.#firstId = firstId;
  }

  read(tokens: readonly Token[]): void {
    for (const token of tokens as Tokens.Generic[]) this.#block(token);
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
        return this.#code(token as Tokens.Code);
      case "blockquote":
        return this.#quotation(token.tokens ?? []);
      case "html":
        return this.#running(this.#words.ofHtml(token["text"] as string));
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
    if (depth === 1 && this.blocks.length === 0 && this.title === undefined) this.title = text;
    else this.blocks.push({ kind: "heading", level: Math.min(Math.max(depth, 2), 4), text });
  }

  /** The words of a label. Its marks are left out with a note. */
  #label(tokens: readonly Token[]): string {
    const text = this.#words.of(tokens);
    for (const [place] of text.matchAll(MARK_PLACE))
      this.#taken.push({ what: "a mark of a heading", text: withMarks(place, this.#marks).trim() });
    return this.#short(this.#plain(text));
  }

  #plain(text: string): string {
    return withCode(text.replace(MARK_PLACE, ""), this.#words.codes).replace(/\s+/gu, " ").trim();
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
      if (text !== "") this.blocks.push({ kind: "heading", level: 3, text });
      return;
    }
    const { lead, rest } = this.#leadOf(tokens);
    this.#running(this.#words.of(rest), lead);
  }

  #running(text: string, lead?: string): void {
    if (text.replace(MARK_PLACE, "").trim() === "") return this.#serve(text);
    const statements = this.#sentences(text);
    if (statements.length > 0)
      this.blocks.push({ kind: "paragraph", ...(lead === undefined ? {} : { lead }), statements });
  }

  #quotation(tokens: readonly Token[]): void {
    for (const token of tokens as Tokens.Generic[]) {
      const text = token.type === "paragraph" || token.type === "text" ? this.#words.of(token.tokens ?? []) : "";
      const ids = this.#marksIn(text).flatMap((mark) => (mark.kind === "cited" ? mark.ids : []));
      const bare = this.#plain(text);
      if (ids.length === 0 || (bare !== "" && ids.length > 1)) this.#block(token);
      else
        for (const id of ids)
          this.blocks.push({
            kind: "excerpt",
            statement: this.#add("excerpt", bare, { citation_ids: [id] }),
            marks: [],
          });
    }
  }

  /** Code without marks in the line below it rests on what the sentence that announces it rests on. */
  #code({ text, lang = "" }: Tokens.Code): void {
    const shown = withMarks(text, this.#marks);
    if (shown.trim() === "") return;
    const last = this.blocks.at(-1);
    const above = last === undefined ? undefined : this.statements.get(idsIn(last).at(-1) ?? "");
    const announces = above?.place.kind === "sentence" && /[:：]$/u.test(above.text);
    const { kind = "unmarked", citation_ids = [], from = [] } = announces ? above : {};
    const rests = kind === "cited" || kind === "derived" || kind === "suggested";
    const named = rests ? { citation_ids: [...citation_ids], from: [...from] } : {};
    const statement = this.#add(rests ? kind : "unmarked", shown, named, { kind: "code" });
    if (rests) this.#lent.add(statement);
    this.blocks.push({ kind: "code", text: shown, statement, ...languageIn(lang) });
  }

  // --- lists ------------------------------------------------------------------------------------------------------

  #list({ ordered, start, items }: Tokens.List): void {
    for (const [index, item] of items.entries()) {
      // The box belongs to the first line of the item.
      let box = item.task ? { checked: item.checked === true } : {};
      const inner = (item.tokens as Tokens.Generic[]).filter(({ type }) => type !== "checkbox");
      for (const token of inner) {
        if (token.type !== "text" && token.type !== "paragraph") {
          this.#block(token);
          continue;
        }
        const words = (token.tokens ?? [token]).filter(({ type }) => type !== "checkbox");
        const { lead, rest } = this.#leadOf(words);
        const text = this.#words.of(rest);
        if (text.replace(MARK_PLACE, "").trim() === "") {
          this.#serve(text);
          continue;
        }
        const statements = this.#sentences(text);
        if (statements.length === 0) continue;
        this.#item(ordered, Number(start) + index, { ...given({ lead }), statements, ...box });
        box = {};
      }
    }
  }

  #item(ordered: boolean, number: number, item: Extract<Block, { kind: "list" }>["items"][number]): void {
    const last = this.blocks.at(-1);
    if (last?.kind === "list" && last.ordered === ordered) last.items.push(item);
    else this.blocks.push({ kind: "list", ordered, ...(ordered ? goingOn(this.blocks, number) : {}), items: [item] });
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
    const words = this.#words.of(behind);
    if (!/[\p{L}\p{N}\ue002]/u.test(words.replace(MARK_PLACE, ""))) return { rest: tokens };
    const lead = this.#label(first.tokens ?? []).replace(/\s*[:.–—-]\s*$/u, "");
    return lead === "" ? { rest: tokens } : { lead, rest: behind };
  }

  // --- tables -----------------------------------------------------------------------------------------------------

  #table({ header, rows }: Tokens.Table): void {
    const heads = header.map(({ tokens }) => this.#label(tokens));
    const written = rows.map((row) =>
      row.map(({ tokens }) => {
        const text = this.#words.of(tokens);
        return { text: this.#plain(text), marks: this.#marksIn(text), ...this.#words.linksIn(text) };
      }),
    );
    const read = readCells(heads, written);
    this.#taken.push(...read.taken);
    if (read.columns.length === 0) return;
    const cells = read.rows.map((row) =>
      row.map((cell): Cell => {
        if (typeof cell === "string") return cell;
        if ("label" in cell) return this.#short(cell.label);
        const { text, marks, ...further } = cell;
        return [this.#statement(text, marks, further)];
      }),
    );
    this.blocks.push({ kind: "table", columns: read.columns, rows: cells });
  }

  // --- statements -------------------------------------------------------------------------------------------------

  #sentences(text: string): string[] {
    const titleOf = (mark: number): string | null => this.#titles.get(this.#marks[mark]?.ids[0] ?? "") ?? null;
    return cutSentences(text, titleOf).map(({ text: words, marks }) => {
      const shown = (part: string): string => withCode(part, this.#words.codes);
      const own = marks.flatMap(({ index, at }) => {
        const mark = this.#marks[index];
        return mark === undefined ? [] : [{ ...mark, at: shown(words.slice(0, at)).length }];
      });
      const further = { ...this.#words.linksIn(words), ...clausesIn(shown(words), own) };
      return this.#statement(shown(words), own, further);
    });
  }

  #statement(
    text: string,
    marks: readonly Mark[],
    further: Pick<Partial<WrittenStatement>, "place" | "links" | "clauses">,
  ): string {
    const { kind, ...named } = namedBy(marks);
    return this.#add(kind, text, { ...named, ...further }, further.place);
  }

  #add(
    kind: WrittenStatement["kind"],
    text: string,
    about: Partial<WrittenStatement>,
    place: WrittenStatement["place"] = { kind: "sentence" },
  ): string {
    const statement_id = `s${this.#firstId + this.statements.size}`;
    const cut = place.kind === "code" ? text : text.slice(0, wholeUntil(text, MAX_STATEMENT_LENGTH));
    if (cut.length < text.length)
      this.#taken.push({ what: "the rest of a long sentence", text: text.slice(cut.length) });
    const { clauses, ...named } = about;
    this.statements.set(statement_id, {
      statement_id,
      text: cut,
      kind,
      citation_ids: [],
      from: [],
      gap_ids: [],
      place,
      ...named,
      ...(cut === text && clauses !== undefined ? { clauses } : {}),
    });
    return statement_id;
  }

  #marksIn(text: string): Mark[] {
    return [...text.matchAll(MARK_PLACE)].flatMap(([, index]) => this.#marks[Number(index)] ?? []);
  }

  /** Marks that stand alone belong to what is before them: code, cells without marks, or the last sentence. */
  #serve(text: string): void {
    const marks = this.#marksIn(text);
    const last = this.blocks.at(-1);
    const served = last === undefined ? [] : last.kind === "table" ? idsIn(last) : idsIn(last).slice(-1);
    for (const id of served) {
      const statement = this.statements.get(id);
      if (statement === undefined || (last?.kind === "table" && statement.kind !== "unmarked")) continue;
      const { kind, citation_ids, from, gap_ids } = statement;
      const own = {
        raw: "",
        kind: kind === "suggested" ? ("ours" as const) : kind === "derived" ? kind : ("cited" as const),
      };
      const before = this.#lent.delete(id) ? [] : [{ ...own, ids: [...citation_ids, ...from, ...gap_ids] }];
      const named = namedBy([...before, ...marks]);
      Object.assign(statement, named, kind === "excerpt" ? { kind } : {});
    }
    if (served.length === 0 && text.trim() !== "")
      this.#taken.push({ what: "a mark that serves nothing", text: withMarks(text, this.#marks) });
  }
}
