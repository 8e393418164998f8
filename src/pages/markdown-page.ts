// Makes Markdown of a report: its blocks, then what is missing, how it was made, and the sources.
import type { Block, Quoting, Report } from "../run/report/report.ts";
import { textOf, type Run } from "./excerpt-lines.ts";
import { statedText } from "../run/report/source.ts";
import { codeBlock, codeSpan, plainCell, plainText, tableLines } from "./plain-markdown.ts";
import {
  blockOf,
  blankBefore,
  pageOf,
  type Excerpt,
  type Line,
  type PageBlock,
  type PageSection,
  type Sentence,
  type SourceEntry,
} from "./report-page.ts";
import { doubtOf, gapsBehind, marksBehind, marksOf, placeText, sidesOf, type Mark } from "./report-view.ts";
import { AGAINST, FOLLOWS, legendOf, OURS } from "./report-words.ts";
import type { ExcerptPart } from "./excerpt-parts.ts";

/** Equal reports give equal bytes, because no time, id or path of the run is written. */
export function reportMarkdown(report: Report): string {
  const page = pageOf(report);
  const legend = legendOf(page);
  const chunks = [
    `# ${plainText(page.title)}`,
    page.warnings.map((line) => `> ${plainText(line)}`).join("\n>\n"),
    ...page.sections.flatMap((section) => sectionTexts(section, report)),
    legend.length === 0 ? "" : `*${plainText(legend.join(" "))}*`,
    ...page.further.flatMap((section) => sectionTexts(section, report)),
  ];
  return `${chunks.filter((chunk) => chunk !== "").join("\n\n")}\n`;
}

/** Some of its blocks, as they are in the whole. */
export function blocksMarkdown(blocks: readonly Block[], report: Report): string {
  return sectionTexts({ title: null, blocks: blocks.flatMap((block) => blockOf(block, report)) }, report).join("\n\n");
}

function sectionTexts({ title, blocks }: PageSection, report: Report): string[] {
  const shown = blocks.map((block, at) => blockLines(block, report, blocks[at - 1]).join("\n"));
  return title === null ? shown : [`## ${plainText(title)}`, ...shown];
}

function blockLines(block: PageBlock, report: Report, before: PageBlock | undefined): string[] {
  switch (block.kind) {
    case "heading":
      return [`${"#".repeat(block.level)} ${plainText(block.text)}`];
    case "paragraph":
      return [lineText(block.line, report)];
    case "list": {
      // Markdown joins two lists in a row that have the same signs.
      const isSecond = before?.kind === "list" && before.ordered === block.ordered;
      const { start = 1 } = block;
      const sign = (at: number): string =>
        block.ordered ? `${start + at}${isSecond ? ")" : "."}` : isSecond ? "*" : "-";
      return block.items.map((item, at) => `${sign(at)} ${lineText(item, report)}`);
    }
    case "code":
      return [
        ...codeBlock(block.text, block.language),
        "",
        ...block.sentences.map((one) => tailText(one, report, plainText)),
      ];
    case "table": {
      const { caption, columns, rows } = block;
      const cells = rows.map((row) =>
        row.map((cell) => (typeof cell === "string" ? plainCell(cell) : sentencesText(cell, report, plainCell))),
      );
      const title = caption === undefined ? [] : [plainText(caption), ""];
      return [...title, ...tableLines([columns.map(plainCell), ...cells])];
    }
    case "excerpt":
      return excerptLines(block, report);
    case "map":
      return [];
    case "sources":
      return block.entries.flatMap(sourceLines);
  }
}

// --- sentences ----------------------------------------------------------------------------------------------------

function lineText({ gap, checked, lead, sentences, note }: Line, report: Report): string {
  const name = gap === undefined ? "" : `${plainText(gap)}. `;
  const box = checked === undefined ? "" : checked ? "[x] " : "[ ] ";
  const label = `${box}${name}${lead === undefined ? "" : `**${plainText(lead)}** `}`;
  const words = `${label}${sentencesText(sentences, report, plainText)}`.trimEnd();
  return `${words}${note === undefined ? "" : ` (${plainText(note)})`}`;
}

/** `plain` escapes text from outside for the place where the sentences are. */
function sentencesText(sentences: readonly Sentence[], report: Report, plain: typeof plainText): string {
  return sentences
    .map((one, at) => `${at === 0 ? "" : blankBefore(one)}${plain(one.text)}${tailText(one, report, plain)}`)
    .join("");
}

/** The marks and the doubt behind a sentence. No blank is before the marks, so that no line breaks there. */
function tailText({ resting }: Sentence, report: Report, plain: typeof plainText): string {
  return resting === null ? "" : `${marksText(resting, report, plain)}${doubtText(resting, plain)}`;
}

