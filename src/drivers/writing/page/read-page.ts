// Reads a page that a model wrote in Markdown with marks into blocks and statements. It judges nothing.
import { shortened } from "../../../kernel/shortened.ts";
import type { Block } from "../../../run/report/report.ts";
import { idsIn } from "../../../run/report/statements.ts";
import { liftMarks, MARK_PLACE, namedBy, withMarks, type Mark } from "./marks.ts";
import { PageReader } from "./page-reader.ts";
import { tokensOf } from "./tokens.ts";
import { unwrapped } from "./wrapping.ts";
import {
  labelsOf,
  linkStatements,
  nextId,
  type Titles,
  type WrittenPage,
  type WrittenStatement,
} from "./written-page.ts";

export const MAX_PAGE_LENGTH = 60_000;
/** Of 30 characters on the average. The parser of Markdown takes longer for each line than for all of its words. */
const MAX_PAGE_LINES = 2_000;

export interface Reading {
  /** The number of the first statement; by default 1. */
  firstId?: number;
  /** Set when a section is read: its heading, if the writer gave it none. */
  section?: string;
}

export function readPage(source: string, titles: Titles, { firstId = 1, section }: Reading = {}): WrittenPage {
  const whole = shortened(source, MAX_PAGE_LENGTH).split("\n");
  const { page, taken } = unwrapped(whole.slice(0, MAX_PAGE_LINES).join("\n"));
  if (source.length > MAX_PAGE_LENGTH || whole.length > MAX_PAGE_LINES)
    taken.push({ what: "what goes beyond the length of a page", text: "" });
  const { text, marks } = liftMarks(page);
  const reader = new PageReader(marks, titles, taken, firstId);
  reader.read(tokensOf(text));
  const { blocks: read, statements } = reader;
  let { title } = reader;
  // A title with text right below it is the heading of the answer, and the title of a section is its heading.
  if (title !== undefined && (section !== undefined || read[0]?.kind !== "heading")) {
    if (read.length > 0) read.unshift({ kind: "heading", level: 2, text: title });
    title = undefined;
  }
  const blocks = section === undefined ? withAnswer(read) : asSection(read, section);
  return { title, blocks, statements, labels: labelsOf(blocks, title), taken };
}

const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})/u;
/** The form of a mark at the end of code: `[c1]` or `[= 2 * 3]`. In contrast, `a[1]` and `f(c1)` are code. */
const MARK_IN_CODE = /^\\?[[【［](?:\s*=|.*[csg]\d)/iu;

/** Reads code that is written again, in a fence or not, with its marks behind or below it. Null without code. */
export function readCode(source: string): { statement: WrittenStatement | null; taken: WrittenPage["taken"] } {
  const { text, marks } = liftMarks(source);
  const { inside, below } = outOfFence(text);
  const { code, behind } = marksBehind(inside, marks);
  const named = namedBy([...(behind + below).matchAll(MARK_PLACE)].flatMap(([, at]) => marks[Number(at)] ?? []));
  const shown = withMarks(code, marks)
    .replace(/^\s*\n/u, "")
    .trimEnd();
  const words = below.replace(MARK_PLACE, "").trim();
  const taken = words === "" ? [] : [{ what: "words beside code", text: words }];
  if (shown === "") return { statement: null, taken };
  return { statement: { statement_id: "s1", text: shown, place: { kind: "code" }, ...named }, taken };
}

/** The text inside a fence and below it. A fence without an end holds all that follows. */
function outOfFence(text: string): { inside: string; below: string } {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  const fence = FENCE.exec(lines[first] ?? "")?.[1];
  if (fence === undefined) return { inside: text, below: "" };
  const isEnd = (line: string): boolean =>
    line.trimStart().startsWith(fence) && /^[`~]+(?:\s|\ue000|$)/u.test(line.trimStart());
  const end = lines.findIndex((line, at) => at > first && isEnd(line));
  const last = end === -1 ? lines.length : end;
  const below = lines
    .slice(last)
    .join("\n")
    .trimStart()
    .replace(/^[`~]+/u, "");
  return { inside: lines.slice(first + 1, last).join("\n"), below };
}

/** Cuts off the marks at the end of code, which a space or a line sets apart. */
function marksBehind(text: string, marks: readonly Mark[]): { code: string; behind: string } {
  const places = [...text.matchAll(MARK_PLACE)];
  let first = places.length;
  for (let end = text.length; first > 0; first--) {
    const { index = 0, 0: place = "" } = places[first - 1] ?? {};
    if (text.slice(index + place.length, end).trim() !== "") break;
    end = index;
  }
  const isApart = ([, at]: RegExpExecArray): boolean => {
    const { raw = "", isSpaced } = marks[Number(at)] ?? {};
    return isSpaced !== true && MARK_IN_CODE.test(raw);
  };
  const begin = places.slice(first).find(isApart)?.index ?? text.length;
  return { code: text.slice(0, begin), behind: text.slice(begin) };
}

/** As `readPage`, for a writer who saw the statements in `shown` and may name them. */
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

/** The page with what was submitted above its sections. A section that is submitted again is left out, since it is there. */
export function readAboveSections(
  source: string,
  titles: Titles,
  body: WrittenPage,
  shown: WrittenPage | null,
  outlined: string | undefined,
): WrittenPage {
  const read = readPage(source, titles, { firstId: nextId(body) });
  const known = new Set(body.blocks.flatMap((block) => (block.kind === "heading" ? [block.text] : [])));
  const at = read.blocks.findIndex((block) => block.kind === "heading" && known.has(block.text));
  const end = at === -1 ? read.blocks.length : at;
  const taken = [...read.taken, ...(at === -1 ? [] : [{ what: "sections that were written before", text: "" }])];
  // The first heading is of level 2, and further ones are below it.
  const above = read.blocks.slice(0, end).map((block, index) => (index === 0 ? block : belowHeading(block)));
  const isAbove = new Set(above.flatMap(idsIn));
  const own = new Map([...read.statements].filter(([id]) => isAbove.has(id)));
  const statements = new Map([...body.statements, ...own]);
  linkStatements(own.values(), statements, shown?.statements ?? body.statements);
  const blocks = [...above, ...body.blocks];
  const title = read.title ?? outlined;
  const before = { statements: body.statements.size, blocks: body.blocks.length };
  return { title, blocks, statements, labels: labelsOf(blocks, title), taken, before };
}

function belowHeading(block: Block): Block {
  return block.kind === "heading" ? { ...block, level: Math.max(3, block.level) } : block;
}

/** Raises headings so that the highest has level 2. A heading that begins the page gets the role of the answer. */
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

/** The section with its own heading of level 2, or else the given one. All further headings are smaller. */
function asSection(blocks: readonly Block[], heading: string): Block[] {
  const [first, second] = blocks;
  if (first === undefined) return [];
  const isTwice = first.kind === "heading" && second?.kind === "heading" && first.text === second.text;
  const rest = blocks.slice(first.kind === "heading" ? (isTwice ? 2 : 1) : 0);
  return [
    { kind: "heading", level: 2, text: first.kind === "heading" ? first.text : heading },
    ...rest.map(belowHeading),
  ];
}
