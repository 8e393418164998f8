// Reads the passages, documents and quotes of a conversation from what its tools stored. Nothing is kept elsewhere, so a resumed
// step knows what the interrupted one knew.
import { z } from "../../kernel/zod.ts";
import { countSchema, digestSchema } from "../../run/common.ts";
import type { Message } from "../../run/model/conversation.ts";
import { spanKey } from "../../run/report/source.ts";
import { refusalSchema } from "../asking/refusals.ts";

/** `name`: `d1` for a document and its first passage, `d1.2` for its second one. `start` and `end`: bytes of its text. */
const passageSchema = z.object({
  name: z.string(),
  title: z.string(),
  origin: z.string(),
  document_digest: digestSchema,
  start: countSchema,
  end: countSchema,
});
const storedSchema = z.object({
  source_digest: digestSchema,
  title: z.string(),
  origin: z.string(),
  media_type: z.string().optional(),
});
const openedSchema = storedSchema.extend({ document: z.string() });
const quotedSchema = storedSchema.extend({
  start: countSchema,
  end: countSchema,
  text: z.string(),
  statement: z.string(),
  part_ids: z.array(z.string()),
});
const gapSchema = z.object({ text: z.string(), reason: z.string(), part_ids: z.array(z.string()) });

/** What one call of a tool stores. */
const leftSchema = refusalSchema.extend({
  /** The passages of a search that was answered. */
  found: z.array(passageSchema).optional(),
  query: z.string().optional(),
  /** Why passages are not in the order of the endpoint that ranks. */
  unranked: z.string().optional(),
  opened: openedSchema.optional(),
  /** A document that was stored for a quote. */
  stored: openedSchema.optional(),
  quoted: quotedSchema.optional(),
  /** The number of the quote that this one stands for. */
  replaces: z.int().optional(),
  gap: gapSchema.optional(),
});
export type Left = z.infer<typeof leftSchema>;
export type FoundPassage = z.infer<typeof passageSchema>;
export type Opened = z.infer<typeof openedSchema>;
export type Quoted = z.infer<typeof quotedSchema>;
export type NotedGap = z.infer<typeof gapSchema>;

function leftIn(state: unknown): Left | null {
  const parsed = leftSchema.safeParse(state);
  return parsed.success ? parsed.data : null;
}

export class ResearchState {
  readonly #left: readonly Left[];

  constructor(messages: readonly Message[]) {
    this.#left = messages.flatMap((message) => (message.role === "tool" ? (leftIn(message.state) ?? []) : []));
  }

  /** True when any search was answered, even with no passage. */
  get wasAnswered(): boolean {
    return this.#left.some(({ found }) => found !== undefined);
  }

  /** The reasons of searches and openings that were not answered. */
  unreached(): string[] {
    return this.#left.flatMap(({ unreached }) => unreached ?? []);
  }

  /** The number of searches and openings, answered or not. */
  get requests(): number {
    return this.#left.filter((left) => left.found ?? left.opened ?? left.unreached).length;
  }

  /** The passages by their names. */
  passages(): Map<string, FoundPassage> {
    return new Map(this.#left.flatMap(({ found = [] }) => found.map((passage) => [passage.name, passage])));
  }

  /** The stored sources by the names of their documents. */
  opened(): Map<string, Opened> {
    const opened = this.#left.flatMap((left) => [left.opened ?? [], left.stored ?? []].flat());
    return new Map(opened.map((one) => [one.document, one]));
  }

  quotes(): Quoted[] {
    return [...this.numberedQuotes().values()];
  }

  /** The recorded quotes by their numbers, from 1. One that was recorded again with another statement keeps its number. */
  numberedQuotes(): Map<number, Quoted> {
    const quotes = new Map<number, Quoted>();
    for (const { quoted, replaces } of this.#left) {
      if (quoted === undefined) continue;
      if (replaces !== undefined) quotes.delete(replaces);
      quotes.set(this.numberFor(quoted), quoted);
    }
    return quotes;
  }

  /** The number that a quote has, or will have once it is recorded. */
  numberFor(quote: Quoted): number {
    const known = new Set(this.#left.flatMap(({ quoted }) => (quoted === undefined ? [] : [spanKey(quoted)])));
    return [...known.add(spanKey(quote))].indexOf(spanKey(quote)) + 1;
  }

  /** Notes about searches that were not ranked, each once. */
  unranked(): string[] {
    return [...new Set(this.#left.flatMap(({ unranked }) => unranked ?? []))];
  }

  /** The queries that were answered, each once. */
  queries(): string[] {
    return [...new Set(this.#left.flatMap(({ query }) => query ?? []))];
  }

  gaps(): NotedGap[] {
    return this.#left.flatMap(({ gap }) => gap ?? []);
  }
}

/** The name of the document of a passage: `d3` for `d3.2`. */
export function documentOf(name: string): string {
  return name.split(".")[0] ?? name;
}

/** The name for a new document. */
export function nextDocument(known: readonly FoundPassage[]): string {
  return `d${new Set(known.map(({ name }) => documentOf(name))).size + 1}`;
}
