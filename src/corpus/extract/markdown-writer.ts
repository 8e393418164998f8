// Writes plain Markdown block by block: headings, paragraphs, list items, terms, tables, code, quotations. Inside of them there
// are no marks, and lines end only where the source breaks them.

const MAX_HEADING_LEVEL = 6;
/** With this indent the text behind a list item is read as its next paragraph. */
const ITEM_INDENT = "    ";
const LIST_INDENT = "  ";
/** A line end before text that would be read as a heading, fence, rule, row, definition or link. */
const OPENS_ANOTHER_BLOCK = /\n(?=#{1,6}(?:\s|$)|`{3}|~{3}|[-=*_ ]+(?:\n|$)|[|>[]|:|<h\d)/gi;

export class MarkdownWriter {
  private readonly blocks: string[] = [];
  private open = "";
  private hasBreak = false;
  private hasText = false;
  /** What stands for a picture, until the sentence continues behind it. */
  private standIn = "";
  private quotationDepth = 0;
  private listDepth = 0;
  /** The mark of a list item until its first text is written. */
  private marker: string | null = null;
  private isBehindTerm = false;
  /** The section that the next block belongs to, below whose entries it would stand. */
  private resumed: { level: number; text: string } | null = null;

  /** Adds text to the open block. */
  say(text: string): void {
    const isBlank = text.trim() === "";
    if (isBlank && this.standIn !== "") {
      this.standIn += " ";
      return;
    }
    if (!isBlank) {
      this.open += this.standIn;
      this.standIn = "";
      this.hasText = true;
      if (this.hasBreak) this.open += "\n";
      this.hasBreak = false;
    }
    this.open += text.replace(/\s+/g, " ");
  }

  /** Adds words for what is no text. They count in the middle of a sentence; at its start or end it is an ornament. */
  sayInstead(words: string): void {
    if (this.hasText) this.standIn += words.replace(/\s+/g, " ");
  }

  /** Ends the line. Two breaks in a row end the paragraph. */
  breakLine(): void {
    if (this.hasBreak) this.endBlock();
    else this.hasBreak = true;
  }

  endBlock(): void {
    const text = this.takeOpen();
    if (text !== "") this.add(asParagraph(text), this.marker === null ? "\n\n" : "\n");
  }

  /** Ends the open block as a heading. Returns its text. */
  endHeading(level: number): string {
    const text = this.takeOpen()
      .replaceAll("\n", " ")
      .replace(/ +(?=,)/g, "");
    if (text === "") return text;
    // It ends the entries by itself.
    if (this.resumed !== null && level <= this.resumed.level + 1) this.resumed = null;
    // A heading inside of a list item or a quotation begins no section.
    if (this.listDepth > 0 || this.quotationDepth > 0) this.add(text, "\n\n");
    else this.add(`${"#".repeat(Math.min(level, MAX_HEADING_LEVEL))} ${text}`, "\n\n");
    return text;
  }

  /** Ends the entries of a section: its heading is written once more if anything but a heading follows. */
  resumeSection(level: number, text: string): void {
    if (this.listDepth === 0 && this.quotationDepth === 0 && text !== "") this.resumed = { level, text };
  }

  code(text: string): void {
    this.endBlock();
    const lines = text
      .replace(/\r\n?/g, "\n")
      .trimEnd()
      .replace(/^(\s*\n)+/, "");
    if (lines === "") return;
    const longest = Math.max(2, ...(lines.match(/`{3,}/g) ?? []).map((fence) => fence.length));
    const fence = "`".repeat(longest + 1);
    this.marker = null;
    this.isBehindTerm = false;
    this.push("\n\n", `${fence}\n${lines}\n${fence}`);
  }

  /** The first row has the names of the columns, and is empty where nothing shows that the table has any. */
  table(rows: readonly (readonly string[])[]): void {
    this.endBlock();
    const columns = Math.max(...rows.map((row) => row.length));
    const lines = rows.map((row) => rowLine([...row, ...Array<string>(columns - row.length).fill("")]));
    lines.splice(1, 0, rowLine(Array<string>(columns).fill("---")));
    this.marker = null;
    this.isBehindTerm = false;
    this.push("\n\n", lines.join("\n"));
  }

  inQuotation(write: () => void): void {
    this.endBlock();
    this.quotationDepth++;
    write();
    this.endBlock();
    this.quotationDepth--;
  }

  /** Terms are below each other, above their definition. Inside of lists and quotations they are paragraphs. */
  inTerm(write: () => void): void {
    this.endBlock();
    write();
    const text = this.takeOpen();
    if (text === "") return;
    const separator = this.isBehindTerm ? "\n" : "\n\n";
    this.add(asParagraph(text), separator);
    this.isBehindTerm = this.listDepth === 0 && this.quotationDepth === 0;
  }

  inDefinition(write: () => void): void {
    this.endBlock();
    if (this.isBehindTerm) this.marker = ":";
    write();
    this.endBlock();
    this.marker = null;
  }

  inListItem(marker: string, write: () => void): void {
    this.endBlock();
    this.marker = marker;
    this.listDepth++;
    write();
    this.endBlock();
    this.listDepth--;
    this.marker = null;
  }

  finish(): string {
    this.endBlock();
    return this.blocks.slice(1).join("");
  }

  private takeOpen(): string {
    const text = this.open
      .replace(/ *\n */g, "\n")
      .replace(/ +/g, " ")
      .trim()
      .replace(OPENS_ANOTHER_BLOCK, " ");
    this.open = "";
    this.hasBreak = false;
    this.hasText = false;
    this.standIn = "";
    return text;
  }

  private push(separator: string, text: string): void {
    const { resumed } = this;
    this.resumed = null;
    if (resumed !== null)
      this.blocks.push("\n\n", `${"#".repeat(Math.min(resumed.level, MAX_HEADING_LEVEL))} ${resumed.text}`);
    this.blocks.push(resumed === null ? separator : "\n\n", text);
  }

  private add(text: string, separator: string): void {
    const quotation = "> ".repeat(this.quotationDepth);
    const indent = LIST_INDENT.repeat(Math.max(0, this.listDepth - 1));
    const start = this.marker === null ? (this.listDepth > 0 ? ITEM_INDENT : "") : `${indent}${this.marker} `;
    this.marker = null;
    this.isBehindTerm = false;
    const nextLine = `\n${quotation}${this.listDepth > 0 ? ITEM_INDENT : ""}`;
    this.push(separator, `${quotation}${start}${text.replaceAll("\n", nextLine)}`);
  }
}

/** Indents a paragraph that would be read as a heading or a fence. */
function asParagraph(text: string): string {
  return /^(#{1,6}(\s|$)|`{3,}|~{3,})/.test(text) ? `    ${text}` : text;
}

/** A bar would end a cell. */
function rowLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
