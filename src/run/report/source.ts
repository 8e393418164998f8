// Sources and quotes: stored bytes, and exact spans of the text taken from them.
import { DELIMITERS } from "../../kernel/cells.ts";
import { unlessThrown } from "../../kernel/unless-thrown.ts";
import { z } from "../../kernel/zod.ts";
import { countSchema, digestSchema, giverIdSchema, providerIdSchema, timestampSchema } from "../common.ts";

export const MAX_TITLE_LENGTH = 500;
export const MAX_ORIGIN_LENGTH = 2_000;

/**
 * How a text came from the bytes of its document. It is these bytes, or it was decoded from them by a charset, or a reader of
 * documents extracted it. Only the first two can be checked again.
 */
export type TextFrom =
  | { text_from: "bytes" }
  | { text_from: "decoded"; charset: string; replaced_bytes?: number }
  | { text_from: "extracted" };

/** What the document states of itself; absent where it does not. */
export const statedFields = {
  /** `2018-11-26`, or without the day. */
  dated: z
    .string()
    .regex(/^\d{4}-\d\d(?:-\d\d)?$/)
    .optional(),
  version: z.string().min(1).max(30).optional(),
};

/** `2018-11-26, version 3.40`; undefined for a document that states neither. */
export function statedText({
  dated,
  version,
}: {
  dated?: string | undefined;
  version?: string | undefined;
}): string | undefined {
  const said = [...(dated === undefined ? [] : [dated]), ...(version === undefined ? [] : [`version ${version}`])];
  return said.length === 0 ? undefined : said.join(", ");
}

/** source.v1. `origin` is `<corpus name>/<path>`, a URL, an MCP resource name, or the name of an attached file. */
export const sourceSchema = z.object({
  schema_version: z.literal("source.v1"),
  source_digest: digestSchema,
  text_digest: digestSchema,
  media_type: z.string().min(1).max(200),
  title: z.string().min(1).max(MAX_TITLE_LENGTH),
  origin: z.string().min(1).max(MAX_ORIGIN_LENGTH),
  /** Who gave the document. For an operator the next three fields are absent, since no provider was queried. */
  provider_id: giverIdSchema,
  requested_provider_id: providerIdSchema.optional(),
  resolved_provider_id: providerIdSchema.optional(),
  /** The provider in whose place another one answered. */
  fallback_from_provider_id: providerIdSchema.optional(),
  retrieved_at: timestampSchema,
  bytes: countSchema,
  /** Absent in sources of version 0.1.0. */
  text_from: z.enum(["bytes", "decoded", "extracted"]).optional(),
  /** The charset of a decoded text, as the Encoding Standard names it. */
  charset: z.string().min(1).max(40).optional(),
  /** How many bytes are no text in it. U+FFFD is in the text for each, and no quote spans one. */
  replaced_bytes: countSchema.optional(),
  ...statedFields,
});
export type Source = z.infer<typeof sourceSchema>;

export const MAX_COLUMNS = 60;
export const MAX_COLUMN_NAME = 100;

/** Where a person finds a quote in its document. Only the span of the quote is checked. */
export const anchorSchema = z.object({
  /** Counted from 1. */
  page: z.int().min(1).optional(),
  /** The headings above, outermost first. */
  section: z.array(z.string().min(1).max(300)).max(10).optional(),
  /** The names of the columns, when the quote begins in a row below them; "" for a column without a name. */
  columns: z.array(z.string().max(MAX_COLUMN_NAME)).min(1).max(MAX_COLUMNS).optional(),
  /** Between the cells of that row, unless it is written in Markdown. */
  delimiter: z.enum(DELIMITERS).optional(),
});
export type Anchor = z.infer<typeof anchorSchema>;

/** `start` and `end` are byte offsets into the source's extracted text; `text` is exactly those bytes. */
export const quoteSchema = z.object({
  source_digest: digestSchema,
  start: countSchema,
  end: countSchema,
  text: z.string().min(1).max(20_000),
  anchor: anchorSchema.optional(),
});
export type Quote = z.infer<typeof quoteSchema>;

/** Byte spans of a source's text, in order. No real quote has this many: a forged page must not take long to lay out. */
export const spansSchema = z.array(z.object({ start: countSchema, end: countSchema })).max(1_000);

/** Two quotes with one key are the same words at the same place. */
export function spanKey({
  source_digest,
  start,
  end,
}: Pick<Quote, "start" | "end"> & { source_digest: string }): string {
  return `${source_digest} ${start} ${end}`;
}

/**
 * A quote with its title, its headings and the names of its columns, which may hold the only date of minutes, or the only
 * version of a list of changes.
 */
export function textUnderHeadings({ text, anchor }: Pick<Quote, "text" | "anchor">, title: string): string {
  return [title, ...(anchor?.section ?? []), ...(anchor?.columns ?? []), text].join("\n");
}

const LEAST_SIGNS = 8;

/** Why a quote can support nothing: it is a blank, a letter or a bare number, or a byte of its words was lost. Null when it can. */
export function emptinessOf({ text }: Pick<Quote, "text">): string | null {
  if (text.includes("\ufffd")) return "a byte of it could not be read and is shown as \ufffd: quote what is next to it";
  const signs = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return signs < LEAST_SIGNS ? "it is too short to say anything: quote a whole sentence" : null;
}

/** True when the quote's text is byte for byte what is at its span. */
export function isVerbatim(quote: Quote, sourceText: Uint8Array): boolean {
  const expected = new TextEncoder().encode(quote.text);
  if (quote.end - quote.start !== expected.byteLength || quote.end > sourceText.byteLength) return false;
  return Buffer.compare(expected, sourceText.subarray(quote.start, quote.end)) === 0;
}

/** The text without a byte order mark. Errors: a `RangeError` for an unknown charset. */
export function decodedBy(charset: string, bytes: Uint8Array): string {
  return new TextDecoder(charset as Bun.Encoding).decode(bytes);
}

/** False when the text cannot come from these bytes in the way that the source says. */
export function isTextOf({ text_from, charset }: Source, bytes: Uint8Array, text: Uint8Array): boolean {
  if (text_from === "bytes") return Buffer.compare(bytes, text) === 0;
  if (text_from !== "decoded" || charset === undefined || !isKnownCharset(charset)) return true;
  return Buffer.compare(new TextEncoder().encode(decodedBy(charset, bytes)), text) === 0;
}

/** Another version of the runtime may know more charsets. What it decoded by one of them cannot be checked here. */
function isKnownCharset(charset: string): boolean {
  return unlessThrown(() => decodedBy(charset, new Uint8Array()) === "", false);
}
