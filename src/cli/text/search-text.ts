// What a search found, for people: numbered passages, cut to what the query asks for, with its words in bold.
import { shownLine } from "../../kernel/shown-text.ts";
import type { SearchedPassage, SearchResult } from "../../operations/search-corpus.ts";
import type { Style } from "../terminal/style.ts";
import { oneLine } from "../terminal/text.ts";
import { count } from "../../surface/words.ts";
import { MAX_WIDTH, wrappedLines } from "../terminal/wrapping.ts";

const MAX_TEXT_LENGTH = 400;
const LEAST_WIDTH = 30;
const INDENT = "    ";
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

export function searchText(result: SearchResult, query: string, columns: number, style: Style): string {
  const { passages, corpora } = result;
  const documents = corpora.reduce((sum, corpus) => sum + corpus.documents, 0);
  const skipped = corpora.reduce((sum, corpus) => sum + corpus.skipped.length, 0);
  const searched = `${count(documents, "document")} searched${skipped === 0 ? "" : `, ${skipped} skipped`}`;
  if (passages.length === 0) return `nothing found: ${searched}, none holds a word of the query\n`;
  const asked = (query.match(WORD) ?? []).map(plain);
  const width = Math.max(LEAST_WIDTH, Math.min(columns, MAX_WIDTH) - INDENT.length);
  const withCorpus = corpora.length > 1;
  const shown = passages.map((passage, index) => {
    const title = style.bold(oneLine(passage.title, width));
    const place = oneLine(withCorpus ? `${passage.corpus}: ${passage.path}` : passage.path, width);
    const alike = passage.similar === undefined ? "" : `${INDENT}${style.dim(`and ${passage.similar} like it`)}\n`;
    return `${`${index + 1}.`.padEnd(INDENT.length)}${title}\n${INDENT}${style.dim(place)}\n${bodyText(passage, asked, width, style)}${alike}`;
  });
  return `${shown.join("\n")}\n${style.dim(searched)}\n`;
}

function bodyText({ text }: SearchedPassage, asked: readonly string[], width: number, style: Style): string {
  const excerpt = excerptOf(shownLine(text), asked);
  const isAsked = (word: string): boolean => asked.some((one) => areForms(one, plain(word)));
  return wrappedLines(excerpt, width)
    .map((line) => `${INDENT}${line.replace(WORD, (word) => (isAsked(word) ? style.bold(word) : word))}\n`)
    .join("");
}

/** The stretch of the text that holds most of the query's words; it begins and ends between words. */
function excerptOf(text: string, asked: readonly string[]): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  const hits = [...text.matchAll(WORD)].filter(([word]) => asked.some((one) => areForms(one, plain(word))));
  const held = (from: number): number =>
    hits.filter(({ index }) => index >= from && index < from + MAX_TEXT_LENGTH * 0.9).length;
  const starts = [0, ...hits.map(({ index }) => sentenceStart(text, index))];
  const start = starts.reduce((best, one) => (held(one) > held(best) ? one : best));
  const limit = start + MAX_TEXT_LENGTH;
  const space = text.lastIndexOf(" ", limit);
  const end = limit >= text.length ? text.length : space > start ? space : limit;
  const excerpt = text.slice(start, end).toWellFormed();
  return `${start > 0 ? "... " : ""}${excerpt}${end < text.length ? " ..." : ""}`;
}

/** Where the sentence of a word begins, or a word not far before it. */
function sentenceStart(text: string, index: number): number {
  const reach = Math.max(0, index - MAX_TEXT_LENGTH / 4);
  const before = text.slice(reach, index);
  const sentence = before.search(/(?<=[.!?:] )[^.!?:]*$/);
  if (sentence !== -1) return reach + sentence;
  return reach === 0 ? 0 : reach + before.indexOf(" ") + 1;
}

const LEAST_STEM = 4;
const MAX_ENDING = 3;

/** True for words that differ in their ending at most; the index judges finer. */
function areForms(left: string, right: string): boolean {
  if (left === right) return true;
  let shared = 0;
  while (shared < left.length && left[shared] === right[shared]) shared++;
  return shared >= LEAST_STEM && Math.max(left.length, right.length) - shared <= MAX_ENDING;
}

/** Lower case, without diacritics. */
function plain(word: string): string {
  return word
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}
