// Takes the text out of an e-book: its chapters in reading order, under the title of the book.
import { unlessThrown } from "../../kernel/unless-thrown.ts";
import path from "node:path";
import { documentOf } from "./dom-parser.ts";
import { linkListsIn } from "./dom-links.ts";
import { markdownOfTree, type TreeText } from "./dom-markdown.ts";
import { textOfHtml } from "./html-text.ts";
import { UnfitDocument } from "./extraction.ts";
import { titleOfMetadata, withTitle } from "./title.ts";
import { ZipFile } from "./unzip.ts";
import { attributesOf, textsOf } from "./xml.ts";

const CONTAINER = "META-INF/container.xml";
const RIGHTS = "META-INF/rights.xml";
const ENCRYPTION = "META-INF/encryption.xml";
const CHAPTER_TYPES = /^(application\/xhtml\+xml|text\/html|text\/x-oeb1-document)$/;

export async function markdownOfEpub(bytes: Uint8Array): Promise<string> {
  const zip = new ZipFile(bytes);
  const folder = folderOf(zip);
  const container = zip.text(folder + CONTAINER) ?? "";
  const packagePath = folder + (attributesOf(container, "rootfile")[0]?.["full-path"] ?? "");
  const packageXml = zip.text(packagePath);
  if (packageXml === null) throw new UnfitDocument("damaged");
  const chapters = chaptersOf(packageXml, packagePath);
  if (isEncrypted(zip, folder, chapters)) throw new UnfitDocument("encrypted");
  const files = zip.read(chapters);
  // A missing chapter is left out, and the others are read.
  const read = chapters.flatMap((name) => files.get(name) ?? []).map(markdownOfChapter);
  const together = (parts: string[]): string => parts.filter((part) => part !== "").join("\n\n");
  const book = { text: together(read.map(({ text }) => text)), notes: together(read.map(({ notes }) => notes)) };
  return withTitle(titleOfMetadata(textsOf(packageXml, "title")[0] ?? ""), book);
}

/** "" for a book as it should be. Some are packed with the folder that contains them. */
function folderOf({ names }: ZipFile): string {
  if (names.has(CONTAINER)) return "";
  const found = [...names].find((name) => /^[^/]+\/META-INF\/container\.xml$/.test(name)) ?? CONTAINER;
  return found.slice(0, -CONTAINER.length);
}

/** The names of the chapters. The spine gives their order, the manifest their files; the table of contents is left out. */
function chaptersOf(packageXml: string, packagePath: string): string[] {
  const files = new Map<string, string>();
  for (const { id, href, "media-type": type, properties } of attributesOf(packageXml, "item")) {
    if (id === undefined || href === undefined || !CHAPTER_TYPES.test(type ?? "")) continue;
    if (!/\bnav\b/.test(properties ?? "")) files.set(id, entryName(packagePath, href));
  }
  const order = attributesOf(packageXml, "itemref").map(({ idref }) => files.get(idref ?? ""));
  return [...new Set(order.filter((name) => name !== undefined))];
}

function entryName(packagePath: string, href: string): string {
  const file = href.split("#", 1)[0] ?? "";
  return path.posix.join(path.posix.dirname(packagePath), unescaped(file));
}

function unescaped(href: string): string {
  return unlessThrown(() => decodeURIComponent(href), href);
}

/** True when a chapter is encrypted. Fonts alone are scrambled even in free books. */
function isEncrypted(zip: ZipFile, folder: string, chapters: readonly string[]): boolean {
  if (zip.names.has(folder + RIGHTS)) return true;
  const references = attributesOf(zip.text(folder + ENCRYPTION) ?? "", "CipherReference");
  const hidden = references.map(({ URI }) => folder + unescaped(URI ?? ""));
  return chapters.some((chapter) => hidden.includes(chapter));
}

function markdownOfChapter(bytes: Uint8Array): TreeText {
  const { body } = documentOf(textOfHtml(bytes), { isXhtml: true });
  return markdownOfTree(body, linkListsIn(body));
}
