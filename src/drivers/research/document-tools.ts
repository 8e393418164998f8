// The tools that open documents: `open` shows one around a passage, `open_url` a web page whose address was shown. Places are
// counted in characters.
import { decodedText } from "../../kernel/decoded-text.ts";
import { z } from "../../kernel/zod.ts";
import type { Tool, ToolAnswer } from "../../ports/driver.ts";
import type { Message } from "../../run/model/conversation.ts";
import { addressOf, linksOf, linksShownIn } from "./page-links.ts";
import {
  answered,
  isSafeToRead,
  openedOf,
  readSource,
  refused,
  requestTool,
  unlessUnreached,
  unreached,
  type Reading,
  type ReadSource,
} from "./reading.ts";
import { nextDocument } from "./research-state.ts";

const SLICE_LENGTH = 4_000;
const MAX_SLICE_LENGTH = 12_000;
/** The most characters that are shown before a passage. */
const BEFORE_PASSAGE = 1_000;

export function openTool(options: Reading): Tool {
  return requestTool(options, {
    name: "open",
    description: `Shows a document around the passage that was found, some ${SLICE_LENGTH} characters of whole paragraphs; from, to and length are counted in characters. Read on with from = the last to. Several openings in one reply are welcome.`,
    schema: z.object({
      document: documentName,
      from: z.int().min(0).optional().describe("where to begin; without it, shortly before the passage"),
      size: z.int().min(500).max(MAX_SLICE_LENGTH).optional().describe("how many characters to show"),
    }),
    isSafe: ({ document }) => isSafeToRead(options, document),
    async run({ document, from, size }) {
      const source = await readSource(options, document);
      if ("is_error" in source) return source;
      return await shownSlice(options, source, { from, size });
    },
  });
}

/** A slice of a document. For a web page it has the links in the slice, if the run may follow links. */
async function shownSlice(
  { tools }: Pick<Reading, "tools">,
  source: ReadSource,
  { from, size = SLICE_LENGTH }: { from?: number | undefined; size?: number | undefined } = {},
): Promise<ToolAnswer> {
  const text = decodedText(source.text);
  if (from !== undefined && from >= text.length)
    return refused(`The document has ${text.length} characters: there is nothing from ${from} on.`);
  const { document, title, origin, source_digest, media_type = "" } = source;
  const isPage = /html/.test(media_type) && addressOf(origin) !== null;
  const bytes = isPage ? await tools.pages?.bytesOf(source_digest) : undefined;
  const all = bytes === undefined ? [] : await linksOf(bytes, origin);
  const slice = sliceOf(text, from ?? landing(text, source), Math.min(size, tools.resultLength));
  const links = linksShownIn(slice.document_text, all);
  const opened = { document, title, origin, ...slice, ...(links.length === 0 ? {} : { links }) };
  return answered({ opened }, { opened: openedOf(source) });
}

export const documentName = z.string().describe('the name that a search gave it, as "d3" or "d3.2"');

/** The beginning of the paragraph of the passage, or of one shortly before. */
function landing(text: string, { text: bytes, at }: ReadSource): number {
  const place = decodedText(bytes.subarray(0, at)).length;
  if (place <= BEFORE_PASSAGE) return 0;
  const paragraph = text.indexOf("\n\n", place - BEFORE_PASSAGE);
  return paragraph < 0 || paragraph >= place ? place : paragraph + 2;
}

/** The text from `from` to the end of the last paragraph that fits, or else of a line or a word. */
function sliceOf(text: string, from: number, most: number) {
  const start = isInsidePair(text, from) ? from - 1 : from;
  const to = start + most >= text.length ? text.length : endBefore(text, start, start + most);
  return { from: start, to, length: text.length, document_text: text.slice(start, to) };
}

function endBefore(text: string, start: number, limit: number): number {
  const earliest = start + (limit - start) / 2;
  for (const border of ["\n\n", "\n", " "]) {
    const at = text.lastIndexOf(border, limit - border.length);
    if (at > earliest) return at + border.length;
  }
  return isInsidePair(text, limit) ? limit - 1 : limit;
}

export function isInsidePair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && at > 0;
}

// --- open_url -----------------------------------------------------------------------------------------------------

/** Empty when the run reads no web pages. */
export function openUrlTools(options: Reading): Tool[] {
  const { tools, messages } = options;
  const { pages } = tools;
  if (pages === undefined) return [];
  const tool = requestTool(options, {
    name: "open_url",
    description:
      "Reads a page of the web and shows it from its beginning, under a name that open, find and quote take. Takes the address of a link or of a document that a tool has shown; no other is read.",
    schema: z.object({ address: z.string().min(1).max(2_000).describe("as it was shown, with https://") }),
    isSafe: async ({ address }) => (await tools.isRepeatable?.(address)) ?? true,
    async run({ address }, state) {
      const page = addressOf(address);
      if (page === null || !shownAddresses(messages()).has(page))
        return refused("No tool has shown this address: search, or take one from the links of a page.");
      const known = [...state.passages().values()].find(({ origin }) => addressOf(origin) === page);
      if (known !== undefined) {
        const source = await readSource(options, known.name);
        return "is_error" in source ? source : await shownSlice(options, { ...source, at: 0 });
      }
      tools.say(`reading ${page}`);
      const kept = await unlessUnreached(state, () => pages.keep(page));
      if ("is_error" in kept) return kept;
      if (kept.kind !== "kept")
        return unreached(`the page cannot be read: ${kept.kind === "gone" ? kept.reason : kept.kind}`);
      const { source_digest, title, origin, media_type } = kept.source;
      const read: ReadSource = {
        document: nextDocument([...state.passages().values()]),
        source_digest,
        title,
        origin,
        media_type,
        text: kept.text,
        at: 0,
      };
      return named(await shownSlice(options, read), read);
    },
  });
  return [tool];
}

/** The answer with the page stored among what was found, so that later calls know it by its name. */
function named(answer: ToolAnswer, { document, source_digest, title, origin }: ReadSource): ToolAnswer {
  const found = [{ name: document, origin, title, document_digest: source_digest, start: 0, end: 0 }];
  return { ...answer, state: { ...Object(answer.state), found } };
}

const ADDRESS = /https?:\/\/[^\s"'<>\\()[\]{}|`]+/giu;

/** The addresses that tools have shown. An address that a page makes a model put together is never read. */
function shownAddresses(messages: readonly Message[]): Set<string> {
  const shown = messages.flatMap((message) =>
    message.role === "tool" && message.is_error !== true ? (message.content.match(ADDRESS) ?? []) : [],
  );
  return new Set(
    shown.flatMap((text) => [text, text.replace(/[.,;:!?]+$/u, "")]).flatMap((text) => addressOf(text) ?? []),
  );
}
