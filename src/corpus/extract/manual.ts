// The text of a manual page from its source: the macros of man(7) and mdoc(7) become the Markdown that a reader would see.
import { ManualText } from "./manual-text.ts";
import { LEFT_OUT } from "./dom-placeholders.ts";
import { EqnDelimiters, isFormula } from "./eqn.ts";
import { isMdocMacro, mdocText } from "./mdoc-words.ts";
import { GLUE } from "./roff-escapes.ts";
import { RoffLines } from "./roff-lines.ts";
import { NEXT_FORMAT } from "./tbl-rows.ts";
import { withTitle } from "./title.ts";

export function textOfManual(source: string): string {
  return new ManualReader(source.replaceAll(GLUE, "")).read();
}

/** `words` are the arguments as readers see them, `args` as they are in the source. */
type Handler = (words: string[], args: string[]) => void;

/** Macros whose arguments are no text. */
const SILENT = new Set("PD DT AT UC IX HY Bf Ef Os Bk Ek Sm Tg Db Hf Rs Re LINKSTYLE".split(" "));
/** The macros of two letters set their arguments in one font and the other by turns, without a space between them. */
const FONTS = new Set("B I R C L SM SB CW BI BR IB IR RB RI".split(" "));
const SPACED_FONTS = new Set(["SM", "SB", "CW"]);
/** No drawing continues over them, also where its end is missing. */
const SECTIONS = new Set("SH SS Sh Ss".split(" "));
const LISTS = new Set("-bullet -dash -hyphen -item -enum -tag -hang -ohang -inset -diag -column".split(" "));

class ManualReader {
  private readonly lines: RoffLines;
  private readonly text = new ManualText();
  private isMdoc = false;
  /** Open lists of mdoc, the innermost last. */
  private readonly lists: { type: string; items: number }[] = [];
  /** What another program draws, up to the macro that ends it; null outside of it. */
  private drawing: { end: string; mark: string; lines: string[] } | null = null;
  private readonly delimiters = new EqnDelimiters();
  /** The title by `TH` or `Dt`, for a page whose text names none. */
  private heading = "";
  /** The name of the page's subject, which `Nm` repeats. */
  private subject = "";
  private link = "";

  constructor(source: string) {
    this.lines = new RoffLines(source, (macro) => FONTS.has(macro) || this.handlers.has(macro) || SILENT.has(macro));
  }

  read(): string {
    for (const { macro, args, text } of this.lines) {
      if (this.drawing !== null && !SECTIONS.has(macro ?? "")) {
        if (macro === this.drawing.end) this.endDrawing();
        else this.drawing.lines.push(text);
        continue;
      }
      if (this.drawing !== null) this.endDrawing();
      if (macro === null) this.text.line(this.delimiters.marked(text));
      else this.readMacro(macro, args);
    }
    if (this.drawing !== null) this.endDrawing();
    const text = this.text.finish();
    return withTitle(this.text.title || this.heading, { text });
  }

  private readMacro(macro: string, args: string[]): void {
    const { text } = this;
    const handle = this.handlers.get(macro);
    const words = args.map((arg) => this.delimiters.marked(this.lines.plain(arg)));
    if (handle !== undefined) handle(words, args);
    else if (this.isMdoc && isMdocMacro(macro)) text.say(this.mdoc([macro, ...args]));
    else if (FONTS.has(macro)) text.say(words.join(macro.length === 1 || SPACED_FONTS.has(macro) ? " " : ""));
    else if (/^[A-Z%]/.test(macro) && !SILENT.has(macro)) text.say(words.join(" "));
  }

