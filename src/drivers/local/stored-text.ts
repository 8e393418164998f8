// The stored text of a source, cut into blocks. It finds passages again and makes quotes of spans.
import { Anchors } from "../../corpus/blocks/anchors.ts";
import type { Block } from "../../corpus/blocks/blocks.ts";
import { formatOf } from "../../corpus/formats/formats.ts";
import { given } from "../../kernel/given.ts";
import { decodedText } from "../../kernel/decoded-text.ts";
import { wrappedLines } from "../../kernel/line-groups.ts";
import type { Quote, Source } from "../../run/report/source.ts";
import { blocksOfText } from "../sources/text-blocks.ts";
import { nameForText } from "../sources/text-name.ts";
import type { Span } from "../../kernel/sentences.ts";
import { FENCE, sentencesWithin } from "./sentences.ts";

/** So many show whether lines are prose. */
const MAX_BLOCKS = 200;

/** Stands in a decoded text for a byte that is none. */
const LOST = "\ufffd";

export class StoredText {
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly #source: Source;
  readonly #bytes: Uint8Array;
  readonly #anchors: Anchors;

  private constructor(source: Source, bytes: Uint8Array, text: string, blocks: readonly Block[]) {
    this.#source = source;
    this.#bytes = bytes;
    this.text = text;
    this.blocks = blocks;
    this.#anchors = new Anchors(text, nameForText(source), blocks);
  }

  static async read(source: Source, bytes: Uint8Array, signal: AbortSignal): Promise<StoredText> {
    const text = decodedText(bytes);
    return new StoredText(source, bytes, text, await blocksOfText(text, nameForText(source), signal));
  }

  /**
   * The span of a passage, the nearest to byte `start` when it is there several times: the searched text may be longer or
   * shorter than the stored one. A passage that lost a paragraph is found by the others. Null when nothing of it is found.
   */
  find({ text, start }: { text: string; start: number }): Span | null {
    return this.#findExactly(text, start) ?? this.#findParagraphs(text, start);
  }

  #findExactly(text: string, near: number): Span | null {
    const byte = nearestStart(this.#bytes, text, near);
    if (byte === null) return null;
    const from = decodedText(this.#bytes.subarray(0, byte)).length;
    return { start: from, end: from + text.length };
  }

  #findParagraphs(text: string, near: number): Span | null {
    const paragraphs = text.split(/\n\s*\n/u).filter((paragraph) => paragraph.trim() !== "");
    const found = paragraphs.flatMap((paragraph) => this.#findExactly(paragraph, near) ?? []);
    if (found.length === 0) return null;
    const start = Math.min(...found.map((span) => span.start));
    const end = Math.max(...found.map((span) => span.end));
    if (end - start <= text.length) return { start, end };
    return found.reduce((left, right) => (right.end - right.start > left.end - left.start ? right : left));
  }

  /** Without those of which the document has lost a byte. */
  sentencesIn(span: Span): Span[] {
    return sentencesWithin(this.text, this.blocks, span).filter((sentence) => !this.slice(sentence).includes(LOST));
  }

  /** The part of a span around its marked sentences in which no byte was lost. */
  undamaged(span: Span, marked: readonly Span[]): Span {
    if (!this.slice(span).includes(LOST)) return span;
    const from = marked[0]?.start ?? span.end;
    const lost = sentencesWithin(this.text, this.blocks, span).filter((one) => this.slice(one).includes(LOST));
    const start = Math.max(span.start, ...lost.flatMap(({ end }) => (end <= from ? end : [])));
    const end = Math.min(span.end, ...lost.flatMap((one) => (one.start > from ? one.start : [])));
    const text = this.slice({ start, end });
    return { start: start + (text.length - text.trimStart().length), end: start + text.trimEnd().length };
  }

  /** The byte spans of code inside the span, in whole lines, even when the indent of a line is before the span. */
  codeIn(within: Span): Span[] {
    const { media_type } = this.#source;
    const format = formatOf(nameForText(this.#source));
    if (format === "code" && this.#isProgram()) return [this.bytesOf(this.#fromLineStart(within))];
    if (format !== "markdown") return [];
    // Text extracted from documents has all its code between fences, and its indented paragraphs belong to items.
    const mayBeIndented = media_type.startsWith("text/markdown");
    const spans: Span[] = [];
    let continues = false;
    for (const block of this.blocks) {
      if (block.kind !== "code" || block.end <= within.start || block.start >= within.end) continue;
      const isFenced = FENCE.test(this.slice(block));
      if (!isFenced && !mayBeIndented) continue;
      const start = Math.max(block.start, within.start);
      const own = this.#fromLineStart({ start, end: Math.min(block.end, within.end) });
      const last = spans.at(-1);
      // A blank line does not end indented code.
      if (last !== undefined && continues && !isFenced && this.text.slice(last.end, own.start).trim() === "")
        last.end = own.end;
      else spans.push(own);
      continues = !isFenced;
    }
    return spans.map((span) => this.bytesOf(span));
  }

  /** The pages know programs by the ending of their names. Of another one the lines show it, since some endings are of prose. */
  #isProgram(): boolean {
    const blocks = this.blocks.slice(0, MAX_BLOCKS).map((block) => this.slice(block).split("\n"));
    const wrapped = blocks.reduce((sum, lines) => sum + wrappedLines(lines), 0);
    return wrapped < blocks.flat().length / 2;
  }

  /** With the indent of its first line. */
  #fromLineStart({ start, end }: Span): Span {
    const line = this.text.lastIndexOf("\n", start - 1) + 1;
    return { start: this.text.slice(line, start).trim() === "" ? line : start, end };
  }

  slice({ start, end }: Span): string {
    return this.text.slice(start, end);
  }

  quote(span: Span): Quote {
    const text = this.slice(span);
    const anchor = this.#anchors.at(span.start);
    const { source_digest } = this.#source;
    return { source_digest, ...this.bytesOf(span), text, ...given({ anchor }) };
  }

  bytesOf(span: Span): Span {
    const start = Buffer.byteLength(this.text.slice(0, span.start));
    return { start, end: start + Buffer.byteLength(this.slice(span)) };
  }
}

function nearestStart(source: Uint8Array, text: string, found: number): number | null {
  const wanted = Buffer.from(text);
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const before = bytes.lastIndexOf(wanted, found);
  if (before === found) return found;
  const after = bytes.indexOf(wanted, found);
  if (before < 0 || after < 0) return before < 0 && after < 0 ? null : Math.max(before, after);
  return found - before <= after - found ? before : after;
}
