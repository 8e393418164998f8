// The text or the reason that taking a document apart comes to, as one value to compare.
import { extract } from "../../../src/corpus/extract/extract.ts";
import type { DocumentKind } from "../../../src/corpus/formats.ts";

export async function textFrom(kind: DocumentKind, content: Uint8Array | string): Promise<string> {
  const extracted = await extract(kind, typeof content === "string" ? Buffer.from(content) : content);
  return extracted.kind === "text" ? extracted.text : `unfit: ${extracted.reason}`;
}
