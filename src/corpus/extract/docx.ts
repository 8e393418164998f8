// Takes the text out of a Word document. Nothing is fetched, and only its words are unpacked.
import { zipSync } from "fflate";
import mammoth from "mammoth";
import { documentOf } from "./dom-parser.ts";
import { markdownOfTree } from "./dom-markdown.ts";
import { withMarks, withPictures } from "./docx-marks.ts";
import { UnfitDocument } from "./extraction.ts";
import { titleOfMetadata, withTitle } from "./title.ts";
import { EMBEDDED_DOCUMENT } from "../unread-parts.ts";
import { ZipFile } from "./unzip.ts";
import { textsOf } from "./xml.ts";

const MAIN_PART = "word/document.xml";
const METADATA = "docProps/core.xml";
const PARTS = /^(\[Content_Types\]\.xml|_rels\/\.rels|word\/[^/]+\.xml|word\/_rels\/[^/]+\.rels)$/;
const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];
/** An encrypted document is a compound file, in which this name stands in UTF-16. */
const COMPOUND_FILE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const ENCRYPTED_PACKAGE = Buffer.from("EncryptedPackage", "utf16le");

export async function markdownOfDocx(bytes: Uint8Array): Promise<string> {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (whole.subarray(0, COMPOUND_FILE.byteLength).equals(COMPOUND_FILE)) {
    throw new UnfitDocument(whole.includes(ENCRYPTED_PACKAGE) ? "encrypted" : "damaged");
  }
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
