// Turns a candidate into a quote: keeps its document as a source and checks that the sentence stands in it.
import { blocksOf, type Block } from "../../corpus/blocks.ts";
import { formatOf } from "../../corpus/formats.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Passage } from "../../ports/provider.ts";
import { isVerbatim, type Quote, type Source } from "../../run/source.ts";
import type { Candidate } from "./candidates.ts";
import { sentencesOfBlock } from "./sentences.ts";

export type QuoteOutcome = { kind: "quote"; quote: Quote; source: Source } | { kind: "refused"; note: string | null };

/** One per task: each document is kept and cut once. */
export class KeptPassages {
  private readonly tools: TaskTools;
  private readonly kept = new Map<string, Awaited<ReturnType<TaskTools["keep"]>>>();
  private readonly texts = new Map<string, DocumentText>();

  constructor(tools: TaskTools) {
    this.tools = tools;
  }

  async quote({ passage, sentence }: Candidate): Promise<QuoteOutcome> {
    const kept = await this.keep(passage);
    switch (kept.kind) {
      case "changed":
        return { kind: "refused", note: `${passage.origin} changed since it was indexed and was left out.` };
      case "gone":
        return { kind: "refused", note: `${passage.origin} could not be read and was left out: ${kept.reason}.` };
      case "kept":
        break;
    }
    const start = passage.start + Buffer.byteLength(passage.text.slice(0, sentence.start));
    const end = start + Buffer.byteLength(sentence.text);
    const quote: Quote = { source_digest: kept.source.source_digest, start, end, text: sentence.text };
    if (!isVerbatim(quote, kept.text)) {
      return { kind: "refused", note: `${passage.origin} is not as it was indexed and was left out.` };
    }
    // A passage may begin in the middle of a block; only the whole document tells whether the sentence is one.
    const document = this.documentText(kept.source, kept.text, passage.origin);
    return document.holdsSentence(start, end)
      ? { kind: "quote", quote, source: kept.source }
      : { kind: "refused", note: null };
  }

  private async keep(passage: Passage): Promise<Awaited<ReturnType<TaskTools["keep"]>>> {
    const key = `${passage.origin}\0${passage.document_digest}`;
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    this.tools.signal.throwIfAborted();
    this.tools.say(`reading ${passage.origin}`);
    const kept = await this.tools.keep(passage);
    this.kept.set(key, kept);
    return kept;
  }

  private documentText(source: Source, bytes: Uint8Array, origin: string): DocumentText {
    const known = this.texts.get(source.source_digest);
    if (known !== undefined) return known;
    const document = new DocumentText(bytes, origin);
    this.texts.set(source.source_digest, document);
    return document;
  }
}

class DocumentText {
  private readonly bytes: Uint8Array;
  private readonly text: string;
  private readonly blocks: Block[];

  constructor(bytes: Uint8Array, origin: string) {
    this.bytes = bytes;
    this.text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    this.blocks = [...blocksOf(this.text, formatOf(origin))];
  }

  /** `startByte` and `endByte` stand on character borders. */
  holdsSentence(startByte: number, endByte: number): boolean {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const start = decoder.decode(this.bytes.subarray(0, startByte)).length;
    const end = start + decoder.decode(this.bytes.subarray(startByte, endByte)).length;
    const block = this.blocks.find((candidate) => candidate.start <= start && candidate.end >= end);
    if (block === undefined) return false;
    return sentencesOfBlock(this.text, block).some((sentence) => sentence.start === start && sentence.end === end);
  }
}
