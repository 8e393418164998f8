// The place where a person finds a quote in its document: the page, and the headings above it. For reading; the span is what counts.
import { Anchors } from "../../corpus/anchors.ts";
import { blocksOf, type Block } from "../../corpus/blocks.ts";
import { formatOf } from "../../corpus/formats.ts";
import { Pacer } from "../../corpus/pacer.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Quote, Source } from "../../run/source.ts";
import { decodedText } from "../../kernel/decoded-text.ts";
import { nameForText } from "../text-name.ts";

type Reading = Pick<TaskTools, "sourceText" | "signal">;

/** Without its type, the headings of a source are not looked for. */
type Placing = Pick<Source, "source_digest" | "origin"> & { media_type?: string | undefined };

/** The same citations, their quotes with a page or headings where the document has some. One document is held at a time. */
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

/** Says the place of a byte, which stands on a border of characters. */
async function anchorsIn(sourceDigest: string, name: string, tools: Reading) {
  const pacer = new Pacer(tools.signal);
  const bytes = await tools.sourceText(sourceDigest);
  const text = decodedText(bytes);
  const blocks: Block[] = [];
  for (const block of blocksOf(text, formatOf(name))) {
    await pacer.pause();
    blocks.push(block);
  }
  const anchors = new Anchors(text, name, blocks);
  return (startByte: number) => {
    const anchor = anchors.at(decodedText(bytes.subarray(0, startByte)).length);
    // The innermost headings say most about a place.
    return anchor?.section === undefined ? anchor : { ...anchor, section: anchor.section.slice(-MAX_HEADINGS) };
  };
}
