// The text of a manual page from its source: man(7) and mdoc(7) as Markdown, the macros as the blocks that a reader sees.
import { MarkdownWriter } from "./markdown-writer.ts";
import { isMdocMacro, mdocText } from "./mdoc-words.ts";
import { GLUE } from "./roff-escapes.ts";
import { RoffLines } from "./roff-lines.ts";
import { NEXT_FORMAT, rowsOfTbl } from "./tbl-rows.ts";
import { withTitle } from "./title.ts";

export function textOfManual(source: string): string {
  return new ManualReader(source.replaceAll(GLUE, "")).read();
}

/** What the open text becomes at its end. */
type Role = "paragraph" | "term" | "definition" | "item" | "section" | "subsection";

type Handler = (words: string[], args: string[]) => void;

/** Nothing that they say is text. */
const SILENT = new Set("PD DT AT UC IX HY Bf Ef Os Bk Ek Sm Tg Db Hf Rs Re LINKSTYLE".split(" "));
/** Two letters: the arguments are set in turn in one font and the other, without a space. */
const FONTS = new Set("B I R C L SM SB CW BI BR IB IR RB RI".split(" "));
const SPACED_FONTS = new Set(["SM", "SB", "CW"]);
const LISTS = new Set("-bullet -dash -hyphen -item -enum -tag -hang -ohang -inset -diag -column".split(" "));
const BULLET = /^[•·○□*+o–—-]$/;
const NUMBER = /^\(?(\d{1,3})[.)]$/;

class ManualReader {
  private readonly lines: RoffLines;
  private readonly writer = new MarkdownWriter();
  private text = "";
  private role: Role = "paragraph";
  private marker = "-";
  /** The next text becomes that, whatever follows it. */
  private awaited: "term" | "section" | "subsection" | null = null;
  /** Where lines stay as they are. */
  private isCode = false;
  private table: string[] | null = null;
  /** Of mdoc, the innermost last. */
  private readonly lists: { type: string; items: number }[] = [];
  private isMdoc = false;
  /** Of a macro that is no more than a mark around what is left out. */
  private endOfDrawing: string | null = null;
  private sections = 0;
  private title = "";
  private page = "";
  private link = "";
  /** Up to the macro that ends it. */
  private isLongTerm = false;

  constructor(source: string) {
    this.lines = new RoffLines(source, (macro) => FONTS.has(macro) || this.handlers.has(macro) || SILENT.has(macro));
  }

  read(): string {
    for (const { macro, args, text } of this.lines) {
      if (this.endOfDrawing !== null) {
        if (macro === this.endOfDrawing) this.endOfDrawing = null;
      } else if (macro === null) this.readText(text);
      else this.readMacro(macro, args);
    }
    if (this.table !== null) this.endTable();
    this.end();
    return withTitle(this.title, { text: this.writer.finish() });
  }

  private readText(text: string): void {
    const isBlank = text.trim() === "" && !this.isCode && this.table === null;
    if (isBlank && this.awaited === null) this.end();
    if (isBlank) return;
    if (text === "" && this.isCode) this.text += "\n";
    if (/^\s/.test(text)) this.breakLine();
    this.say(text);
  }

  private readMacro(macro: string, args: string[]): void {
    const handle = this.handlers.get(macro);
    const words = args.map((arg) => this.lines.plain(arg));
    if (handle !== undefined) handle(words, args);
    else if (this.isMdoc && isMdocMacro(macro)) this.say(this.mdoc([macro, ...args]));
    else if (FONTS.has(macro)) this.say(words.join(macro.length === 1 || SPACED_FONTS.has(macro) ? " " : ""));
    else if (/^[A-Z%]/.test(macro) && !SILENT.has(macro)) this.say(words.join(" "));
  }

