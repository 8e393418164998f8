// The tools `open` and `find`: they read a document from the passage that was found, and look for words in it. Places are
// characters from its beginning.
import { contentWords, wordsOf } from "../../corpus/terms.ts";
import { z } from "../../kernel/schema.ts";
import { shortened } from "../../kernel/shortened.ts";
import type { Tool, ToolAnswer } from "../../ports/driver.ts";
import { objectTool } from "./object-tool.ts";
import { addressOf, linksOf, linksShownIn } from "./page-links.ts";
import { isSafeToRead, openedOf, readSource, type ReadSource } from "./read-source.ts";
import type { ReadingOptions } from "./reading-tools.ts";
import { overLimit } from "./request-limit.ts";
import { ResearchState } from "./research-state.ts";
import { answered, refused } from "./tool-answers.ts";

const SLICE_LENGTH = 4_000;
const MAX_SLICE_LENGTH = 12_000;
/** Shown before the passage that was found, at the most. */
const BEFORE_PASSAGE = 1_000;

export function openTool(options: ReadingOptions): Tool {
  const { messages, limits } = options;
  return objectTool({
    name: "open",
    description: `Shows a document around the passage that was found, some ${SLICE_LENGTH} characters of whole paragraphs; from, to and length are counted in characters. Read on with from = the last to. Several openings in one reply are welcome.`,
    schema: z.object({
      document: documentName,
      from: z.number().int().min(0).optional().describe("where to begin; without it, shortly before the passage"),
      size: z.number().int().min(500).max(MAX_SLICE_LENGTH).optional().describe("how many characters to show"),
    }),
    isSafe: ({ document }) => isSafeToRead(options, document),
    async run({ document, from, size }) {
      const over = overLimit(new ResearchState(messages()), limits);
      if (over !== null) return over;
      const source = await readSource(options, document);
      if ("is_error" in source) return source;
      return await shownSlice(options, source, { from, size });
    },
  });
}

/** Of a page of the web, the links whose words stand in the slice are told with it, where the run may follow them. */
export async function shownSlice(
  { tools }: Pick<ReadingOptions, "tools">,
  source: ReadSource,
  { from, size = SLICE_LENGTH }: { from?: number | undefined; size?: number | undefined } = {},
): Promise<ToolAnswer> {
  const text = decoded(source.text);
  if (from !== undefined && from >= text.length)
    return refused(`The document has ${text.length} characters: there is nothing from ${from} on.`);
  const { document, title, origin, source_digest, media_type = "" } = source;
  const isPage = /html/.test(media_type) && addressOf(origin) !== null;
  const bytes = isPage ? await tools.pages?.bytesOf(source_digest) : undefined;
  const all = bytes === undefined ? [] : await linksOf(bytes, origin);
  const slice = sliceOf(text, from ?? landing(text, source), Math.min(size, tools.resultLength));
  const links = linksShownIn(slice.document_text, all);
  const opened = { document, title, origin, ...slice, ...(links.length === 0 ? {} : { links }) };
  return answered({ opened }, { opened: openedOf(source) });
}

const documentName = z.string().describe('the name that a search gave it, as "d3" or "d3.2"');

/** The beginning of the paragraph that holds the passage, or of one shortly before. */
function landing(text: string, { text: bytes, at }: ReadSource): number {
  const place = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, at)).length;
  if (place <= BEFORE_PASSAGE) return 0;
  const paragraph = text.indexOf("\n\n", place - BEFORE_PASSAGE);
  return paragraph < 0 || paragraph >= place ? place : paragraph + 2;
}

/** From there on, up to the end of the last paragraph that fits; else of a line, else of a word. */
function sliceOf(text: string, from: number, most: number) {
  const start = isInsidePair(text, from) ? from - 1 : from;
  const to = start + most >= text.length ? text.length : endBefore(text, start, start + most);
  return { from: start, to, length: text.length, document_text: text.slice(start, to) };
}

function endBefore(text: string, start: number, limit: number): number {
  const earliest = start + (limit - start) / 2;
  for (const border of ["\n\n", "\n", " "]) {
    const at = text.lastIndexOf(border, limit - border.length);
    if (at > earliest) return at + border.length;
  }
  return isInsidePair(text, limit) ? limit - 1 : limit;
}

function isInsidePair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && at > 0;
}

// --- find ---------------------------------------------------------------------------------------------------------

const MAX_PLACES = 8;
const SHOWN_PARAGRAPH = 500;

export function findTool(options: ReadingOptions): Tool {
  const { messages, limits } = options;
  return objectTool({
    name: "find",
    description:
      "Finds the paragraphs of one document that hold the words, those with most of them first. Gives the place of each, to open it there.",
    schema: z.object({ document: documentName, words: z.string().min(1).max(200) }),
    isSafe: ({ document }) => isSafeToRead(options, document),
    async run({ document, words }) {
      const over = overLimit(new ResearchState(messages()), limits);
      if (over !== null) return over;
      const source = await readSource(options, document);
      if ("is_error" in source) return source;
      const places = placesOf(decoded(source.text), words);
      const shown = places.slice(0, MAX_PLACES).map(({ from, text }) => ({
        from,
        document_text: shortened(text, SHOWN_PARAGRAPH),
      }));
      return answered({ document: source.document, places: shown, of: places.length }, { opened: openedOf(source) });
    },
  });
}

interface Place {
  from: number;
  text: string;
  held: number;
}

/** Kept at the beginning of the paragraph behind it, so that no place moves. */
const BETWEEN_PARAGRAPHS = /(?=\n[^\S\n]*\n)/;

/** A word of three letters and more is also found at the beginning of a longer one. */
function isForm(word: string, wanted: string): boolean {
  return word === wanted || (wanted.length >= 3 && word.startsWith(wanted));
}

export function placesOf(text: string, asked: string): Place[] {
  const wanted = contentWords(asked);
  const places: Place[] = [];
  let from = 0;
  for (const paragraph of text.split(BETWEEN_PARAGRAPHS)) {
    const held = wordsOf(paragraph);
    const count = wanted.filter((word) => held.some((one) => isForm(one, word))).length;
    const words = paragraph.trimStart();
    if (count > 0) places.push({ from: from + paragraph.length - words.length, text: words.trimEnd(), held: count });
    from += paragraph.length;
  }
  return places.sort((left, right) => right.held - left.held || left.from - right.from);
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
