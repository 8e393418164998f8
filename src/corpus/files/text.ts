// Reads the bytes of a file as text: in UTF-8, or in the charset that a mark or its letters show; else returns the reason.
import { unlessThrown } from "../../kernel/unless-thrown.ts";
import { analyse } from "chardet";
import { decodedBy } from "../../run/report/source.ts";
import { charsetOfMark } from "../extract/html-text.ts";
import type { SkipReason } from "../formats/skipped.ts";

/** `charset`: the text was decoded by it; absent when the text is its bytes. `replaced`: the bytes that are no text in it. */
export type TextVerdict =
  | { kind: "text"; text: string; charset?: string; replaced?: number }
  | { kind: "skipped"; reason: SkipReason; detail?: string };

/** With these, and no others, other programs decode each text alike. */
const CHARSETS: ReadonlySet<string> = new Set(
  (
    "utf-8 utf-16le utf-16be windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1256 windows-1257 " +
    "iso-8859-2 iso-8859-5 iso-8859-7 koi8-r shift_jis euc-kr gb18030"
  ).split(" "),
);
const SAMPLE_BYTES = 64 * 1024;
/** Out of 100, and how far ahead of the next one. */
const SURE = 40;
const AHEAD = 15;
/** The share of bytes that may be no text in their charset. One is always forgiven. */
const MAX_REPLACED_SHARE = 0.01;

/** The text of UTF-8 keeps a byte order mark, so that byte offsets into the text are offsets into the file. */
export function textOf(bytes: Uint8Array): TextVerdict {
  const verdict = decoded(bytes);
  return verdict.kind === "text" && verdict.text.trim() === "" ? { kind: "skipped", reason: "empty" } : verdict;
}

function decoded(bytes: Uint8Array): TextVerdict {
  if (isUtf32(bytes)) return named("UTF-32");
  const wide = charsetOfMark(bytes) ?? wideWithoutMark(bytes);
  if (wide !== undefined && wide !== "utf-8")
    return forgiving(bytes, wide, (letters, bad) => letters >= bad) ?? { kind: "skipped", reason: "binary" };
  if (bytes.indexOf(0) !== -1) return { kind: "skipped", reason: isCompressed(bytes) ? "compressed" : "binary" };
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    if (isCompressed(bytes)) return { kind: "skipped", reason: "compressed" };
  }
  return forgiving(bytes, "utf-8", (letters, bad) => letters >= bad) ?? guessed(bytes);
}

/** The text with a sign for each byte that is none; null when too much is replaced. `isFit` gets the letters beyond ASCII. */
function forgiving(
  bytes: Uint8Array,
  charset: string,
  isFit: (letters: number, bad: number) => boolean,
): Extract<TextVerdict, { kind: "text" }> | null {
  const text = decodedBy(charset, bytes);
  let [letters, replaced] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) replaced++;
    else if (code > 0x7f || charset !== "utf-8") letters++;
  }
  if (replaced > Math.max(1, MAX_REPLACED_SHARE * bytes.byteLength) || !isFit(letters, replaced)) return null;
  return { kind: "text", text, charset, ...(replaced > 0 && { replaced }) };
}

/** Bytes of one charset are letters in many others. Where it is not certain which is meant, the likely one is named. */
function guessed(bytes: Uint8Array): TextVerdict {
  const [first, second] = analyse(bytes.subarray(0, SAMPLE_BYTES));
  const name = first?.name ?? "";
  const charset = encodingOf(name);
  if (first !== undefined && charset !== null && CHARSETS.has(charset) && charset !== "utf-8") {
    const text = decodedBy(charset, bytes);
    const isSure = first.confidence >= SURE && first.confidence - (second?.confidence ?? 0) >= AHEAD;
    if (isSure && !/[\u0080-\u009f\ufffd]/.test(text)) return { kind: "text", text, charset };
  }
  return (
    forgiving(bytes, "utf-8", (_, bad) => bad === 1) ??
    (name === "" ? { kind: "skipped", reason: "not_utf8" } : named(name))
  );
}

function encodingOf(name: string): string | null {
  return unlessThrown(() => new TextDecoder(name as Bun.Encoding).encoding, null);
}

function named(charset: string): TextVerdict {
  return {
    kind: "skipped",
    reason: "not_utf8",
    detail: `perhaps ${charset}; then iconv -f ${charset} -t utf-8 makes it readable`,
  };
}

function isUtf32(bytes: Uint8Array): boolean {
  const mark = Buffer.from(bytes.subarray(0, 4)).toString("hex");
  return mark === "0000feff" || (mark === "fffe0000" && bytes.byteLength % 4 === 0);
}

/** Of Latin letters in UTF-16 every other byte is NUL. */
function wideWithoutMark(bytes: Uint8Array): string | undefined {
  const zeros: [number, number] = [0, 0];
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  for (let at = sample.indexOf(0); at !== -1; at = sample.indexOf(0, at + 1)) zeros[at % 2 === 0 ? 0 : 1]++;
  const [even, odd] = zeros;
  if (bytes.byteLength % 2 !== 0 || even + odd < sample.byteLength / 5) return undefined;
  const charset = even === 0 ? "utf-16le" : "utf-16be";
  // Numbers of a program have zeros, too, and are no letters.
  const isText =
    (even === 0 || odd === 0) && /^[^\p{Cc}\p{Cn}\p{Co}\ufffd]*$/u.test(decodedBy(charset, sample).replace(/\s/g, ""));
  return isText ? charset : undefined;
}

/** The first bytes of gzip, bzip2, xz, zstd, zip and 7z, in Latin-1. */
const COMPRESSED = /^(?:\x1f\x8b|BZh|\xfd7zXZ\0|\x28\xb5\x2f\xfd|PK\x03\x04|7z\xbc\xaf\x27\x1c)/;

/** Only for bytes that are no text, since a text may begin with "BZh" or "PK". */
function isCompressed(bytes: Uint8Array): boolean {
  return COMPRESSED.test(Buffer.from(bytes.subarray(0, 6)).toString("latin1"));
}
