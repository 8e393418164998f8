// Markdown for a terminal, wrapped to its width. Others wrote the text, so nothing in it may steer the terminal.
import { shownText } from "../../kernel/shown-text.ts";
import { MAX_WIDTH } from "./layout.ts";

/** Below it a table has no room for its words. */
const MIN_WIDTH = 20;

export interface RenderedAs {
  /** Columns of the terminal. */
  columns: number;
  hasColours: boolean;
  /** Lines and bullets are drawn with signs of ASCII. */
  inAscii?: boolean;
}

export function renderedMarkdown(markdown: string, { columns, hasColours, inAscii = false }: RenderedAs): string {
  const width = Math.max(MIN_WIDTH, Math.min(columns, MAX_WIDTH));
  const rendered = Bun.markdown.ansi(shownText(markdown), {
    columns: width,
    colors: hasColours,
    hyperlinks: hasColours,
  });
  const lines = harmless(rendered).replace(SAME_TWICE, "$1").split("\n");
  const shown = lines.map((line) => (isTooWide(line, width) ? Bun.wrapAnsi(line, width) : line)).join("\n");
  return inAscii ? shown.replace(DRAWN, (sign) => IN_ASCII[sign] ?? "+") : shown;
}

/** What the renderer draws with: corners and crossings are `+`. */
const DRAWN = /[\u2500-\u257f•☐☒]/gu;
const IN_ASCII: Readonly<Record<string, string>> = { "─": "-", "═": "=", "│": "|", "•": "*", "☐": "[ ]", "☒": "[x]" };

/** Where a terminal has no links, an address that is its own text comes out twice; it may be cut at the edge. */
const SAME_TWICE = /(https?:\/\/\S+) \(\s*\1\)/g;
/** A terminal link (OSC 8) to anything but a web page or a mail address. */
// oxlint-disable-next-line no-control-regex
const ODD_LINK = /\u001b\]8;;(?!https?:|mailto:|\u001b)[^\u001b]*\u001b\\/gi;
/** Characters that a Markdown entity may have produced: embeddings, overrides, isolates, and the second set of controls. */
const UNWANTED = /[\u0080-\u009f\u202a-\u202e\u2066-\u2069]/g;

function harmless(rendered: string): string {
  return rendered.replace(UNWANTED, "").replace(ODD_LINK, "");
}

/** Only headings can be too wide: rows of tables fit, and lines of code stay as they are. */
function isTooWide(line: string, width: number): boolean {
  return Bun.stringWidth(line) > width && !/^[|│]/.test(Bun.stripANSI(line));
}
