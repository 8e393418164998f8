// Reminds a researcher of its own work when the beginning of its conversation does not fit into a request any more.
import { shortened } from "../../kernel/shortened.ts";
import type { Message } from "../../run/model/conversation.ts";
import { documentOf, ResearchState } from "./research-state.ts";

const MAX_TEXT = 200;

/**
 * Lists what was recorded, not found, searched and found, in this order and the newest first, in at most `most` characters. Null
 * when there is nothing to list.
 */
export function recallOf(messages: readonly Message[], most: number): string | null {
  const state = new ResearchState(messages);
  const names = new Map([...state.opened().values()].map(({ source_digest, document }) => [source_digest, document]));
  const documents = new Map([...state.passages().values()].map((one) => [documentOf(one.name), one.title]));
  const entries = [
    ...state.quotes().map(({ source_digest, statement, part_ids }) => ({
      list: "recorded",
      entry: { document: names.get(source_digest), statement: shortened(statement, MAX_TEXT), part_ids },
    })),
    ...state.gaps().map(({ text }) => ({ list: "not_found", entry: { text: shortened(text, MAX_TEXT) } })),
    ...state.queries().map((query) => ({ list: "searched", entry: shortened(query, MAX_TEXT) })),
    ...[...documents].map(([document, title]) => ({
      list: "documents",
      entry: { document, title: shortened(title, MAX_TEXT) },
    })),
  ];
  const lists: Record<string, unknown[]> = {};
  let length = OPENING.length + 2;
  for (const list of ["recorded", "not_found", "searched", "documents"])
    for (const { entry } of entries.filter((one) => one.list === list).toReversed()) {
      const frame = list in lists ? 0 : JSON.stringify(list).length + 4;
      const own = frame + JSON.stringify(entry).length + 1;
      if (length + own > most) continue;
      length += own;
      (lists[list] ??= []).unshift(entry);
    }
  return Object.keys(lists).length === 0 ? null : `${OPENING}${JSON.stringify(lists)}`;
}

const OPENING =
  "The beginning of this conversation is left out here, since it does not fit. What you did so far, and the names of documents, which still work: ";
