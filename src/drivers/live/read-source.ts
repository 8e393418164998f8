// Reads a document by the name that a search gave it; what is read for the first time is stored as a source of the run.
import { shortened } from "../../kernel/shortened.ts";
import type { TaskTools, ToolAnswer } from "../../ports/driver.ts";
import type { Message } from "../../run/conversation.ts";
import { documentOf, ResearchState, type Opened } from "./research-state.ts";
import { refused, unlessUnreached, unreached } from "./tool-answers.ts";

export interface SourceReading {
  tools: TaskTools;
  /** The conversation so far. */
  messages: () => readonly Message[];
}

/** Whether storing the document of that name may be done twice; one that no search named starts no tool. */
export async function isSafeToRead({ tools, messages }: SourceReading, name: string): Promise<boolean> {
  const state = new ResearchState(messages());
  const origin = state.passages().get(name)?.origin;
  const isStored = state.opened().has(documentOf(name));
  return isStored || origin === undefined || ((await tools.isRepeatable?.(origin)) ?? true);
}

/** A stored source, and its text; `at`: the byte at which the named passage stands. */
export interface ReadSource extends Opened {
  text: Uint8Array;
  at: number;
}

/** Stores the document when it is first read. */
export async function readSource({ tools, messages }: SourceReading, name: string): Promise<ReadSource | ToolAnswer> {
  const state = new ResearchState(messages());
  const passage = state.passages().get(name);
  if (passage === undefined) return refused(`No search has named a document ${JSON.stringify(shortened(name, 100))}.`);
  const document = documentOf(name);
  const known = state.opened().get(document);
  if (known !== undefined) return { ...known, text: await tools.sourceText(known.source_digest), at: passage.start };
  const kept = await unlessUnreached(state, () => tools.keep(passage));
  if ("is_error" in kept) return kept;
  if (kept.kind === "changed") return unreached("the document has changed since it was searched");
  if (kept.kind === "gone") return unreached(`the document cannot be read: ${kept.reason}`);
  const { source_digest, title, origin, media_type } = kept.source;
  return { document, source_digest, title, origin, media_type, text: kept.text, at: passage.start };
}

export function openedOf({ text: _text, at: _at, ...opened }: ReadSource): Opened {
  return opened;
}
