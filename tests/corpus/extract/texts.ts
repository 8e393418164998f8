// Takes the text out of a document, and gives the text or the reason as one string.
import { extract } from "../../../src/corpus/extract/extract.ts";
import type { ReadingKind } from "../../../src/corpus/extract/extraction.ts";

export async function textFrom(kind: ReadingKind, content: Uint8Array | string): Promise<string> {
  const extracted = await extract(kind, typeof content === "string" ? Buffer.from(content) : content);
  return extracted.kind === "text" ? extracted.text : `unfit: ${extracted.reason}`;
}
