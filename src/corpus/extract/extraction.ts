// The outcome of taking the text out of a document: the text, or the reason why there is none.
import { z } from "../../kernel/schema.ts";
import { DOCUMENT_KINDS } from "../formats.ts";

/** The reasons that lie in the document itself: its bytes have to change before another try is worth it. */
const UNFIT_REASONS = [
  "damaged",
  "encrypted",
  "scanned",
  "unknown_characters",
  "no_text",
  "too_many_pages",
  "zip_bomb",
  "text_too_long",
] as const;
export type UnfitReason = (typeof UNFIT_REASONS)[number];

/** The document itself follows as bytes. */
export const requestSchema = z.object({ kind: z.enum(DOCUMENT_KINDS) });
export type Request = z.infer<typeof requestSchema>;

/** How far a document is read; only of formats that have pages. */
export interface PagePlace {
  /** From 1: the one that is being read. */
  page: number;
  pages: number;
}
export type OnPage = (place: PagePlace) => void;

const pageSchema = z.number().int().min(1);

/** How the child answers; the text itself follows as bytes. `page` comes before the answer. */
export const answerSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({ kind: z.literal("page"), page: pageSchema, pages: pageSchema }),
  z.object({ kind: z.literal("text") }),
  z.object({ kind: z.literal("unfit"), reason: z.enum(UNFIT_REASONS) }),
]);
export type Answer = z.infer<typeof answerSchema>;

/** Thrown where a document turns out to be unfit. */
export class UnfitDocument extends Error {
  readonly reason: UnfitReason;

  constructor(reason: UnfitReason) {
    super(reason);
    this.reason = reason;
  }
}
