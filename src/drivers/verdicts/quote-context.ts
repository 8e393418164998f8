// Puts a quote in its context for a model: the title of its document, the headings above it, and the sentences beside it.
import { sentencesOf } from "../../kernel/sentences.ts";
import { given } from "../../kernel/given.ts";
import { statedText } from "../../run/report/source.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Citation } from "../../run/report/research.ts";
import { PIECE_END } from "../../run/report/next-sentence.ts";
import type { Quote, Source } from "../../run/report/source.ts";
import { isTableRule } from "../../corpus/blocks/table-rows.ts";
import { placed } from "./quote-places.ts";

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
export function shownContext({ quote, title, origin, stated, heading, before, after }: QuoteInContext) {
  const below = heading[0] === title ? heading.slice(1) : heading;
  return {
    title,
    origin,
    ...given({ dated: stated }),
    ...(below.length === 0 ? {} : { heading: below.join(" > ") }),
    ...(before === "" ? {} : { before }),
    document_text: quote.text,
    ...(after === "" ? {} : { after }),
  };
}

/** Of the section that the quote is in. */
function neighbours(bytes: Uint8Array, { start, end, text }: Quote): { before: string; after: string } {
  const reached = decoded(bytes.subarray(Math.max(0, start - REACH_BYTES), start));
  const section = reached.split(SECTION_START).at(-1) ?? "";
  const before = columnsAbove(reached, text) ?? sentences(section).at(-1) ?? "";
  const [behind = ""] = decoded(bytes.subarray(end, end + REACH_BYTES)).split(SECTION_START);
  const after = sentences(behind)[0] ?? "";
  const last = before.slice(-MAX_NEIGHBOUR).toWellFormed();
  return { before: last === before ? last : last.replace(/^\S*\s+/u, ""), after: shortened(after, MAX_NEIGHBOUR) };
}

/** The names of the columns when a quote begins in a row of a table, since the row alone says little. Else null. */
function columnsAbove(before: string, quote: string): string | null {
  const lines = before.split("\n");
  const isRow = (line: string): boolean => line.trimStart().startsWith("|");
  if (!isRow(`${lines.pop() ?? ""}${quote}`)) return null;
  const names = lines.slice(lines.findLastIndex((line) => !isRow(line)) + 1);
  return isTableRule(names[1] ?? "") ? (names[0]?.trim() ?? null) : null;
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
