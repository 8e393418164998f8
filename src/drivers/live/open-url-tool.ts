// The tool `open_url`: reads a page of the web whose address a page or a search has shown, and shows it as `open` does.
import { z } from "../../kernel/schema.ts";
import type { Tool, ToolAnswer } from "../../ports/driver.ts";
import type { Message } from "../../run/conversation.ts";
import { shownSlice } from "./document-tools.ts";
import { objectTool } from "./object-tool.ts";
import { addressOf } from "./page-links.ts";
import { readSource, type ReadSource } from "./read-source.ts";
import type { ReadingOptions } from "./reading-tools.ts";
import { overLimit } from "./request-limit.ts";
import { nextDocument, ResearchState } from "./research-state.ts";
import { refused, unlessUnreached, unreached } from "./tool-answers.ts";

/** None where the run reads nothing of the web. */
export function openUrlTools(options: ReadingOptions): Tool[] {
  const { tools, messages, limits } = options;
  const { pages } = tools;
  if (pages === undefined) return [];
  const tool = objectTool({
    name: "open_url",
    description:
      "Reads a page of the web and shows it from its beginning, under a name that open, find and quote take. Takes the address of a link or of a document that a tool has shown; no other is read.",
    schema: z.object({ address: z.string().min(1).max(2_000).describe("as it was shown, with https://") }),
    isSafe: async ({ address }) => (await tools.isRepeatable?.(address)) ?? true,
    async run({ address }) {
      const state = new ResearchState(messages());
      const over = overLimit(state, limits);
      if (over !== null) return over;
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

/** Later calls know the page by its name, as they know what a search found. */
function named(answer: ToolAnswer, { document, source_digest, title, origin }: ReadSource): ToolAnswer {
  const found = [{ name: document, origin, title, document_digest: source_digest, start: 0, end: 0 }];
  return { ...answer, state: { ...Object(answer.state), found } };
}

const ADDRESS = /https?:\/\/[^\s"'<>\\()[\]{}|`]+/giu;

/** What a person could have clicked or copied: nothing that a page tells a model to put together is ever asked for. */
function shownAddresses(messages: readonly Message[]): Set<string> {
  const shown = messages.flatMap((message) =>
    message.role === "tool" && message.is_error !== true ? (message.content.match(ADDRESS) ?? []) : [],
  );
  return new Set(
    shown.flatMap((text) => [text, text.replace(/[.,;:!?]+$/u, "")]).flatMap((text) => addressOf(text) ?? []),
  );
}
