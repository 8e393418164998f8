// Recognizes by its content a file in a format that cannot be read as it is, whatever its name says.
import { unlessThrown } from "../../kernel/unless-thrown.ts";
import { ZipFile } from "./unzip.ts";
import type { SkipReason } from "../formats/skipped.ts";

/** How much of a file is examined. */
const HEAD_BYTES = 4_096;

const BY_SIGNATURE: readonly [RegExp, SkipReason][] = [
  [/^\{\\rtf/, "rtf"],
  [/^(?:\x04)?%!PS|^\xc5\xd0\xd3\xc6/, "postscript"],
  [/^\s*(?:<\?xml[^>]*\?>\s*|<!--[^>]*-->\s*|<!DOCTYPE svg[^>]*>\s*){0,9}<svg[\s>]/i, "drawing"],
];
/** Programs put many fields above a mail, in any order. */
const MAIL_FIELD =
  /^(?:From|To|Cc|Subject|Date|Sender|Reply-To|Received|Return-Path|Delivered-To|Message-ID|MIME-Version|Content-[\w-]+|X-[\w-]+|DKIM-Signature):/i;
const ENCODED = /^Content-(?:Transfer-Encoding:\s*(?:base64|quoted-printable)|Type:\s*multipart\/)/im;
const MAILS: ReadonlySet<string> = new Set(["eml", "emlx", "mbox", "mht", "mhtml"]);

/** The beginnings of the names of entries in a zip file. */
const BY_ENTRY: readonly [string, SkipReason][] = [
  ["ppt/presentation.xml", "presentation"],
  ["xl/workbook.", "spreadsheet"],
  ["Index/Document.iwa", "office_text"],
];
/** The first entry of a zip file, with what it holds. */
const BY_TYPE: readonly [string, SkipReason][] = [
  ["mimetypeapplication/vnd.oasis.opendocument.presentation", "presentation"],
  ["mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "spreadsheet"],
  ["mimetypeapplication/vnd.oasis.opendocument.", "office_text"],
];
const ZIP = "PK\x03\x04";
const FIRST_ENTRY = 30;
const COMPOUND_FILE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
/** Names of streams inside of a compound file, which are in UTF-16. */
const BY_STREAM: readonly [string, SkipReason][] = [
  ["EncryptedPackage", "encrypted"],
  ["PowerPoint Document", "presentation"],
  ["Workbook", "spreadsheet"],
  ["WordDocument", "office_text"],
];
/** Programs write such lines, people do not. */
const MINIFIED_LINE = 2_000;
const MINIFIED_BYTES = 20_000;

/** Null for a file that may be read. `ending`: of its name, without the dot. */
export function unreadFormatOf(bytes: Uint8Array, ending: string): SkipReason | null {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = whole.subarray(0, HEAD_BYTES).toString("latin1");
  if (head.startsWith(ZIP)) return zippedFormatOf(whole, head);
  if (head.startsWith(COMPOUND_FILE))
    return BY_STREAM.find(([name]) => whole.includes(Buffer.from(name, "utf16le")))?.[1] ?? null;
  const text = head.replace(/^\xef\xbb\xbf/, "");
  const found = BY_SIGNATURE.find(([signature]) => signature.test(text))?.[1];
  if (found !== undefined) return found;
  return MAILS.has(ending) || isEncodedMail(text) ? "mail" : null;
}

/** A file stored in it unpacked has entries of its own. */
function zippedFormatOf(whole: Uint8Array, head: string): SkipReason | null {
  const names = unlessThrown(() => [...new ZipFile(whole).names], []);
  const found =
    BY_TYPE.find(([type]) => head.startsWith(type, FIRST_ENTRY)) ??
    BY_ENTRY.find(([beginning]) => names.some((name) => name.startsWith(beginning)));
  return found?.[1] ?? null;
}

/** Archives of mailing lists are plain text, and are read. */
function isEncodedMail(head: string): boolean {
  const [fields = ""] = head.replace(/^From [^\r\n]*\r?\n/, "").split(/\r?\n\r?\n/, 1);
  const lines = fields.split(/\r?\n/);
  const isMail = lines.every((line) => MAIL_FIELD.test(line) || /^[ \t]|^[\w-]+:/.test(line) || line === "");
  return isMail && lines.filter((line) => MAIL_FIELD.test(line)).length >= 2 && ENCODED.test(fields);
}

/** True for code in lines of a length that only programs write. */
export function isMinified(text: string): boolean {
  if (text.length < MINIFIED_BYTES) return false;
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return text.length / lines > MINIFIED_LINE;
}
