// Takes the text out of a document, and gives the text or the reason as one string.
import { extract } from "../../../src/corpus/extract/extract.ts";
import type { DocumentKind } from "../../../src/corpus/formats.ts";

export async function textFrom(kind: DocumentKind, content: Uint8Array | string): Promise<string> {
  const extracted = await extract(kind, typeof content === "string" ? Buffer.from(content) : content);
  return extracted.kind === "text" ? extracted.text : `unfit: ${extracted.reason}`;
}
