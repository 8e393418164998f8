// The bytes of a Word document: equal for equal contents. The library writes the time and ids by chance; they are taken out.
import { Document, Packer, type IPropertiesOptions } from "docx";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { NUMBERING, STYLES } from "./docx-style.ts";

const TIMES = /<dcterms:(created|modified)\b[^>]*>[^<]*<\/dcterms:\1>/g;
/** The ids of links, made by chance, and of bookmarks, which the library counts on from one document to the next. */
const IDS = /(?<=\bId="|\br:id=")rId[\w-]{21}(?=")|(?<=<w:bookmark(?:Start|End)\b[^>]*\bw:id=")\d+(?=")/g;
/** The earliest that a ZIP file can say, in any time zone. */
const NO_TIME = "1980-01-01T00:00:00";

export async function docxFile(contents: IPropertiesOptions): Promise<Uint8Array> {
  const by = { creator: "deep-research", lastModifiedBy: "deep-research" };
  const document = new Document({ ...by, styles: STYLES, numbering: NUMBERING, ...contents });
  const parts = unzipSync(await Packer.toBuffer(document));
  const ids = new Map<string, string>();
  const idOf = (found: string): string => {
    const id = ids.get(found) ?? String(ids.size + 1);
    ids.set(found, id);
    return found.startsWith("rId") ? `rIdLink${id}` : id;
  };
  const names = Object.keys(parts).sort();
  const clean = names.map((name): [string, Uint8Array] => {
    const text = strFromU8(parts[name] ?? new Uint8Array());
    return [name, strToU8(text.replace(TIMES, "").replace(IDS, idOf))];
  });
  return zipSync(Object.fromEntries(clean), { mtime: NO_TIME, level: 6 });
}
