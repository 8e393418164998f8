// The tool `find`: the paragraphs, items and rows of one document that hold some words, cut at sentences.
import { blocksOf, PROSE_KINDS } from "../../corpus/blocks/blocks.ts";
import { rowsOf, type TableRow } from "../../corpus/blocks/table-rows.ts";
import { formatOf, type Format } from "../../corpus/formats/formats.ts";
import { contentWords, wordsOf } from "../../corpus/words/terms.ts";
import { decodedText } from "../../kernel/decoded-text.ts";
import { sentencesOf, type Span } from "../../kernel/sentences.ts";
import { shortened } from "../../kernel/shortened.ts";
import { z } from "../../kernel/zod.ts";
import type { Tool } from "../../ports/driver.ts";
import { nameForText } from "../sources/text-name.ts";
import { documentName, isInsidePair } from "./document-tools.ts";
import { answered, isSafeToRead, openedOf, readSource, requestTool, type Reading } from "./reading.ts";

const MAX_PLACES = 8;
const SHOWN_PARAGRAPH = 500;
/** The least that is shown of a long place behind the first of the words. */
const LEAST_BEHIND = 150;
const MOST_BEFORE = 150;

export function findTool(options: Reading): Tool {
  return requestTool(options, {
    name: "find",
    description:
      "Finds the paragraphs, items and rows of one document that hold the words: first those that hold them in this order, then those with most of them. Gives the place of each, to open it there. Of a long one whole sentences are shown, with cut: true.",
    schema: z.object({ document: documentName, words: z.string().min(1).max(200) }),
    isSafe: ({ document }) => isSafeToRead(options, document),
    async run({ document, words }) {
      const source = await readSource(options, document);
      if ("is_error" in source) return source;
      const { media_type = "", origin } = source;
      const places = placesOf(decodedText(source.text), formatOf(nameForText({ media_type, origin })), words);
      const shown = places.slice(0, MAX_PLACES).map(({ from, columns, ...place }) => {
        const { start, end } = shownOf(place);
        const isCut = end - start < place.text.length;
        const document_text = shortened(place.text.slice(start), end - start);
        return { from: from + start, columns, document_text, ...(isCut && { cut: true }) };
      });
      return answered({ document: source.document, places: shown, of: places.length }, { opened: openedOf(source) });
    },
  });
}

interface Place {
  from: number;
  text: string;
  isProse: boolean;
  /** The names of the columns above a row. */
  columns?: string | undefined;
  held: number;
  /** True when it has the words in their order. */
  isPhrase: boolean;
  /** The offset of the first of the words in the text. */
  at: number;
}

/** The sentences (of code and rows, the lines) around the first of the words that fit. Only one that does not fit alone is cut. */
function shownOf({ text, isProse, at }: Pick<Place, "text" | "isProse" | "at">): Span {
  if (text.length <= SHOWN_PARAGRAPH) return { start: 0, end: text.length };
  const pieces = isProse ? sentencesOf(text) : linesOf(text);
  const hit = Math.max(
    0,
    pieces.findLastIndex(({ start }) => start <= at),
  );
  const first = (pieces[hit]?.end ?? text.length) <= SHOWN_PARAGRAPH ? 0 : hit;
  const start = pieces[first]?.start ?? 0;
  const fitting = pieces.findLast(({ end }) => end - start <= SHOWN_PARAGRAPH);
  if (fitting !== undefined && fitting.end > start) return { start, end: fitting.end };
  const from = at - start + LEAST_BEHIND < SHOWN_PARAGRAPH ? start : wordBefore(text, at);
  return { start: from, end: Math.min(text.length, from + SHOWN_PARAGRAPH) };
}

function linesOf(text: string): Span[] {
  return [...text.matchAll(/[^\r\n]*\S[^\r\n]*/gu)].map(({ index, 0: line }) => ({
    start: index,
    end: index + line.length,
  }));
}

/** The start of a word shortly before `at`; of half a character, the other half. */
function wordBefore(text: string, at: number): number {
  const blank = text.indexOf(" ", at - MOST_BEFORE);
  const start = blank === -1 || blank >= at ? at : blank + 1;
  return isInsidePair(text, start) ? start - 1 : start;
}

/** A word of three letters and more is also found at the beginning of a longer one. */
function isForm(word: string, wanted: string): boolean {
  return word === wanted || (wanted.length >= 3 && word.startsWith(wanted));
}

export function placesOf(text: string, format: Format, query: string): Place[] {
  const wanted = contentWords(query);
  const phrase = query.trim().toLowerCase();
  const places: Place[] = [];
  for (const block of blocksOf(text, format)) {
    const pieces: Iterable<TableRow> = block.kind === "table" ? rowsOf(text, block) : [block];
    for (const { start, end, columns } of pieces) {
      const words = text.slice(start, end);
      const held = wordsOf(`${columns ?? ""}\n${words}`);
      const count = wanted.filter((word) => held.some((one) => isForm(one, word))).length;
      if (count === 0) continue;
      const lower = words.toLowerCase();
      const phraseAt = lower.indexOf(phrase);
      const found = phraseAt >= 0 ? [phraseAt] : wanted.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
      const at = found.length === 0 ? 0 : Math.min(...found);
      const isProse = PROSE_KINDS.has(block.kind);
      places.push({ from: start, text: words, columns, isProse, held: count, isPhrase: phraseAt >= 0, at });
    }
  }
  return places.sort(
    (left, right) => Number(right.isPhrase) - Number(left.isPhrase) || right.held - left.held || left.from - right.from,
  );
}
