// Takes the text out of a Word document. Nothing is fetched, and only its words are unpacked.
import { zipSync } from "fflate";
import mammoth from "mammoth";
import { documentOf } from "./dom-parser.ts";
import { markdownOfTree } from "./dom-markdown.ts";
import { withMarks, withPictures } from "./docx-marks.ts";
import { UnfitDocument } from "./extraction.ts";
import { titleOfMetadata, withTitle } from "./title.ts";
import { unreadFormatOf } from "./unread-formats.ts";
import { EMBEDDED_DOCUMENT } from "./unread-parts.ts";
import { ZipFile } from "./unzip.ts";
import { textsOf } from "./xml.ts";

const MAIN_PART = "word/document.xml";
const METADATA = "docProps/core.xml";
const PARTS = /^(\[Content_Types\]\.xml|_rels\/\.rels|word\/[^/]+\.xml|word\/_rels\/[^/]+\.rels)$/;
const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];

export async function markdownOfDocx(bytes: Uint8Array): Promise<string> {
  if (unreadFormatOf(bytes, "docx") === "encrypted") throw new UnfitDocument("encrypted");
  const zip = new ZipFile(bytes);
  const parts = Object.fromEntries(zip.read([...zip.names].filter((name) => PARTS.test(name))));
  if (parts[MAIN_PART] === undefined) throw new UnfitDocument("damaged");
  parts[MAIN_PART] = Buffer.from(withMarks(Buffer.from(parts[MAIN_PART]).toString("utf8")));
  // mammoth unpacks without limits, so it gets parts that were unpacked within ours.
  const buffer = Buffer.from(zipSync(parts, { level: 0 }));
  const { value } = await mammoth.convertToHtml({ buffer }, { styleMap: STYLES, convertImage: NO_IMAGE });
  if (!/>[^<]*[\p{L}\p{N}]/u.test(value.replaceAll(EMBEDDED_DOCUMENT, ""))) throw new UnfitDocument("no_text");
  return withTitle(titleOf(zip), markdownOfTree(documentOf(withPictures(value)).body));
}

const NO_IMAGE = mammoth.images.imgElement(async () => ({ src: "" }));

function titleOf(zip: ZipFile): string {
  return titleOfMetadata(textsOf(zip.text(METADATA) ?? "", "title")[0] ?? "");
}
