// Decodes an HTML file by its byte order mark, else by the charset that it declares, else as UTF-8, else as windows-1252.
import { unlessThrown } from "../../kernel/unless-thrown.ts";

const MARKS: readonly { mark: readonly number[]; charset: string }[] = [
  { mark: [0xef, 0xbb, 0xbf], charset: "utf-8" },
  { mark: [0xff, 0xfe], charset: "utf-16le" },
  { mark: [0xfe, 0xff], charset: "utf-16be" },
];
/** Source: HTML Standard, "prescan a byte stream to determine its encoding". */
const PRESCAN_BYTES = 1_024;
const DECLARATION = /<meta[^>]{0,300}?charset\s*=\s*["']?\s*([\w-]+)|<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w-]+)/i;

/** The charset that a byte order mark stands for; undefined without a mark. */
export function charsetOfMark(bytes: Uint8Array): string | undefined {
  return MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte))?.charset;
}

export function textOfHtml(bytes: Uint8Array): string {
  const marked = charsetOfMark(bytes);
  if (marked !== undefined) return decoded(bytes, marked) ?? "";
  const head = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString("latin1");
  const declaration = DECLARATION.exec(head);
  const declared = declaration?.[1] ?? declaration?.[2];
  // A declaration that can be read as ASCII is not in UTF-16, even if it says so.
  if (declared !== undefined && !/^utf-?16/i.test(declared)) {
    const text = decoded(bytes, declared);
    if (text !== null) return text;
  }
  return decoded(bytes, "utf-8", true) ?? decoded(bytes, "windows-1252") ?? "";
}

/** Null when the charset is unknown. `isStrict`: also when the bytes are not valid in it. */
function decoded(bytes: Uint8Array, charset: string, isStrict = false): string | null {
  return unlessThrown(() => new TextDecoder(charset as Bun.Encoding, { fatal: isStrict }).decode(bytes), null);
}
