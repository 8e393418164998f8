// Reads the text and title of a document outside of a corpus from its name and bytes, as if it were a file of one.
import { digestOfBytes } from "../../kernel/digest.ts";
import type { TextFrom } from "../../run/report/source.ts";
import { DocumentReader } from "./document-reader.ts";
import { formatOf, maxBytesOf, mediaTypeOf } from "../formats/formats.ts";
import { nameOfDocument, TitleHeading } from "../blocks/headings.ts";
import { Pacer } from "../../kernel/pacer.ts";
import { passagesOf } from "../blocks/passages.ts";
import { skipText } from "../formats/skipped.ts";

type NamedDocument =
  | { kind: "document"; title: string; media_type: string; text: string; textFrom: TextFrom }
  /** `reason` says why it cannot be read. */
  | { kind: "unfit"; reason: string };

/** `name` is the name of a file; its ending determines the format. No file is opened. */
export async function readNamedDocument(name: string, bytes: Buffer, signal: AbortSignal): Promise<NamedDocument> {
  if (bytes.byteLength > maxBytesOf(name))
    return { kind: "unfit", reason: skipText({ path: name, reason: "oversized" }) };
  const pacer = new Pacer(signal);
  using reader = new DocumentReader({ root: "", pacer, signal });
  const file = await reader.textOf(name, { stamp: "", bytes, digest: digestOfBytes(bytes) });
  if (file.kind === "unreadable") return { kind: "unfit", reason: skipText(file.skipped) };
  if (file.kind === "unfit") return { kind: "unfit", reason: skipText({ ...file, path: name }) };
  const title = new TitleHeading();
  for (const { headings, level } of passagesOf(file.text, formatOf(name))) {
    await pacer.pause();
    title.meet(headings[0], level);
  }
  return {
    kind: "document",
    title: title.text || nameOfDocument("", name),
    media_type: mediaTypeOf(name),
    text: file.text,
    textFrom: file.textFrom,
  };
}
