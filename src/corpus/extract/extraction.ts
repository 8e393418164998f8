// Defines the messages between parent and child: requests, progress, and the outcome of a document.
import { z } from "../../kernel/zod.ts";
import { DOCUMENT_KINDS, type DocumentKind } from "../formats/formats.ts";

/** The reasons that are in the document. Another try is worth it only when its bytes have changed. */
const UNFIT_REASONS = [
  "damaged",
  "encrypted",
  "scanned",
  "unknown_characters",
  "no_text",
  "needs_script",
  "too_many_pages",
  "zip_bomb",
  "text_too_long",
] as const;
export type UnfitReason = (typeof UNFIT_REASONS)[number];

/** A web page is fetched alone, without its neighbours. */
export type ReadingKind = DocumentKind | "web_page";
const READING_KINDS: readonly ReadingKind[] = [...DOCUMENT_KINDS, "web_page"];

/** The bytes of the document follow the request. */
export const requestSchema = z.object({ kind: z.enum(READING_KINDS) });
export type Request = z.infer<typeof requestSchema>;

/** The progress in a document; only PDFs have pages. */
export interface PagePlace {
  /** The page that is read now, from 1. */
  page: number;
  pages: number;
}
export type OnPage = (place: PagePlace) => void;

const pageSchema = z.int().min(1);

/** The messages of the child. `ready` comes once, `page` any number of times; the bytes of the text follow `text`. */
export const answerSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({ kind: z.literal("page"), page: pageSchema, pages: pageSchema }),
  z.object({ kind: z.literal("text") }),
  z.object({ kind: z.literal("unfit"), reason: z.enum(UNFIT_REASONS) }),
]);
export type Answer = z.infer<typeof answerSchema>;

/** Thrown by readers of documents for a document that cannot be read. */
export class UnfitDocument extends Error {
  readonly reason: UnfitReason;

  constructor(reason: UnfitReason) {
    super(reason);
    this.reason = reason;
  }
}
