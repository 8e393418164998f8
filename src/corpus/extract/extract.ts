// Takes the text out of one document as plain Markdown. Runs in the child process, since libraries may hang or crash.
import { PAGE_END } from "../blocks/anchors.ts";
import { UnfitDocument, type OnPage, type ReadingKind, type UnfitReason } from "./extraction.ts";
import { textOfHtml } from "./html-text.ts";
import { LIMITS } from "./limits.ts";

type Extracted = { kind: "text"; text: string } | { kind: "unfit"; reason: UnfitReason };

/** Equal bytes give equal text. */
export async function extract(kind: ReadingKind, bytes: Uint8Array, onPage: OnPage = () => {}): Promise<Extracted> {
  try {
    const text = cleaned(await READERS[kind](bytes, onPage));
    if (!isReadable(text)) return { kind: "unfit", reason: "no_text" };
    if (Buffer.byteLength(text) > LIMITS.textBytes) return { kind: "unfit", reason: "text_too_long" };
    return { kind: "text", text };
  } catch (error) {
    // A library may throw anything for a document that it cannot read.
    return { kind: "unfit", reason: error instanceof UnfitDocument ? error.reason : "damaged" };
  }
}

const READERS: Record<ReadingKind, (bytes: Uint8Array, onPage: OnPage) => Promise<string>> = {
  html: async (bytes) => (await import("./html.ts")).markdownOfHtml(bytes),
  web_page: async (bytes) => (await import("./html.ts")).markdownOfWebPage(bytes),
  docx: async (bytes) => (await import("./docx.ts")).markdownOfDocx(bytes),
  epub: async (bytes) => (await import("./epub.ts")).markdownOfEpub(bytes),
  notebook: async (bytes) => (await import("./notebook.ts")).textOfNotebook(textOfHtml(bytes)),
  manual: async (bytes) => (await import("./manual.ts")).textOfManual(textOfHtml(bytes)),
  pdf: async (bytes, onPage) => (await import("./pdf.ts")).markdownOfPdf(bytes, onPage),
};

/** False for a text of characters without a meaning, as fonts give it that do not name their characters. */
function isReadable(text: string): boolean {
  const meaningless = text.match(/[\p{Co}\uFFFD]/gu)?.length ?? 0;
  if (meaningless === 0) return /[\p{L}\p{N}]/u.test(text);
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters > meaningless;
}

/** Removes control characters, soft hyphens, zero-width spaces and byte order marks. */
function cleaned(text: string): string {
  const visible = text.replace(/[\u0000-\u0008\u000B\u000E-\u001F\u007F\u00AD\u200B\u2060\uFEFF]/g, "").toWellFormed();
  return `${withoutBlanksAround(visible)}\n`;
}

/** The ends of pages stay: the first and the last pages of a PDF may have no text. */
function withoutBlanksAround(text: string): string {
  const isBlank = (at: number): boolean => text[at] !== PAGE_END && text.slice(at, at + 1).trim() === "";
  let [start, end] = [0, text.length];
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return text.slice(start, end);
}
