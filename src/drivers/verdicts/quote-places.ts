// Finds the place of a quote for a reader: the page, the headings above it, and the term or setting that it describes. Checks go
// by the span alone.
import { Anchors } from "../../corpus/blocks/anchors.ts";
import type { Block } from "../../corpus/blocks/blocks.ts";
import { headingText } from "../../kernel/heading-text.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Quote, Source } from "../../run/report/source.ts";
import { decodedText } from "../../kernel/decoded-text.ts";
import { blocksOfText } from "../sources/text-blocks.ts";
import { nameForText } from "../sources/text-name.ts";

type Reading = Pick<TaskTools, "sourceText" | "signal">;

/** Without a media type no place is looked for. */
type Placing = Pick<Source, "source_digest" | "origin"> & { media_type?: string | undefined };

/** The citations, with an anchor on each quote whose place is known. One document is held at a time. */
export async function placed<C extends { quote: Quote }>(
  citations: readonly C[],
  sources: readonly Placing[],
  tools: Reading,
): Promise<C[]> {
  const all = citations.map((citation) => ({ ...citation }));
  for (const [digest, ofSource] of Map.groupBy(all, ({ quote }) => quote.source_digest)) {
    const source = sources.find(({ source_digest }) => source_digest === digest);
    if (source?.media_type === undefined) continue;
    const anchorAt = await anchorsIn(digest, nameForText({ ...source, media_type: source.media_type }), tools);
    for (const citation of ofSource) {
      const anchor = anchorAt(citation.quote.start);
      if (anchor !== undefined) citation.quote = { ...citation.quote, anchor };
    }
  }
  return all;
}

const MAX_HEADINGS = 10;

/** Returns a function that finds the place of a byte at the start of a character. */
async function anchorsIn(sourceDigest: string, name: string, tools: Reading) {
  const bytes = await tools.sourceText(sourceDigest);
  const text = decodedText(bytes);
  const blocks = await blocksOfText(text, name, tools.signal);
  const anchors = new Anchors(text, name, blocks);
  const labels = labelsIn(text, blocks);
  return (startByte: number) => {
    const at = decodedText(bytes.subarray(0, startByte)).length;
    const anchor = anchors.at(at);
    const label = labels.find(({ block }) => block.start <= at && at < block.end)?.label;
    // When there are too many, the innermost headings stay.
    const section = [...(anchor?.section ?? []), ...(label === undefined ? [] : [label])].slice(-MAX_HEADINGS);
    return section.length === 0 ? anchor : { ...anchor, section };
  };
}

const MAX_LABEL_LENGTH = 120;
const ENDS_A_SENTENCE = /[.:;,!?。：]$/u;

/** The labels of blocks: the term of a definition, and the single line above code, as manuals name their settings. */
function labelsIn(text: string, blocks: readonly Block[]): { block: Block; label: string }[] {
  const labels: { block: Block; label: string }[] = [];
  let term: string | null = null;
  for (const [index, block] of blocks.entries()) {
    const { kind, start, end } = block;
    if (kind === "term") term = text.slice(start, end);
    else if (kind !== "definition") term = null;
    const above = blocks[index - 1];
    const isNamed = kind === "code" && above?.kind === "paragraph";
    const line = kind === "definition" ? (term ?? "") : isNamed ? text.slice(above.start, above.end) : "";
    const label = headingText(line);
    // The term of an item may be its bullet.
    const isLabel = /[\p{L}\p{N}]/u.test(label) && label.length <= MAX_LABEL_LENGTH && !line.includes("\n");
    if (isLabel && !(kind === "code" && ENDS_A_SENTENCE.test(label))) labels.push({ block, label });
  }
  return labels;
}
