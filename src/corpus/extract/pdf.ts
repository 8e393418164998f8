// Takes the text out of a PDF: page after page in reading order, with form feeds between them.
import { getDocumentProxy } from "unpdf";
import { UnfitDocument, type OnPage } from "./extraction.ts";
import { LIMITS } from "./limits.ts";
import { blocksOfDocument } from "./pdf-blocks.ts";
import type { Bookmark } from "./pdf-headings.ts";
import { withoutFurniture } from "./pdf-furniture.ts";
import { fragmentsOf, type Fragment, type PageContent } from "./pdf-fragments.ts";
import { markdownOfBlocks } from "./pdf-markdown.ts";
import { titleOfMetadata, withTitle } from "./title.ts";

const SIGNATURE = Buffer.from("%PDF-");
/** Some programs write bytes before the signature, and readers of PDFs search this far for it. */
const SIGNATURE_WITHIN_BYTES = 1_024;

/** If fonts are incomplete, a document with less text has only its numbers. */
const MIN_LETTERS_PER_PAGE = 200;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

export async function markdownOfPdf(bytes: Uint8Array, onPage: OnPage = () => {}): Promise<string> {
  if (!Buffer.from(bytes.subarray(0, SIGNATURE_WITHIN_BYTES)).includes(SIGNATURE)) throw new UnfitDocument("damaged");
  const fonts = { areIncomplete: false };
  const pdf = await opened(bytes, fonts);
  try {
    return await markdownOf(pdf, fonts, onPage);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function markdownOf(pdf: Pdf, fonts: Fonts, onPage: OnPage): Promise<string> {
  if (pdf.numPages > LIMITS.pages) throw new UnfitDocument("too_many_pages");
  const pages = await pagesOf(pdf, onPage);
  const { blocks, title } = blocksOfDocument(withoutFurniture(pages), await outlineOf(pdf));
  const letters = pages.flat().reduce((sum, { text }) => sum + text.length, 0);
  if (fonts.areIncomplete && letters < MIN_LETTERS_PER_PAGE * pages.length)
    throw new UnfitDocument("unknown_characters");
  if (blocks.length === 0) throw new UnfitDocument("scanned");
  return withTitle((await titleOf(pdf)) || title, { text: markdownOfBlocks(blocks, pages.length) });
}

/**
 * Chinese, Japanese and Korean fonts may name a table of characters (a CMap) that every viewer has to include. There are
 * none here, so text in such a font is missing.
 */
interface Fonts {
  areIncomplete: boolean;
}

async function opened(bytes: Uint8Array, fonts: Fonts): Promise<Pdf> {
  class NothingFetched {
    async fetch({ kind }: { kind: string }): Promise<never> {
      fonts.areIncomplete ||= kind === "cMapUrl";
      throw new Error("nothing is fetched");
    }
  }
  try {
    // Nothing is drawn or fetched, and pdf.js must not try to load anything.
    return await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      disableFontFace: true,
      useSystemFonts: false,
      useWorkerFetch: false,
      disableAutoFetch: true,
      disableRange: true,
      disableStream: true,
      BinaryDataFactory: NothingFetched,
    });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw new UnfitDocument(isLocked ? "encrypted" : "damaged");
  }
}

/** A page that cannot be read is empty. A document is damaged when no page can be read. */
async function pagesOf(pdf: Pdf, onPage: OnPage): Promise<Fragment[][]> {
  const pages: Fragment[][] = [];
  let failed = 0;
  let length = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    onPage({ page: number, pages: pdf.numPages });
    const content = await contentOf(pdf, number);
    if (content === null) failed++;
    const fragments = content === null ? [] : fragmentsOf(content);
    length += fragments.reduce((sum, fragment) => sum + fragment.text.length, 0);
    if (length > LIMITS.textBytes) throw new UnfitDocument("text_too_long");
    pages.push(fragments);
  }
  if (failed === pages.length) throw new UnfitDocument("damaged");
  return pages;
}

async function contentOf(pdf: Pdf, number: number): Promise<PageContent | null> {
  try {
    const page = await pdf.getPage(number);
    const { items, styles } = await page.getTextContent();
    const { transform } = page.getViewport({ scale: 1 });
    page.cleanup();
    return { items, styles, transform };
  } catch {
    return null;
  }
}

async function titleOf(pdf: Pdf): Promise<string> {
  try {
    const { info } = await pdf.getMetadata();
    const title = (info as { Title?: unknown }).Title;
    return typeof title === "string" ? titleOfMetadata(title) : "";
  } catch {
    return "";
  }
}

interface OutlineItem {
  title: string;
  items: OutlineItem[];
}

/** The bookmarks in reading order: the author calls these headings. */
async function outlineOf(pdf: Pdf): Promise<Bookmark[]> {
  const bookmarks: Bookmark[] = [];
  const opened = (items: readonly OutlineItem[], depth: number) => items.map((item) => ({ item, depth })).reverse();
  try {
    const open = opened(await pdf.getOutline(), 0);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { item, depth } = next;
      bookmarks.push({ title: item.title, depth });
      if (bookmarks.length + open.length < LIMITS.pages) open.push(...opened(item.items, depth + 1));
    }
  } catch {
    // Without readable bookmarks, headings are found by the sizes of letters.
  }
  return bookmarks;
}
