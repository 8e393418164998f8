// The characters of an HTML file: by its byte order mark, by what it says of itself, as UTF-8, or as windows-1252.

const MARKS: readonly { mark: readonly number[]; charset: string }[] = [
  { mark: [0xef, 0xbb, 0xbf], charset: "utf-8" },
  { mark: [0xff, 0xfe], charset: "utf-16le" },
  { mark: [0xfe, 0xff], charset: "utf-16be" },
];
/** Source: HTML Standard, "prescan a byte stream to determine its encoding", which looks no further either. */
const PRESCAN_BYTES = 1_024;
const DECLARATION = /<meta[^>]{0,300}?charset\s*=\s*["']?\s*([\w-]+)|<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w-]+)/i;

export function textOfHtml(bytes: Uint8Array): string {
  const marked = MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return decoded(bytes, marked.charset) ?? "";
  const head = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString("latin1");
  const declaration = DECLARATION.exec(head);
  const declared = declaration?.[1] ?? declaration?.[2];
  // A page that can tell its charset in ASCII is not written in UTF-16, whatever it says.
  if (declared !== undefined && !/^utf-?16/i.test(declared)) {
    const text = decoded(bytes, declared);
    if (text !== null) return text;
  }
  return decoded(bytes, "utf-8", true) ?? decoded(bytes, "windows-1252") ?? "";
}

/** Null when the charset is unknown, or, when `isStrict`, the bytes do not fit it. */
function decoded(bytes: Uint8Array, charset: string, isStrict = false): string | null {
  try {
    return new TextDecoder(charset as Bun.Encoding, { fatal: isStrict }).decode(bytes);
  } catch {
    return null;
  }
}