  private readonly handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
    ...each("TH Dt", ([name = "", section = ""]) => this.called(name, section)),
    ["SH", (words) => this.head("section", words.join(" "))],
    ["SS", (words) => this.head("subsection", words.join(" "))],
    ["Sh", (_, args) => this.head("section", this.mdoc(args))],
    ["Ss", (_, args) => this.head("subsection", this.mdoc(args))],
    ...each("PP LP P HP Pp Lp sp bp RE YS", () => this.endParagraph()),
    ...each("br ti in ce", () => this.breakLine()),
    ...each("TP TQ", () => this.await("term")),
    ["RS", () => this.indent()],
    ["IP", ([tag = ""]) => this.tag(tag)],
    ...each("nf EX", () => this.setCode(true)),
    ...each("fi EE Ed", () => this.setCode(false)),
    ["OP", (words) => this.say(`[${words.join(" ")}]`)],
    ["SY", (words) => this.startLine(words.join(" "))],
    ...each("UR MT", ([link = ""]) => {
      this.link = link;
    }),
    ...each("UE ME", ([behind = ""]) => this.say(`<${this.link}>${behind}`)),
    ["TS", () => this.beginTable()],
    ["T&", () => this.say(NEXT_FORMAT)],
    ["TE", () => this.endTable()],
    ["EQ", () => this.leaveOut("EN")],
    ["so", ([file = ""]) => this.say(`See ${file}.`)],
    ["Dd", () => this.beginMdoc()],
    ["Nm", (words, args) => this.name(words, args)],
    ["Nd", (_, args) => this.say(`- ${this.mdoc(args)}`)],
    ["Ft", (_, args) => this.startLine(this.mdoc(args))],
    ["Fo", (words) => this.say(`${words.join(" ")}(${GLUE}`)],
    ["Fc", () => this.say(`${GLUE})`)],
    ["An", (words, args) => this.say(words[0]?.startsWith("-") === true ? "" : this.mdoc(args))],
    ["Ex", (words) => this.say(`The ${words[1] ?? this.page} utility exits 0 on success, and >0 if an error occurs.`)],
    ["Bd", (words) => this.setCode(words.includes("-literal") || words.includes("-unfilled"))],
    ...each("D1 Dl", (_, args) => this.sayCode(this.mdoc(args))),
    ["Bl", (words) => this.beginList(words.find((word) => LISTS.has(word)) ?? "-item")],
    ["El", () => this.endList()],
    ["It", (_, args) => this.item(args)],
    ["Xc", (_, args) => this.endLongTerm(this.mdoc(args))],
  ]);

  // --- text ---------------------------------------------------------------------------------------------------------

  private say(text: string): void {
    if (text === "") return;
    if (this.awaited !== null) this.role = this.awaited;
    if (this.table !== null) this.sayInTable(text);
    else this.text += (this.isCode && this.awaited === null ? "\n" : " ") + text;
    if (this.awaited !== null && !this.isLongTerm && !text.endsWith(GLUE)) this.endAwaited();
  }

  private endAwaited(): void {
    const { awaited } = this;
    this.awaited = null;
    this.end();
    if (awaited === "term") this.role = "definition";
  }

  private startLine(text: string): void {
    this.breakLine();
    this.say(text);
  }

  private breakLine(): void {
    if (this.table === null && !this.isCode) this.text += "\n";
  }

  private endParagraph(): void {
    if (this.isCode) this.text += "\n";
    else this.end();
  }

  private end(): void {
    const { writer, role } = this;
    const text = joined(this.text);
    this.text = "";
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
    else {
      this.learnTitle(text);
      write();
      writer.endBlock();
    }
  }

  private writeLines(text: string): void {
    for (const [at, line] of text.trim().split(/\n+/).entries()) {
      if (at > 0) this.writer.breakLine();
      this.writer.say(line);
    }
  }

  private sayCode(text: string): void {
    this.end();
    this.writer.code(joined(text));
  }

  // --- blocks -------------------------------------------------------------------------------------------------------

  private called(name: string, section: string): void {
    if (this.title === "") this.title = section === "" ? name : `${name}(${section})`;
  }

  /** The first paragraph of the first section says what the page is about, in every language. */
  private learnTitle(text: string): void {
    if (this.sections !== 1 || !/ [-–—−] /.test(text)) return;
    this.title = text;
    this.sections++;
  }

  private head(role: "section" | "subsection", text: string): void {
    this.setCode(false);
    if (role === "section") this.sections++;
    this.await(role);
    this.say(text);
  }

  private await(role: "term" | "section" | "subsection"): void {
    this.end();
    this.awaited = role;
  }

  private tag(tag: string): void {
    this.end();
    const number = NUMBER.exec(tag)?.[1];
    if (BULLET.test(tag) || number !== undefined) this.beginItem(number === undefined ? "-" : `${number}.`);
    else if (tag !== "") {
      this.awaited = "term";
      this.say(tag);
    }
  }

  /** What stands alone above a block that is set in is its term; a sentence is not. */
  private indent(): void {
    const isTerm = this.role === "paragraph" && !this.isCode && /^[^\n]{1,200}$/.test(this.text.trim());
    if (isTerm && !/[.:;!?]$/.test(joined(this.text).trim())) {
      this.role = "term";
      this.end();
      this.role = "definition";
    } else this.endParagraph();
  }

  private beginItem(marker: string): void {
    this.end();
    this.role = "item";
    this.marker = marker;
  }

  private setCode(isCode: boolean): void {
    this.end();
    this.isCode = isCode;
  }

  private leaveOut(end: string): void {
    this.endOfDrawing = end;
  }

  private beginTable(): void {
    this.end();
    this.table = [];
  }

  private sayInTable(text: string): void {
    if (!this.isInColumns() || this.table?.length === 0) this.table?.push(text);
    else this.table?.push(`${this.table.pop()} ${text}`);
  }

  private endTable(): void {
    const lines = (this.table ?? []).map(joined);
    const rows = this.isInColumns() ? lines.map((line) => line.split("\t")) : rowsOfTbl(lines);
    this.table = null;
    if (rows.length > 0) this.writer.table(rows.map((row) => row.map((cell) => cell.trim())));
  }

  // --- mdoc ---------------------------------------------------------------------------------------------------------

  private beginMdoc(): void {
    this.isMdoc = true;
  }

  private mdoc(args: readonly string[]): string {
    return mdocText(args, (word) => this.lines.plain(word), this.page);
  }

  private name(words: readonly string[], args: readonly string[]): void {
    if (this.page === "") this.page = words[0] ?? "";
    this.say(this.mdoc(["Nm", ...args]));
  }

  private beginList(type: string): void {
    if (type === "-column") this.beginTable();
    else this.end();
    this.lists.push({ type, items: 0 });
  }

  private endList(): void {
    if (this.isInColumns()) this.endTable();
    else this.end();
    this.lists.pop();
  }

  private isInColumns(): boolean {
    return this.lists.at(-1)?.type === "-column";
  }

  private item(args: readonly string[]): void {
    const list = this.lists.at(-1) ?? { type: "-item", items: 0 };
    const { type, items } = list;
    list.items++;
    if (type === "-column") this.table?.push(this.mdoc(args));
    else if (/^-(?:bullet|dash|hyphen|item|enum)$/.test(type)) this.beginItem(type === "-enum" ? `${items + 1}.` : "-");
    else {
      this.await("term");
      this.isLongTerm = args.includes("Xo") && !args.includes("Xc");
      this.say(this.mdoc(args));
    }
  }

  private endLongTerm(behind: string): void {
    this.isLongTerm = false;
    this.say(behind);
    if (this.awaited !== null) this.endAwaited();
  }
}

function joined(text: string): string {
  return text.replace(/[ \n]?\u0001(?![ \n])|\u0001[ \n]/g, "");
}

function each(macros: string, handler: Handler): [string, Handler][] {
  return macros.split(" ").map((macro) => [macro, handler]);
}