function marksText(resting: Quoting, report: Report, plain: typeof plainText): string {
  const listed = (marks: readonly Mark[]): string => marks.map(({ name }) => name).join(", ");
  const gaps = gapsBehind(resting, report).map(plain);
  const names = [...marksBehind(resting, report).map(({ name }) => name), ...gaps];
  const alone = (all: readonly string[]): string => all.map((name) => `[${name}]`).join("");
  const sides = sidesOf(resting, report);
  if (sides !== null) return `[${sides.map(listed).join(` ${AGAINST} `)}]${alone(gaps)}`;
  if (resting.basis === "suggested") return `[${OURS}; from ${names.join(", ")}]`;
  if (resting.basis !== "derived") return alone(names);
  const computed = resting.expression === undefined ? "" : `, computed as ${plain(`\`${resting.expression}\``)}`;
  return `[${FOLLOWS}${names.length === 0 ? "" : ` ${names.join(", ")}`}${computed}]`;
}

function doubtText(statement: Quoting, plain = plainText): string {
  const doubt = doubtOf(statement);
  return doubt === null ? "" : ` **(${plain(doubt)})**`;
}

// --- excerpts and sources -----------------------------------------------------------------------------------------

/** The quote with its marked sentences in bold, and below it `[1a] Handbook, Retention > Defaults, p. 12`. */
function excerptLines({ parts, statement, lacks }: Excerpt, report: Report): string[] {
  const quoted = parts.map((part) =>
    partLines(part)
      .map((line) => `> ${line}`.trimEnd())
      .join("\n"),
  );
  const places = marksOf(statement.quotes, report).map((mark) => `[${mark.name}] ${plainText(placeText(mark))}`);
  const lacking = lacks.length === 0 ? "" : ` (lacks: ${lacks.map((word) => plainText(word)).join(", ")})`;
  return [quoted.join("\n>\n"), "", `${places.join("; ")}${lacking}${doubtText(statement)}`];
}

/** A source, and below it its quotes by their letters. */
function sourceLines({ source, address, quotes }: SourceEntry): string[] {
  const { number, title, origin, source_digest } = source;
  const stated = statedText(source);
  const sign = `${number}. `;
  const lines = quotes.map(({ mark, place, words }) => {
    const where = place === "" ? "" : `${plainText(place)}: `;
    return `${" ".repeat(sign.length)}- ${mark.name}. ${where}${plainText(`“${words}”`)}`;
  });
  const where = address === null ? codeSpan(origin) : `<${address}>`;
  const end = /[.!?…。！？]$/u.test(title) ? "" : ".";
  const date = stated === undefined ? "" : `, ${plainText(stated)}`;
  return [`${sign}${plainText(title)}${end} ${where}${date}, \`${source_digest}\``, ...lines];
}

// --- lines of a quote ---------------------------------------------------------------------------------------------

/** A part of a quote as lines of Markdown. */
function partLines(part: ExcerptPart): string[] {
  switch (part.kind) {
    case "lines":
      return part.lines.map((line, at) => `${runsText(line)}${at < part.lines.length - 1 ? "\\" : ""}`);
    case "table":
      return tableLines(part.rows.map((row) => row.map((cell) => runsText(cell, plainCell))));
    case "code":
      return codeBlock(part.lines.map(textOf).join("\n"), part.language);
  }
}

/** A line of signs that makes a table of the line above it. */
const RULE = /^[\s|:-]+$/;
/** Put between bold text and a sign that touches it, where Markdown might show stars. */
const HAIR_SPACE = "\u200a";
const MAX_GAP = 12;

/** A line with its indent, and marked words in bold. */
function runsText(line: readonly Run[], plain = plainText): string {
  const whole = textOf(line);
  const [indent = ""] = whole.trimEnd().match(/^\s*/) ?? [];
  const escaped = spaced(RULE.test(whole) ? plainCell : plain);
  const words = line.map(({ text, isMarked }, at) => {
    const isTouched = { before: /\S$/.test(line[at - 1]?.text ?? ""), behind: /^\S/.test(line[at + 1]?.text ?? "") };
    if (isMarked) {
      return `${isTouched.before ? HAIR_SPACE : ""}**${escaped(text)}**${isTouched.behind ? HAIR_SPACE : ""}`;
    }
    if (text.trim() === "") return " ";
    return `${/^\s/.test(text) ? " " : ""}${escaped(text)}${/\s$/.test(text) ? " " : ""}`;
  });
  return `${fixed(indent)}${words.join("").trim()}`;
}

/** Keeps wide blanks, which set columns apart. */
function spaced(plain: typeof plainText): typeof plainText {
  return (text) =>
    text
      .trim()
      .split(/(\t\s*|\s{3,})/)
      .map((piece, at) => (at % 2 === 1 ? fixed(piece) : plain(piece)))
      .join("");
}

function fixed(blanks: string): string {
  return "\u00a0".repeat(Math.min(MAX_GAP, blanks.replaceAll("\t", "    ").length));
}
