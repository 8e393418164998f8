// Reads documents that a person or an outside agent attaches, in the same way as files and pages of the web.
import { readNamedDocument } from "../corpus/files/named-document.ts";
import { MOST_DOCUMENT_BYTES } from "../corpus/formats/formats.ts";
import { plainUrl } from "../ports/provider-failure.ts";
import { isPageName, type AttachedSource, type ReadAttached } from "../ports/provider.ts";
import { fetchedDocument, readDocument } from "./documents.ts";
import { openDocumentTexts } from "./text-of-document.ts";
import { typeOfBody } from "./web/media-types.ts";

type Reading = ReturnType<ReadAttached>;

export const readAttached: ReadAttached = async (document, signal) => {
  signal.throwIfAborted();
  return isPageName(document.name) ? await readPage(document, signal) : await readFile(document, signal);
};

async function readFile({ name, bytes, title }: AttachedSource, signal: AbortSignal): Reading {
  // A run must not reveal the folders of the person who attaches a file.
  const origin = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  if (origin === "") return { kind: "gone", reason: "it has no name" };
  const read = await readNamedDocument(origin, Buffer.from(bytes), signal);
  if (read.kind === "unfit") return { kind: "gone", reason: read.reason };
  const document = readDocument({ ...read, origin, title: title ?? read.title, bytes });
  return { kind: "document", document: fetchedDocument(document) };
}

async function readPage({ name, bytes, media_type, title }: AttachedSource, signal: AbortSignal): Reading {
  if (bytes.byteLength > MOST_DOCUMENT_BYTES)
    return { kind: "gone", reason: `it is larger than ${MOST_DOCUMENT_BYTES / 1024 / 1024} MiB` };
  const origin = plainUrl(name);
  const type = typeOfBody(media_type ?? null, origin) || (resemblesHtml(bytes) ? "text/html" : "text/plain");
  const texts = openDocumentTexts();
  try {
    const read = await texts.extract(bytes, type, signal);
    if (read.kind === "unfit") return { kind: "gone", reason: read.reason };
    const document = readDocument({ ...read, origin, title: title ?? read.title ?? "", media_type: type, bytes });
    return { kind: "document", document: fetchedDocument(document) };
  } finally {
    texts.close();
  }
}

/** For a page without a type: its URL seldom shows one. */
function resemblesHtml(bytes: Uint8Array): boolean {
  return /^\s*</.test(
    Buffer.from(bytes.subarray(0, 200))
      .toString("latin1")
      .replace(/^\u00ef\u00bb\u00bf/, ""),
  );
}
