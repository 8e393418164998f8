// Cuts the stored text of a source into blocks, and lets other work take its turns meanwhile.
import { blocksOf, type Block } from "../../corpus/blocks/blocks.ts";
import { formatOf } from "../../corpus/formats/formats.ts";
import { Pacer } from "../../kernel/pacer.ts";

/** `name`: shows the format of the text. */
export async function blocksOfText(text: string, name: string, signal: AbortSignal): Promise<Block[]> {
  const pacer = new Pacer(signal);
  const blocks: Block[] = [];
  for (const block of blocksOf(text, formatOf(name))) {
    await pacer.pause();
    blocks.push(block);
  }
  return blocks;
}
