// deep-research search
import { searchCorpus, type SearchedPassage, type SearchResult } from "../../operations/setup/search-corpus.ts";
import { defineCommand } from "../command.ts";
import { BAD_USAGE } from "../exits.ts";
import { questionOrInput } from "../options/input-file.ts";
import { flag, integer, needed, text } from "../../kernel/field.ts";
import { corpusField } from "../../run/settings/fields.ts";
import { shownLine } from "../../kernel/shown-text.ts";
import type { Style } from "../terminal/style.ts";
import { MAX_WIDTH, oneLine, wrappedLines } from "../terminal/layout.ts";
import { count } from "../../surface/words.ts";
import { whyText } from "../text/search-why.ts";

const LIMIT = 10;
const PER_DOCUMENT = 1;

export const command = defineCommand({
  description: "Searches the local index as research does, and shows what it finds, without a run.",
  seeAlso: ["start", "cache clear"],
  operand: { name: "query", usage: "<query>", least: 1, most: 1 },
  fields: {
    query: needed(text("QUERY", "words to search for"), "no query was given"),
    corpus: corpusField("folders to search, each with everything below it, or single files"),
    limit: integer("N", "passages at most", { least: 1, most: 100 }, LIMIT),
    per_document: integer("N", "passages of one document at most", { least: 1, most: 20 }, PER_DOCUMENT),
    explain: flag("say of each passage why it has its place: its words, their weights, and what was left out for it"),
  },
  examples: [
    ['search "how are options parsed" --corpus ./docs', "the ten documents that fit best, each with its best passage"],
    ['search "stale lock" --corpus ./docs ./notes --per-document 3 --json', "more of each document, for programs"],
    ['search "stale lock" --corpus ./docs --explain', "why each passage has its place"],
  ],
  notes: ["The first search of a folder reads all of it, later ones only what changed. Any of the words is enough."],
  exits: [[0, "searched, whether anything was found or not"], BAD_USAGE],
  readInput: async (context, input) => ({ ...input, query: await questionOrInput(context, input.query) }),
  async run(context, { query, corpus: folders, limit = LIMIT, per_document: perDocument = PER_DOCUMENT, explain }) {
    const corpora = folders.map((folder) => context.absolute(folder));
    const options = { query, corpora, limit, perDocument, explains: explain };
    const outcome = await searchCorpus(context.ports, options, await context.observe());
    return { outcome, text: (style) => searchText(outcome.result, query, context.host.columns("stdout"), style) };
  },
});

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
  const wanted = (query.match(WORD) ?? []).map(plain);
  const width = Math.max(LEAST_WIDTH, Math.min(columns, MAX_WIDTH) - INDENT.length);
  const withCorpus = corpora.length > 1;
  const shown = passages.map((passage, index) => {
    const title = style.bold(oneLine(passage.title, width));
    const place = oneLine(withCorpus ? `${passage.corpus}: ${passage.path}` : passage.path, width);
    const alike = passage.similar === undefined ? "" : `${INDENT}${style.dim(`and ${passage.similar} like it`)}\n`;
    return `${`${index + 1}.`.padEnd(INDENT.length)}${title}\n${INDENT}${style.dim(place)}\n${bodyText(passage, wanted, width, style)}${alike}${whyText(passage, width, INDENT, style)}`;
  });
  return `${shown.join("\n")}\n${style.dim(searched)}\n`;
}

function bodyText({ text }: SearchedPassage, wanted: readonly string[], width: number, style: Style): string {
  const excerpt = excerptOf(shownLine(text), wanted);
  const isWanted = (word: string): boolean => wanted.some((one) => areForms(one, plain(word)));
  return wrappedLines(excerpt, width)
    .map((line) => `${INDENT}${line.replace(WORD, (word) => (isWanted(word) ? style.bold(word) : word))}\n`)
    .join("");
}

/** The part of the text with most of the words of the query. It begins and ends between words. */
function excerptOf(text: string, wanted: readonly string[]): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  const hits = [...text.matchAll(WORD)].filter(([word]) => wanted.some((one) => areForms(one, plain(word))));
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

/** Where the sentence around this place begins; in a long sentence, where a word not far before begins. */
function sentenceStart(text: string, index: number): number {
  const reach = Math.max(0, index - MAX_TEXT_LENGTH / 4);
  const before = text.slice(reach, index);
  const sentence = before.search(/(?<=[.!?:] )[^.!?:]*$/);
  if (sentence !== -1) return reach + sentence;
  return reach === 0 ? 0 : reach + before.indexOf(" ") + 1;
}

const LEAST_STEM = 4;
const MAX_ENDING = 3;

/** True for words that differ only in a short ending. The index compares more exactly. */
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
