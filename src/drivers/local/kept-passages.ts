// Turns a candidate into a quote: keeps its document as a source and checks that the sentence stands in it.
import { Anchors } from "../../corpus/anchors.ts";
import { blocksOf, type Block } from "../../corpus/blocks.ts";
import { formatOf } from "../../corpus/formats.ts";
import { Pacer } from "../../corpus/pacer.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Passage } from "../../ports/provider.ts";
import type { Anchor, Quote, Source } from "../../run/source.ts";
import type { Candidate } from "./candidates.ts";
import { isOwnReport } from "./own-reports.ts";
import { labelOf, sentencesOfBlock } from "./sentences.ts";

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
    const found = passage.start + Buffer.byteLength(passage.text.slice(0, sentence.start));
    const start = nearestStart(kept.text, sentence.text, found);
    if (start === null)
      return { kind: "refused", note: `${passage.origin} is not as it was indexed and was left out.` };
    const end = start + Buffer.byteLength(sentence.text);
    const quote: Quote = { source_digest: kept.source.source_digest, start, end, text: sentence.text };
    if (isOwnReport(kept.text))
      return { kind: "refused", note: `${passage.origin} is a report of this tool and was left out.` };
    // A passage may begin in the middle of a block; only the whole document tells whether the sentence is one.
    const document = await this.documentText(kept.source, kept.text, passage.origin);
    const place = document.placeOf(start, end, sentence.label !== null);
    if (place === null) return { kind: "refused", note: null };
    return { kind: "quote", quote: { ...quote, ...place }, source: kept.source };
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

  private async documentText(source: Source, bytes: Uint8Array, origin: string): Promise<DocumentText> {
    const known = this.texts.get(source.source_digest);
    if (known !== undefined) return known;
    const document = await DocumentText.read(bytes, origin, new Pacer(this.tools.signal));
    this.texts.set(source.source_digest, document);
    return document;
  }
}

/**
 * The byte at which the text stands in the source, nearest to where it was found: the stored text of a source may be longer
 * or shorter than the one that was searched. Null when it stands nowhere.
 */
function nearestStart(source: Uint8Array, text: string, found: number): number | null {
  const wanted = Buffer.from(text);
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const before = bytes.lastIndexOf(wanted, found);
  if (before === found) return found;
  const after = bytes.indexOf(wanted, found);
  if (before < 0 || after < 0) return before < 0 && after < 0 ? null : Math.max(before, after);
  return found - before <= after - found ? before : after;
}

const MAX_HEADINGS = 10;

/** The innermost headings say most about a place. */
export function readableAnchor(anchor: Anchor): Anchor {
  return anchor.section === undefined ? anchor : { ...anchor, section: anchor.section.slice(-MAX_HEADINGS) };
}

/** With what the sentence is about, which a reader has to see; null when that is shown by no section. */
function labelled(anchor: Anchor | undefined, label: string): Anchor | null {
  const { page, section = [] } = anchor ?? {};
  // The first heading of a document is its title, and of a paged one the page is shown.
  if (page !== undefined || (section.length === 1 && section[0] === label)) return null;
  return { section: section.at(-1) === label ? section : [...section, label] };
}

/** Characters on both sides of a sentence that decide where it begins and ends: a block may be the whole document. */
const AROUND = 4_000;

class DocumentText {
  private readonly anchors: Anchors;
  private readonly bytes: Uint8Array;
  private readonly text: string;
  private readonly blocks: readonly Block[];

  private constructor(bytes: Uint8Array, text: string, origin: string, blocks: readonly Block[]) {
    this.bytes = bytes;
    this.text = text;
    this.blocks = blocks;
    this.anchors = new Anchors(text, origin, blocks);
  }

  static async read(bytes: Uint8Array, origin: string, pacer: Pacer): Promise<DocumentText> {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const blocks: Block[] = [];
    for (const block of blocksOf(text, formatOf(origin))) {
      await pacer.pause();
      blocks.push(block);
    }
    return new DocumentText(bytes, text, origin, blocks);
  }

  /** Where a sentence stands; null when there is none, or none that is understood there. Both bytes are character borders. */
  placeOf(startByte: number, endByte: number, isLabelled: boolean): { anchor?: Anchor } | null {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const start = decoder.decode(this.bytes.subarray(0, startByte)).length;
    const end = start + decoder.decode(this.bytes.subarray(startByte, endByte)).length;
    const index = this.blocks.findIndex((candidate) => candidate.start <= start && candidate.end >= end);
    const [above, block] = [this.blocks[index - 1], this.blocks[index]];
    if (block === undefined) return null;
    const near = { ...block, start: Math.max(block.start, start - AROUND), end: Math.min(block.end, end + AROUND) };
    const label = above === undefined || near.start > block.start ? null : labelOf(this.text, above);
    const sentence = sentencesOfBlock(this.text, near, label).find((one) => one.start === start && one.end === end);
    if (sentence === undefined || (isLabelled && sentence.label === null)) return null;
    const found = this.anchors.at(start);
    const anchor = sentence.label === null ? found : labelled(found, sentence.label);
    if (anchor === null) return null;
    return anchor === undefined ? {} : { anchor: readableAnchor(anchor) };
  }
}
