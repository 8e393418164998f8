// The text of a manual page while its macros are read: lines are gathered, and end as a heading, paragraph, term, item, code or table.
import { MarkdownWriter } from "./markdown-writer.ts";
import { GLUE } from "./roff-escapes.ts";
import { rowsOfTbl } from "./tbl-rows.ts";

/** The block that the open text becomes when it ends. */
type Role = "paragraph" | "term" | "definition" | "item" | "section" | "subsection";

const BULLET = /^[•·○□*+o–—-]$/;
/** A paragraph of nothing but marks is not a sentence. */
const MARKS_ALONE = /^(?:\s|\[(?:formula|picture)\])+$/;
const NUMBER = /^\(?(\d{1,3})[.)]$/;

export class ManualText {
  private readonly writer = new MarkdownWriter();
  private open = "";
  private role: Role = "paragraph";
  /** The mark of the open item. */
  private marker = "-";
  /** The role of the text that is said next, as a heading is the argument of its macro or the next line. */
  private awaited: "term" | "section" | "subsection" | null = null;
  /** True for a term that continues over lines and macros until `endLongTerm`. */
  private isLongTerm = false;
  /** True while lines stay as they are. */
  private isCode = false;
  /** The lines of the open table. Those of tbl are its source; those of mdoc are rows with tabs between the cells. */
  private table: { form: "tbl" | "mdoc"; lines: string[] } | null = null;
  private sections = 0;
  /** The first paragraph of the first section, which names the page and its subject in every language; "" without one. */
  title = "";

  finish(): string {
    if (this.table !== null) this.endTable();
    this.end();
    return this.writer.finish();
  }

  /** A line of the source that is no macro. */
  line(text: string): void {
    const isBlank = text.trim() === "" && !this.isCode && this.table === null;
    if (isBlank && this.awaited === null) this.end();
    if (isBlank) return;
    if (text === "" && this.isCode) this.open += "\n";
    if (/^\s/.test(text)) this.breakLine();
    this.say(text);
  }

  /** Adds words to the open text. */
  say(text: string): void {
    if (text === "") return;
    if (this.awaited !== null) this.role = this.awaited;
    if (this.table !== null) this.sayInTable(text);
    else this.open += (this.isCode && this.awaited === null ? "\n" : " ") + text;
    if (this.awaited !== null && !this.isLongTerm && !text.endsWith(GLUE)) this.endAwaited();
  }

  startLine(text: string): void {
    this.breakLine();
    this.say(text);
  }

  breakLine(): void {
    if (this.table === null && !this.isCode) this.open += "\n";
  }

  endParagraph(): void {
    if (this.isCode) this.open += "\n";
    else this.end();
  }

  /** Writes the open text as the block of its role. */
  end(): void {
    const { writer, role } = this;
    const text = joined(this.open);
    this.open = "";
    const isHeading = role === "section" || role === "subsection";
    if (text.trim() === "" && !isHeading) return;
    this.role = "paragraph";
    const write = (): void => this.writeLines(text);
    if (isHeading) {
      write();
      writer.endHeading(role === "section" ? 1 : 2);
    } else if (role === "term") writer.inTerm(write);
    else if (this.isCode) writer.code(text);
    else if (role === "definition") writer.inDefinition(write);
    else if (role === "item") writer.inListItem(this.marker, write);
    else if (!MARKS_ALONE.test(text)) {
      this.learnTitle(text);
      write();
      writer.endBlock();
    }
  }

  // --- blocks -------------------------------------------------------------------------------------------------------

  heading(role: "section" | "subsection", text: string): void {
    this.setCode(false);
    if (role === "section") this.sections++;
    this.await(role);
    this.say(text);
  }

  /** The text that is said next becomes the term, and the text behind it its definition. */
  awaitTerm(): void {
    this.await("term");
  }

  term(text: string, isLong = false): void {
    this.await("term");
    this.isLongTerm = isLong;
    this.say(text);
  }

  endLongTerm(text: string): void {
    this.isLongTerm = false;
    this.say(text);
    if (this.awaited !== null) this.endAwaited();
  }

  /** The paragraph that follows has a tag: a bullet or a number makes it an item, other words are its term. */
  tag(tag: string): void {
    const number = NUMBER.exec(tag)?.[1];
    if (number !== undefined) this.beginItem(`${number}.`);
    else if (BULLET.test(tag)) this.beginItem("-");
    else if (tag === "") this.end();
    else this.term(tag);
  }

  /** A line alone above an indented block is its term, unless it is a sentence. */
  indent(): void {
    const isTerm = this.role === "paragraph" && !this.isCode && /^[^\n]{1,200}$/.test(this.open.trim());
    if (isTerm && !/[.:;!?]$/.test(joined(this.open).trim())) {
      this.role = "term";
      this.end();
      this.role = "definition";
    } else this.endParagraph();
  }

  beginItem(marker: string): void {
    this.end();
    this.role = "item";
    this.marker = marker;
  }

  setCode(isCode: boolean): void {
    this.end();
    this.isCode = isCode;
  }

  code(text: string): void {
    this.end();
    this.writer.code(joined(text));
  }

  beginTable(form: "tbl" | "mdoc"): void {
    this.end();
    this.table = { form, lines: [] };
  }

  /** `isNames`: the row sets the names of the columns apart. Where the first one does not, an empty one replaces it. */
  row(text: string, isNames: boolean): void {
    if (this.table?.lines.length === 0 && !isNames) this.table.lines.push("");
    this.table?.lines.push(text);
  }

  endTable(): void {
    const { form, lines } = this.table ?? { form: "tbl", lines: [] };
    const whole = lines.map(joined);
    const rows = form === "mdoc" ? whole.map((line) => line.split("\t")) : rowsOfTbl(whole);
    this.table = null;
    if (rows.length > 0) this.writer.table(rows.map((row) => row.map((cell) => cell.trim())));
  }

  // --- parts of them ------------------------------------------------------------------------------------------------

  private await(role: "term" | "section" | "subsection"): void {
    this.end();
    this.awaited = role;
  }

  private endAwaited(): void {
    const { awaited } = this;
    this.awaited = null;
    this.end();
    if (awaited === "term") this.role = "definition";
  }

  private learnTitle(text: string): void {
    if (this.sections !== 1 || !/ [-–—−] /.test(text)) return;
    this.title = text;
    this.sections++;
  }

  private writeLines(text: string): void {
    for (const [at, line] of text.trim().split(/\n+/).entries()) {
      if (at > 0) this.writer.breakLine();
      this.writer.say(line);
    }
  }

  /** Lines of mdoc continue in the last row; tbl has one line a row. */
  private sayInTable(text: string): void {
    const { form, lines } = this.table ?? { form: "tbl", lines: [] };
    if (form === "tbl" || lines.length === 0) lines.push(text);
    else lines.push(`${lines.pop()} ${text}`);
  }
}

/** Takes out the marks of words that belong together, and the spaces at them. */
function joined(text: string): string {
  return text.replace(/[ \n]?\u0001(?![ \n])|\u0001[ \n]/g, "");
}
