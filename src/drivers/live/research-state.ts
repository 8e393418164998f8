// What a conversation has found, opened and quoted so far, read back from the results of its tools: a resumed step knows
// what the interrupted one knew, since nothing is kept elsewhere.
import { z } from "../../kernel/schema.ts";
import { parseStrictJsonText } from "../../kernel/strict-json.ts";
import type { Passage } from "../../ports/provider.ts";
import { digestSchema } from "../../run/common.ts";
import type { Message } from "../../run/conversation.ts";

/** The results of the tools, as the model sees them too. Text of documents stands under `document_text` alone. */
export const foundSchema = z.object({
  found: z.array(
    z.object({
      document: z.string(),
      title: z.string(),
      origin: z.string(),
      document_digest: digestSchema,
      start: z.number(),
      end: z.number(),
      score: z.number(),
      document_text: z.string(),
    }),
  ),
});
export const openedSchema = z.object({
  opened: z.object({
    source: z.string(),
    source_digest: digestSchema,
    title: z.string(),
    origin: z.string(),
    from: z.number(),
    to: z.number(),
    length: z.number(),
    document_text: z.string(),
  }),
});
export const quotedSchema = z.object({
  quoted: z.object({
    source_digest: digestSchema,
    title: z.string(),
    origin: z.string(),
    start: z.number(),
    end: z.number(),
    text: z.string(),
    statement: z.string(),
    part_ids: z.array(z.string()),
  }),
});
export const gapSchema = z.object({ gap: z.object({ text: z.string(), reason: z.string() }) });

/** A search or a document that gave nothing because nothing answered; the result is an error. */
export const unreachedSchema = z.object({ unreached: z.string() });
/** A search or an opening too many; the result is an error. */
const noMoreLooksSchema = z.object({ no_more_looks: z.string() });

export type Opened = z.infer<typeof openedSchema>["opened"];
export type Quoted = z.infer<typeof quotedSchema>["quoted"];
export type NotedGap = z.infer<typeof gapSchema>["gap"];

/** What of the results is JSON: all that is no error, and the errors that are read back. */
const VALUES = /^\{/;
const ERRORS = /^\{"(unreached|no_more_looks)"/;

export class Shelf {
  readonly #results: readonly unknown[];
  readonly #errors: readonly unknown[];

  constructor(messages: readonly Message[]) {
    const valuesOf = (isError: boolean): unknown[] =>
      messages.flatMap((message) => {
        if (message.role !== "tool" || (message.is_error === true) !== isError) return [];
        return (isError ? ERRORS : VALUES).test(message.content) ? [parseStrictJsonText(message.content)] : [];
      });
    this.#results = valuesOf(false);
    this.#errors = valuesOf(true);
  }

  /** Whether any search was answered, be it with nothing. */
  get wasAnswered(): boolean {
    return this.#read(foundSchema).length > 0;
  }

  /** Why searches and documents were not answered. */
  unreached(): string[] {
    return this.#read(unreachedSchema, this.#errors).map(({ unreached }) => unreached);
  }

  /** Searches and openings that asked somebody, answered or not. */
  get looks(): number {
    return this.#read(foundSchema).length + this.#read(openedSchema).length + this.unreached().length;
  }

  /** What was told instead of a search or an opening too many. */
  refusedLooks(): string[] {
    return this.#read(noMoreLooksSchema, this.#errors).map(({ no_more_looks }) => no_more_looks);
  }

  /** Documents by the names that searches gave them. */
  documents(): Map<string, Passage> {
    const documents = new Map<string, Passage>();
    for (const { found } of this.#read(foundSchema)) {
      for (const { document, document_text, ...passage } of found)
        if (!documents.has(document)) documents.set(document, { ...passage, text: document_text });
    }
    return documents;
  }

  /** Stored sources by the names under which they were opened. */
  sources(): Map<string, Opened> {
    return new Map(this.#read(openedSchema).map(({ opened }) => [opened.source, opened]));
  }

  quotes(): Quoted[] {
    const quotes = this.#read(quotedSchema).map(({ quoted }) => quoted);
    return [...new Map(quotes.map((quote) => [spanKey(quote), quote])).values()];
  }

  gaps(): NotedGap[] {
    return this.#read(gapSchema).map(({ gap }) => gap);
  }

  #read<T>(schema: z.ZodType<T>, values = this.#results): T[] {
    return values.flatMap((value) => {
      const parsed = schema.safeParse(value);
      return parsed.success ? [parsed.data] : [];
    });
  }
}

export function spanKey({ source_digest, start, end }: Pick<Quoted, "source_digest" | "start" | "end">): string {
  return `${source_digest} ${start} ${end}`;
}
