// The stored text of a source, cut into its blocks once: where passages stand in it, and the spans that can be quoted.
import { Anchors } from "../../corpus/anchors.ts";
import { blocksOf, type Block } from "../../corpus/blocks.ts";
import { formatOf } from "../../corpus/formats.ts";
import { Pacer } from "../../corpus/pacer.ts";
import type { Anchor, Quote, Source } from "../../run/source.ts";
import { nameForText } from "../text-name.ts";
import { FENCE, sentencesWithin, type Span } from "./sentences.ts";

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
    const text = decoded(bytes);
    const pacer = new Pacer(signal);
    const blocks: Block[] = [];
    for (const block of blocksOf(text, formatOf(nameForText(source)))) {
      await pacer.pause();
      blocks.push(block);
    }
    return new StoredText(source, bytes, text, blocks);
  }

  /**
   * Where a passage stands, nearest to the byte at which it was found: the text that was searched may be shorter or longer
   * than the stored one. Of a passage that lost a paragraph the others stand. Null when nothing of it does.
   */
  find({ text, start }: { text: string; start: number }): Span | null {
    return this.#findExactly(text, start) ?? this.#findParagraphs(text, start);
  }

  #findExactly(text: string, near: number): Span | null {
    const byte = nearestStart(this.#bytes, text, near);
    if (byte === null) return null;
    const from = decoded(this.#bytes.subarray(0, byte)).length;
    return { start: from, end: from + text.length };
  }

  #findParagraphs(text: string, near: number): Span | null {
    const paragraphs = text.split(/\n\s*\n/u).filter((paragraph) => paragraph.trim() !== "");
    const found = paragraphs.flatMap((paragraph) => this.#findExactly(paragraph, near) ?? []);
    if (found.length === 0) return null;
    const whole = {
      start: Math.min(...found.map((span) => span.start)),
      end: Math.max(...found.map((span) => span.end)),
    };
    if (whole.end - whole.start <= text.length) return whole;
    return found.reduce((left, right) => (right.end - right.start > left.end - left.start ? right : left));
  }

  sentencesIn(span: Span): Span[] {
    return sentencesWithin(this.text, this.blocks, span);
  }

  /** Code of Markdown inside the span, in bytes: its whole lines, also where their indent stands before the span. */
  codeIn(within: Span): Span[] {
    const { media_type } = this.#source;
    if (formatOf(nameForText(this.#source)) !== "markdown") return [];
    // A reader of documents puts all code between fences, and sets in the paragraphs of an item.
    const mayBeIndented = media_type.startsWith("text/markdown");
    const spans: Span[] = [];
    let goesOn = false;
    for (const block of this.blocks) {
      if (block.kind !== "code" || block.end <= within.start || block.start >= within.end) continue;
      const isFenced = FENCE.test(this.slice(block));
      if (!isFenced && !mayBeIndented) continue;
      const from = Math.max(block.start, within.start);
      const line = this.text.lastIndexOf("\n", from - 1) + 1;
      const isWhole = this.text.slice(line, from).trim() === "";
      const own = { start: isWhole ? line : from, end: Math.min(block.end, within.end) };
      const last = spans.at(-1);
      // A blank line ends no example that is indented.
      if (last !== undefined && goesOn && !isFenced && this.text.slice(last.end, own.start).trim() === "")
        last.end = own.end;
      else spans.push(own);
      goesOn = !isFenced;
    }
    return spans.map((span) => this.bytesOf(span));
  }

  slice({ start, end }: Span): string {
    return this.text.slice(start, end);
  }

  quote(span: Span): Quote {
    const text = this.slice(span);
    const anchor = this.anchorAt(span.start);
    const { source_digest } = this.#source;
    return { source_digest, ...this.bytesOf(span), text, ...(anchor === undefined ? {} : { anchor }) };
  }

  anchorAt(offset: number): Anchor | undefined {
    return this.#anchors.at(offset);
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

function decoded(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
