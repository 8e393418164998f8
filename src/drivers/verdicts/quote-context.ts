// Puts a quote in its context for a model: the title of its document, the headings above it, its row and columns, and the
// sentences beside it.
import { sentencesOf } from "../../kernel/sentences.ts";
import { given } from "../../kernel/given.ts";
import { statedText } from "../../run/report/source.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Citation } from "../../run/report/research.ts";
import { PIECE_END } from "../../run/report/next-sentence.ts";
import type { Quote, Source } from "../../run/report/source.ts";
import { placed } from "./quote-places.ts";
import { tableAround, type InTable } from "./quote-row.ts";

const REACH_BYTES = 2_000;
const MAX_NEIGHBOUR = 300;
const STEP_NUMBER = /^\s*\p{N}+[.)](?:\s+|$)/u;
const IS_HEADING = /^\s*#{1,6}\s/u;
const SECTION_START = /\n\s*#{1,6}\s[^\n]*(?=\n|$)/u;
/** The address of a document from outside. The origin of a file begins with the name of its corpus. */
const IS_ADDRESS = /^[a-z][a-z0-9+.-]*:/iu;

export interface QuoteInContext {
  /** The id that the writer knows it by. The verifier uses it in its reasons, which the writer reads. */
  name?: string;
  quote: Quote;
  title: string;
  origin: string;
  /** `2018-11-26, version 3.40`: what the document states of itself. */
  stated?: string;
  heading: string[];
  /** Of a quote from inside of a row: its first cell, and the names of the columns that the quote spans. */
  row?: string;
  column?: string;
  before: string;
  after: string;
}

type Reading = Pick<TaskTools, "sourceText" | "signal">;

/** In the order of the citations. */
export async function inContext(
  citations: readonly Pick<Citation, "quote">[],
  sources: readonly Pick<Source, "source_digest" | "title" | "origin" | "dated" | "version">[],
  tools: Reading,
): Promise<QuoteInContext[]> {
  const known = new Map(sources.map((source) => [source.source_digest, source]));
  const contexts: QuoteInContext[] = [];
  for (const { quote } of citations) {
    const bytes = await tools.sourceText(quote.source_digest);
    const { title = "", origin = "", ...source } = known.get(quote.source_digest) ?? {};
    contexts.push({
      quote,
      title,
      origin,
      ...given({ stated: statedText(source) }),
      heading: quote.anchor?.section ?? [],
      ...neighbours(bytes, quote),
    });
  }
  return contexts;
}

/** The citations with their places, and each in its context. */
export async function placedInContext(
  citations: readonly Citation[],
  sources: readonly Source[],
  tools: Reading,
): Promise<{ citations: Citation[]; contexts: QuoteInContext[] }> {
  const found = await placed(citations, sources, tools);
  return { citations: found, contexts: await inContext(found, sources, tools) };
}

/** True for a document from outside, whose author may have written orders to the models that read it. */
export function isFromOutside({ origin }: QuoteInContext): boolean {
  return IS_ADDRESS.test(origin);
}

/** The fields that a model is shown, all of which are data. */
export function shownContext({ quote, title, origin, stated, heading, row, column, before, after }: QuoteInContext) {
  const below = heading[0] === title ? heading.slice(1) : heading;
  return {
    title,
    origin,
    ...given({ dated: stated }),
    ...(below.length === 0 ? {} : { heading: below.join(" > ") }),
    ...given({ row, column }),
    ...(before === "" ? {} : { before }),
    document_text: quote.text,
    ...(after === "" ? {} : { after }),
  };
}

/** Of the section that the quote is in, or of its table. */
function neighbours(
  bytes: Uint8Array,
  { start, end, text, anchor }: Quote,
): Pick<QuoteInContext, "row" | "column" | "before" | "after"> {
  const reached = decoded(bytes.subarray(Math.max(0, start - REACH_BYTES), start));
  const section = reached.split(SECTION_START).at(-1) ?? "";
  const table = tableAround(reached, { text, anchor });
  const before =
    table === null ? (sentences(section).at(-1) ?? "") : table.cell === undefined ? rowOf(table.columns) : "";
  const [behind = ""] = decoded(bytes.subarray(end, end + REACH_BYTES)).split(SECTION_START);
  const after = sentences(behind)[0] ?? "";
  const last = before.slice(-MAX_NEIGHBOUR).toWellFormed();
  return {
    ...(table?.cell === undefined ? {} : cellOf(table.cell)),
    before: last === before ? last : last.replace(/^\S*\s+/u, ""),
    after: shortened(after, MAX_NEIGHBOUR),
  };
}

function rowOf(cells: readonly string[]): string {
  return cells.some((cell) => cell !== "") ? `| ${cells.join(" | ")} |` : "";
}

function cellOf({ row, columns }: NonNullable<InTable["cell"]>): Pick<QuoteInContext, "row" | "column"> {
  const column = columns.filter((name) => name !== "").join(" | ");
  return {
    ...(row === "" ? {} : { row: shortened(row, MAX_NEIGHBOUR) }),
    ...(column === "" ? {} : { column: shortened(column, MAX_NEIGHBOUR) }),
  };
}

/** The text of bytes whose ends may have been cut inside a character. */
function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replace(/^\ufffd+|\ufffd+$/gu, "");
}

/** The sentences of a text. Items, rows and paragraphs end sentences, and headings are left out. */
function sentences(text: string): string[] {
  return text
    .split(PIECE_END)
    .filter((piece) => !IS_HEADING.test(piece))
    .map((piece) => piece.replace(STEP_NUMBER, "").replace(/\s+/gu, " "))
    .flatMap((piece) => sentencesOf(piece).map(({ start, end }) => piece.slice(start, end)))
    .filter((segment) => /[\p{L}\p{N}]/u.test(segment));
}