  private readonly handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
    ...each("TH Dt", ([name = "", section = ""]) => {
      this.heading ||= section === "" ? name : `${name}(${section})`;
    }),
    ["SH", (words) => this.text.heading("section", words.join(" "))],
    ["SS", (words) => this.text.heading("subsection", words.join(" "))],
    ["Sh", (_, args) => this.text.heading("section", this.mdoc(args))],
    ["Ss", (_, args) => this.text.heading("subsection", this.mdoc(args))],
    ...each("PP LP P HP Pp Lp sp bp RE YS", () => this.text.endParagraph()),
    ...each("br ti in ce", () => this.text.breakLine()),
    ...each("TP TQ", () => this.text.awaitTerm()),
    ["RS", () => this.text.indent()],
    ["IP", ([tag = ""]) => this.text.tag(tag)],
    ...each("nf EX", () => this.text.setCode(true)),
    ...each("fi EE Ed", () => this.text.setCode(false)),
    ["OP", (words) => this.text.say(`[${words.join(" ")}]`)],
    ["SY", (words) => this.text.startLine(words.join(" "))],
    ...each("UR MT", ([link = ""]) => {
      this.link = link;
    }),
    ...each("UE ME", ([behind = ""]) => this.text.say(`<${this.link}>${behind}`)),
    ["TS", () => this.text.beginTable("tbl")],
    ["T&", () => this.text.say(NEXT_FORMAT)],
    ["TE", () => this.text.endTable()],
    ["EQ", () => this.beginDrawing("EN", LEFT_OUT.formula)],
    ["cstart", () => this.beginDrawing("cend", LEFT_OUT.formula)],
    [
      "PS",
      ([file = ""]) =>
        file.startsWith("<") ? this.text.say(LEFT_OUT.picture) : this.beginDrawing("PE", LEFT_OUT.picture),
    ],
    ["G1", () => this.beginDrawing("G2", LEFT_OUT.picture)],
    ["GS", () => this.beginDrawing("GE", LEFT_OUT.picture)],
    ...each("PSPIC PDFPIC", () => this.text.say(LEFT_OUT.picture)),
    ["so", ([file = ""]) => this.text.say(`See ${file}.`)],
    ...each("Dd", () => {
      this.isMdoc = true;
    }),
    ["Nm", (words, args) => this.name(words, args)],
    ["Nd", (_, args) => this.text.say(`- ${this.mdoc(args)}`)],
    ["Ft", (_, args) => this.text.startLine(this.mdoc(args))],
    ["Fo", (words) => this.text.say(`${words.join(" ")}(${GLUE}`)],
    ["Fc", () => this.text.say(`${GLUE})`)],
    ["An", (words, args) => this.text.say(words[0]?.startsWith("-") === true ? "" : this.mdoc(args))],
    [
      "Ex",
      ([, name = this.subject]) => this.text.say(`The ${name} utility exits 0 on success, and >0 if an error occurs.`),
    ],
    ["Bd", (words) => this.text.setCode(words.includes("-literal") || words.includes("-unfilled"))],
    ...each("D1 Dl", (_, args) => this.text.code(this.mdoc(args))),
    ["Bl", (words) => this.beginList(words.find((word) => LISTS.has(word)) ?? "-item")],
    ["El", () => this.endList()],
    ["It", (_, args) => this.item(args)],
    ["Xc", (_, args) => this.text.endLongTerm(this.mdoc(args))],
  ]);

  private beginDrawing(end: string, mark: string): void {
    this.drawing = { end, mark, lines: [] };
  }

  private endDrawing(): void {
    const { mark = "", lines = [] } = this.drawing ?? {};
    this.drawing = null;
    this.delimiters.learn(lines);
    if (mark !== LEFT_OUT.formula || isFormula(lines)) this.text.say(mark);
  }

  // --- mdoc ---------------------------------------------------------------------------------------------------------

  private mdoc(args: readonly string[]): string {
    return mdocText(args, (word) => this.lines.plain(word), this.subject);
  }

  private name(words: readonly string[], args: readonly string[]): void {
    this.subject ||= words[0] ?? "";
    this.text.say(this.mdoc(["Nm", ...args]));
  }

  private beginList(type: string): void {
    if (type === "-column") this.text.beginTable("mdoc");
    else this.text.end();
    this.lists.push({ type, items: 0 });
  }

  private endList(): void {
    if (this.lists.pop()?.type === "-column") this.text.endTable();
    else this.text.end();
  }

  private item(args: readonly string[]): void {
    const list = this.lists.at(-1) ?? { type: "-item", items: 0 };
    list.items++;
    if (list.type === "-column") this.text.row(this.mdoc(args), isSetApart(args));
    else if (list.type === "-enum") this.text.beginItem(`${list.items}.`);
    else if (/^-(?:bullet|dash|hyphen|item)$/.test(list.type)) this.text.beginItem("-");
    else this.text.term(this.mdoc(args), args.includes("Xo") && !args.includes("Xc"));
  }
}

/** True for a row of mdoc whose cells are all emphasized. */
function isSetApart(args: readonly string[]): boolean {
  const begins = args.filter((_, at) => at === 0 || args[at - 1] === "Ta");
  return begins.every((word) => word === "Sy" || word === "Em");
}

function each(macros: string, handler: Handler): [string, Handler][] {
  return macros.split(" ").map((macro) => [macro, handler]);
}
