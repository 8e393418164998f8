// A quote as every model reads it: with its document's title, the headings above it, and the sentences beside it.
import { shortened } from "../../kernel/shortened.ts";
import type { TaskTools } from "../../ports/driver.ts";
import type { Citation } from "../../run/research.ts";
import type { Quote, Source } from "../../run/source.ts";
import { placed } from "./quote-places.ts";

const REACH_BYTES = 800;
const MAX_NEIGHBOUR = 300;
/** Origins of what stands in the asker's own folders begin with the name of a corpus. */
const IS_ADDRESS = /^[a-z][a-z0-9+.-]*:/iu;

export interface QuoteInContext {
  quote: Quote;
  title: string;
  origin: string;
  heading: string[];
  before: string;
  after: string;
}

type Reading = Pick<TaskTools, "sourceText" | "signal">;

/** In the order of the citations. */
export async function inContext(
  citations: readonly Pick<Citation, "quote">[],
  sources: readonly Pick<Source, "source_digest" | "title" | "origin">[],
  tools: Reading,
): Promise<QuoteInContext[]> {
  const known = new Map(sources.map((source) => [source.source_digest, source]));
  const contexts: QuoteInContext[] = [];
  for (const { quote } of citations) {
    const bytes = await tools.sourceText(quote.source_digest);
    const { title = "", origin = "" } = known.get(quote.source_digest) ?? {};
    contexts.push({ quote, title, origin, heading: quote.anchor?.section ?? [], ...neighbours(bytes, quote) });
  }
  return contexts;
}

/** The citations with their places, and each in its context. */
export async function placedInContext(
  citations: readonly Citation[],
  sources: readonly Source[],
  tools: Reading,
): Promise<{ citations: Citation[]; contexts: QuoteInContext[] }> {
  const found = await placed(citations, sources, tools);
  return { citations: found, contexts: await inContext(found, sources, tools) };
}

/** Whether it was fetched from outside: whoever wrote it may write to the models that read it. */
export function isFromOutside({ origin }: QuoteInContext): boolean {
  return IS_ADDRESS.test(origin);
}

/** As a model is shown it; every field of it is data. */
export function shownContext({ quote, title, origin, heading, before, after }: QuoteInContext) {
  return {
    title,
    origin,
    ...(heading.length === 0 ? {} : { heading: heading.join(" > ") }),
    ...(before === "" ? {} : { before }),
    document_text: quote.text,
    ...(after === "" ? {} : { after }),
  };
}

function neighbours(bytes: Uint8Array, { start, end }: Quote): { before: string; after: string } {
  const before = sentences(bytes.subarray(Math.max(0, start - REACH_BYTES), start)).at(-1) ?? "";
  const after = sentences(bytes.subarray(end, end + REACH_BYTES))[0] ?? "";
  return { before: before.slice(-MAX_NEIGHBOUR).toWellFormed(), after: shortened(after, MAX_NEIGHBOUR) };
}

function sentences(bytes: Uint8Array): string[] {
  // A cut may go through a character.
  const text = new TextDecoder()
    .decode(bytes)
    .replace(/^\ufffd+|\ufffd+$/gu, "")
    .replace(/\s+/gu, " ");
  return [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)]
    .map(({ segment }) => segment.trim())
    .filter((segment) => /[\p{L}\p{N}]/u.test(segment));
}
